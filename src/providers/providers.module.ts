import { Module } from '@nestjs/common';
import { OutboundModule } from '../platform/outbound/outbound.module.js';
import { AdyenProvider } from './adyen/adyen.provider.js';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';
import { StripeProvider } from './stripe/stripe.provider.js';

@Module({
  imports: [OutboundModule],
  providers: [SandboxProvider, StripeProvider, AdyenProvider, ProviderRegistry],
  exports: [ProviderRegistry],
})
export class ProvidersModule {}
