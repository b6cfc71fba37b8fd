import { Module } from '@nestjs/common';
import adyen, { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import checkout, { CheckoutProvider } from '@payment-orchestrator/provider-checkout';
import type { ConnectorContext, PaymentProvider } from '@payment-orchestrator/provider-kit';
import mollie, { MollieProvider } from '@payment-orchestrator/provider-mollie';
import paypal, { PayPalProvider } from '@payment-orchestrator/provider-paypal';
import sandbox, { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import stripe, { StripeProvider } from '@payment-orchestrator/provider-stripe';
import type { Config } from '../platform/config/config.js';
import { CONFIG } from '../platform/config/config.module.js';
import { Database } from '../platform/database/database.js';
import { Clock } from '../shared/clock.js';
import { Random } from '../shared/random.js';
import { connectorContext, ProviderHttp } from './connectors/connector-context.js';
import { OwnAddress } from './connectors/own-address.js';
import { withProviderModules } from './provider-modules.js';
import { ProviderRegistry } from './provider-registry.service.js';

const CONTEXT = Symbol('ConnectorContext');

@Module({
  providers: [
    { provide: ProviderHttp, useFactory: () => new ProviderHttp() },
    OwnAddress,
    {
      provide: CONTEXT,
      inject: [CONFIG, ProviderHttp, Clock, Random, Database, OwnAddress],
      useFactory: connectorContext,
    },
    { provide: SandboxProvider, inject: [CONTEXT], useFactory: sandbox },
    { provide: StripeProvider, inject: [CONTEXT], useFactory: stripe },
    { provide: AdyenProvider, inject: [CONTEXT], useFactory: adyen },
    { provide: CheckoutProvider, inject: [CONTEXT], useFactory: checkout },
    { provide: MollieProvider, inject: [CONTEXT], useFactory: mollie },
    { provide: PayPalProvider, inject: [CONTEXT], useFactory: paypal },
    {
      provide: ProviderRegistry,
      inject: [
        CONFIG,
        CONTEXT,
        SandboxProvider,
        StripeProvider,
        AdyenProvider,
        CheckoutProvider,
        MollieProvider,
        PayPalProvider,
      ],
      useFactory: async (config: Config, context: ConnectorContext, ...builtIn: PaymentProvider[]) => {
        const providers = await withProviderModules(builtIn, config.providerModules, context);
        return new ProviderRegistry(providers, config.absentProviders);
      },
    },
  ],
  exports: [OwnAddress, ProviderRegistry, SandboxProvider],
})
export class ProvidersModule {}
