import { Module } from '@nestjs/common';
import adyen, { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import type { ConnectorContext } from '@payment-orchestrator/provider-kit';
import stripe, { StripeProvider } from '@payment-orchestrator/provider-stripe';
import type { Config } from '../platform/config/config.js';
import { CONFIG } from '../platform/config/config.module.js';
import { parseSignedJson } from '../platform/http/body/json-body.js';
import { Clock } from '../shared/clock.js';
import { Random } from '../shared/random.js';
import { ProviderHttp } from './http/provider-http.service.js';
import type { PaymentProvider } from './payment-provider.js';
import { withProviderModules } from './provider-modules.js';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';

const CONTEXT = Symbol('ConnectorContext');

@Module({
  imports: [SandboxModule],
  providers: [
    { provide: ProviderHttp, useFactory: () => new ProviderHttp() },
    {
      provide: CONTEXT,
      inject: [CONFIG, ProviderHttp, Clock, Random],
      useFactory: (config: Config, http: ProviderHttp, clock: Clock, random: Random): ConnectorContext => {
        return { http, clock, random, parseJson: parseSignedJson, settings: config.connectorSettings };
      },
    },
    { provide: StripeProvider, inject: [CONTEXT], useFactory: stripe },
    { provide: AdyenProvider, inject: [CONTEXT], useFactory: adyen },
    {
      provide: ProviderRegistry,
      inject: [CONFIG, CONTEXT, SandboxProvider, StripeProvider, AdyenProvider],
      useFactory: async (config: Config, context: ConnectorContext, ...builtIn: PaymentProvider[]) => {
        const providers = await withProviderModules(builtIn, config.providerModules, context);
        return new ProviderRegistry(providers, config.absentProviders);
      },
    },
  ],
  exports: [ProviderRegistry],
})
export class ProvidersModule {}
