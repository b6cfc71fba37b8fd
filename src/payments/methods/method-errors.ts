import { type FieldError, Problem } from '../../shared/problem.js';
import type { PaymentProvider } from '@payment-orchestrator/provider-kit';
import type { ProviderRegistry } from '../../providers/provider-registry.service.js';
import type { GivenMethod, GivenOption } from '../../shared/payment-method.js';

type Providers = Pick<ProviderRegistry, 'names' | 'has' | 'isKnown' | 'get'>;

/**
 * Throws `validation_failed` for a method that no provider could be charged with. `providers`: all of them. `parent`: the
 * start of the fields' paths.
 */
export function requireUsable(given: GivenMethod, providers: Providers, parent = 'payment_method.'): void {
  const errors = methodErrors(given, providers).map(({ field, message }) => ({ field: `${parent}${field}`, message }));
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

function methodErrors({ type, token, options = [] }: GivenMethod, providers: Providers): FieldError[] {
  // with only a type, the payer gives the rest at the provider, such as the bank of iDEAL
  if (type === undefined && token === undefined && options.length === 0) {
    return [{ field: 'token', message: 'is required, or options or type' }];
  }
  const names = providers.names();
  return [
    ...(token !== undefined && options.length > 0
      ? [{ field: 'token', message: 'must be left out, because options has a token for each account' }]
      : []),
    ...options.flatMap((option, index) => {
      const field = `options.${index}`;
      const first = options.findIndex(
        ({ provider, account }) => provider === option.provider && account === option.account,
      );
      const provider = providers.has(option.provider) ? providers.get(option.provider) : undefined;
      return [
        ...(providers.isKnown(option.provider)
          ? []
          : [{ field: `${field}.provider`, message: `must be one of ${names.join(', ')}` }]),
        ...((option.token === undefined) === (option.data === undefined)
          ? [{ field, message: 'must have either token or data' }]
          : []),
        ...(first < index ? [{ field, message: `must be about another account than options.${first}` }] : []),
        ...dataErrors(provider, option).map((error) => ({ ...error, field: `${field}.data.${error.field}` })),
      ];
    }),
  ];
}

const dataErrors = (provider: PaymentProvider | undefined, { data }: GivenOption): FieldError[] =>
  (data && provider?.paymentMethodErrors?.(data)) ?? [];
