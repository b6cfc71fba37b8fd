import { type FieldError, Problem } from '../../shared/problem.js';
import type { GivenMethod } from '../../shared/payment-method.js';

/** Throws `validation_failed` for a method that no provider could be charged with. `providers`: their names. */
export function requireUsable(given: GivenMethod, providers: readonly string[]): void {
  const errors = methodErrors(given, providers).map(({ field, message }) => ({
    field: `payment_method.${field}`,
    message,
  }));
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

function methodErrors({ token, options = [] }: GivenMethod, providers: readonly string[]): FieldError[] {
  if (token === undefined && options.length === 0) return [{ field: 'token', message: 'is required, or options' }];
  const names = providers.join(', ');
  return [
    ...(token !== undefined && options.length > 0
      ? [{ field: 'token', message: 'must be left out, because options has a token for each account' }]
      : []),
    ...options.flatMap((option, index) => {
      const field = `options.${index}`;
      const first = options.findIndex(
        ({ provider, account }) => provider === option.provider && account === option.account,
      );
      const isKnown = providers.includes(option.provider);
      return [
        ...(isKnown ? [] : [{ field: `${field}.provider`, message: `must be one of ${names}` }]),
        ...((option.token === undefined) === (option.data === undefined)
          ? [{ field, message: 'must have either token or data' }]
          : []),
        ...(first < index ? [{ field, message: `must be about another account than options.${first}` }] : []),
      ];
    }),
  ];
}
