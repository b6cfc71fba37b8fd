import { Module } from '@nestjs/common';
import { OutboundModule } from '../platform/outbound/outbound.module.js';
import { AdyenProvider } from './adyen/adyen.provider.js';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { StripeProvider } from './stripe/stripe.provider.js';

@Module({
  imports: [OutboundModule, SandboxModule],
  providers: [StripeProvider, AdyenProvider, ProviderRegistry],
  exports: [ProviderRegistry],
})
export class ProvidersModule {}
