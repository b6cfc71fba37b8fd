import { Module } from '@nestjs/common';
import type { ConnectorContext } from '@payment-orchestrator/provider-kit';
import type { Config } from '../platform/config/config.js';
import { CONFIG } from '../platform/config/config.module.js';
import { Clock } from '../shared/clock.js';
import { Random } from '../shared/random.js';
import { AdyenProvider } from './adyen/adyen.provider.js';
import { ProviderHttp } from './http/provider-http.service.js';
import type { PaymentProvider } from './payment-provider.js';
import { withProviderModules } from './provider-modules.js';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';
import { StripeProvider } from './stripe/stripe.provider.js';

/** The order of the injected values below. */
type Injected = [Config, ConnectorContext['http'], Clock, Random, ...builtIn: PaymentProvider[]];

@Module({
  imports: [SandboxModule],
  providers: [
    { provide: ProviderHttp, useFactory: () => new ProviderHttp() },
    StripeProvider,
    AdyenProvider,
    {
      provide: ProviderRegistry,
      inject: [CONFIG, ProviderHttp, Clock, Random, SandboxProvider, StripeProvider, AdyenProvider],
      useFactory: async (...[config, http, clock, random, ...builtIn]: Injected) => {
        const context = { http, clock, random, settings: config.connectorSettings };
        const providers = await withProviderModules(builtIn, config.providerModules, context);
        return new ProviderRegistry(providers, config.absentProviders);
      },
    },
  ],
  exports: [ProviderRegistry],
})
export class ProvidersModule {}
