import { Module } from '@nestjs/common';
import { AdyenProvider } from './adyen/adyen.provider.js';
import { ProviderHttp } from './http/provider-http.service.js';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { StripeProvider } from './stripe/stripe.provider.js';

@Module({
  imports: [SandboxModule],
  providers: [
    { provide: ProviderHttp, useFactory: () => new ProviderHttp() },
    StripeProvider,
    AdyenProvider,
    ProviderRegistry,
  ],
  exports: [ProviderRegistry],
})
export class ProvidersModule {}
