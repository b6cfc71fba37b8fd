import { Decimal } from 'decimal.js';

/** How a provider counts a currency: 10^`exponent` to the unit, in multiples of `step`. Not always as ISO 4217 does. */
export interface MinorUnits {
  exponent: number;
  step: number;
}

/** What a provider is told, or why it cannot take the amount. */
export type MinorAmount = { minor: number } | { refusal: 'currency_not_supported' | 'invalid_amount'; reason: string };

/**
 * Decimal text in units of the currency, in the provider's minor units. What has no exact counterpart is refused, never
 * rounded. `units`: `undefined` for a currency that the provider does not take.
 */
export function toMinorAmount(
  amount: string,
  currency: string,
  units: MinorUnits | undefined,
  provider: string,
): MinorAmount {
  if (!units) return { refusal: 'currency_not_supported', reason: `${provider} takes no ${currency}` };
  const minor = new Decimal(amount).times(new Decimal(10).pow(units.exponent));
  if (minor.isInteger() && minor.mod(units.step).isZero()) return { minor: minor.toNumber() };
  const step = fromMinorAmount(units.step, units);
  return { refusal: 'invalid_amount', reason: `${provider} takes ${currency} in multiples of ${step}` };
}

/** Decimal text in units of the currency. */
export const fromMinorAmount = (minor: number, { exponent }: MinorUnits): string =>
  new Decimal(minor).div(new Decimal(10).pow(exponent)).toFixed();
