export type CardFunding = 'credit' | 'debit' | 'prepaid' | 'charge' | 'unknown';

/** Facts about a card, as the merchant or a provider tells them. Never a full number. */
export interface CardFacts {
  /** The card network, such as `visa`. */
  scheme?: string;
  /** The first 6 to 8 digits. */
  bin?: string;
  last4?: string;
  funding?: CardFunding;
  /** ISO 3166-1 alpha-2. */
  issuer_country?: string;
  /** 1 to 12. */
  expiry_month?: number;
  /** Four digits. */
  expiry_year?: number;
}

type Raw = Readonly<Record<keyof CardFacts, unknown>>;

const SHAPES: Readonly<Record<keyof CardFacts, (value: unknown) => boolean>> = {
  scheme: (value) => matches(value, /^[a-z0-9_-]{1,32}$/),
  bin: (value) => matches(value, /^\d{6,8}$/),
  last4: (value) => matches(value, /^\d{4}$/),
  funding: (value) => matches(value, /^(credit|debit|prepaid|charge|unknown)$/),
  issuer_country: (value) => matches(value, /^[A-Z]{2}$/),
  expiry_month: (value) => isWhole(value, 1, 12),
  expiry_year: (value) => isWhole(value, 2000, 2099),
};

const matches = (value: unknown, shape: RegExp): boolean => typeof value === 'string' && shape.test(value);
const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

/** The facts among a provider's that have the right form; `undefined`: none. Others may be a full card number. */
export function validFacts(given: Partial<Raw> | undefined): CardFacts | undefined {
  if (!given) return undefined;
  const valid = Object.entries(SHAPES).flatMap(([name, isValid]) => {
    const value = given[name as keyof CardFacts];
    return isValid(value) ? [[name, value] as const] : [];
  });
  return valid.length === 0 ? undefined : Object.fromEntries(valid);
}
