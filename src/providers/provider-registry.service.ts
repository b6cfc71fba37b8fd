import { Injectable } from '@nestjs/common';
import { Problem } from '../shared/problem.js';
import { AdyenProvider } from './adyen/adyen.provider.js';
import type { PaymentProvider } from './payment-provider.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';
import { StripeProvider } from './stripe/stripe.provider.js';

/** All providers, by their names in shops. A new provider is added only here. */
@Injectable()
export class ProviderRegistry {
  private readonly providers: Map<string, PaymentProvider>;

  constructor(sandbox: SandboxProvider, stripe: StripeProvider, adyen: AdyenProvider) {
    const providers: PaymentProvider[] = [sandbox, stripe, adyen];
    this.providers = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** Throws `provider_not_found`. */
  get(name: string): PaymentProvider {
    const provider = this.providers.get(name);
    if (!provider) throw new Problem('provider_not_found', { detail: `known providers: ${this.names().join(', ')}` });
    return provider;
  }

  names(): string[] {
    return [...this.providers.keys()];
  }
}
