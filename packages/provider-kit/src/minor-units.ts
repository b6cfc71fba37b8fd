import { Decimal } from 'decimal.js';

/** How a provider counts a currency: 10^`exponent` per unit, in multiples of `step`. It can differ from ISO 4217. */
export interface MinorUnits {
  exponent: number;
  step: number;
}

/** An amount for a provider, or why the provider does not accept it. */
export type MinorAmount = { minor: number } | { refusal: 'currency_not_supported' | 'invalid_amount'; reason: string };

/**
 * Converts decimal text in units of the currency to the provider's minor units. An amount without an exact equivalent
 * is refused, never rounded. `units`: `undefined` for a currency that the provider does not accept.
 */
export function toMinorAmount(
  amount: string,
  currency: string,
  units: MinorUnits | undefined,
  provider: string,
): MinorAmount {
  if (!units) return { refusal: 'currency_not_supported', reason: `${provider} does not accept ${currency}` };
  const minor = new Decimal(amount).times(new Decimal(10).pow(units.exponent));
  if (minor.isInteger() && minor.mod(units.step).isZero()) return { minor: minor.toNumber() };
  const step = fromMinorAmount(units.step, units);
  return { refusal: 'invalid_amount', reason: `${provider} accepts ${currency} only in multiples of ${step}` };
}

/** Decimal text in units of the currency. */
export const fromMinorAmount = (minor: number, { exponent }: MinorUnits): string =>
  new Decimal(minor).div(new Decimal(10).pow(exponent)).toFixed();
