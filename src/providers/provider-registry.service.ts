import { checkedProvider, type PaymentProvider } from '@payment-orchestrator/provider-kit';
import { Problem } from '../shared/problem.js';

/** All providers, by their names in shops. Their answers are checked here. */
export class ProviderRegistry {
  private readonly providers: Map<string, PaymentProvider>;

  /** `absent`: shops use them, but their modules are not loaded. */
  constructor(
    providers: readonly PaymentProvider[],
    private readonly absent: readonly string[] = [],
  ) {
    this.providers = new Map(providers.map((provider) => [provider.name, checkedProvider(provider)]));
  }

  /** Throws `provider_not_found`, or `dependency_unavailable` for an absent one. */
  get(name: string): PaymentProvider {
    const provider = this.providers.get(name);
    if (!provider && this.absent.includes(name))
      throw new Problem('dependency_unavailable', { detail: `the module of the provider ${name} is not loaded` });
    if (!provider) throw new Problem('provider_not_found', { detail: `known providers: ${this.names().join(', ')}` });
    return provider;
  }

  has(name: string): boolean {
    return this.providers.has(name);
  }

  /** Whether a request may name it: it is loaded, or shops use it. */
  isKnown(name: string): boolean {
    return this.has(name) || this.absent.includes(name);
  }

  /** Those that are loaded. */
  all(): PaymentProvider[] {
    return [...this.providers.values()];
  }

  names(): string[] {
    return [...this.providers.keys()];
  }
}
