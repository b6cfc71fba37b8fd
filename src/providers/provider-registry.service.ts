import { Problem } from '../shared/problem.js';
import type { PaymentProvider } from './payment-provider.js';

/** All providers, by their names in shops. */
export class ProviderRegistry {
  private readonly providers: Map<string, PaymentProvider>;

  constructor(providers: readonly PaymentProvider[]) {
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
