import { Module } from '@nestjs/common';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';
import { StripeProvider } from './stripe/stripe.provider.js';

@Module({ providers: [SandboxProvider, StripeProvider, ProviderRegistry], exports: [ProviderRegistry] })
export class ProvidersModule {}
