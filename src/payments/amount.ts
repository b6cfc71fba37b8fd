import { ValidateBy, type ValidationArguments } from 'class-validator';
import { amountError, currencyDigits } from '../shared/money.js';

/** An ISO 4217 code in capitals. */
export const IsCurrency = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCurrency',
    validator: {
      validate: (value) => typeof value === 'string' && currencyDigits(value) !== undefined,
      defaultMessage: () => '$property must be an ISO 4217 currency code such as USD',
    },
  });

/** A sum above 0 with at most the decimals of the currency in the object's `currency` field. */
export const IsAmount = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAmount',
    validator: {
      validate: (value, args) => problemOf(value, args) === undefined,
      defaultMessage: (args) => `$property ${problemOf(args?.value, args)}`,
    },
  });

function problemOf(value: unknown, args: ValidationArguments | undefined): string | undefined {
  if (typeof value !== 'number') return 'must be a number';
  const { currency } = (args?.object ?? {}) as { currency?: unknown };
  return amountError(value, typeof currency === 'string' ? currency : '');
}
