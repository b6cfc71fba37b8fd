import {
  accountsOf,
  CARD_FUNDINGS,
  type CardFacts,
  type CardFunding,
  type PaymentMethodFacts,
  type PaymentMethodOption,
} from '@payment-orchestrator/routing/facts/payment-method';

export { MAX_OPTIONS, optionFor } from '@payment-orchestrator/routing/facts/payment-method';
export {
  accountsOf,
  CARD_FUNDINGS,
  type CardFacts,
  type CardFunding,
  type PaymentMethodFacts,
  type PaymentMethodOption,
};

/** The kinds of a payer's step. */
export const NEXT_ACTION_TYPES = ['redirect', 'provider_action'] as const;
export type NextActionType = (typeof NEXT_ACTION_TYPES)[number];

/** The payment method of one account. */
export interface GivenOption extends PaymentMethodOption {
  token?: string;
  data?: Record<string, unknown>;
}

/** A payer's payment method as a request gives it: one token, or one option per account. */
export interface GivenMethod extends Omit<PaymentMethodFacts, 'options'> {
  token?: string;
  options?: readonly GivenOption[];
  /** Absent: `redirect`. */
  next_action_type?: NextActionType;
}

/** The facts of it that may be stored and shown; `undefined`: none. */
export function factsOf(given: GivenMethod | undefined): PaymentMethodFacts | undefined {
  if (!given) return undefined;
  const { type, options, card, save } = given;
  if (type === undefined && options === undefined && card === undefined && !save) return undefined;
  return {
    ...(type !== undefined && { type }),
    ...(options && { options: accountsOf(options) }),
    ...(card && { card: { ...card } }),
    ...(save && { save }),
  };
}

type Raw = Readonly<Record<keyof CardFacts, unknown>>;

const SHAPES: Readonly<Record<keyof CardFacts, (value: unknown) => boolean>> = {
  scheme: (value) => matches(value, /^[a-z0-9_-]{1,32}$/),
  bin: (value) => matches(value, /^\d{6,8}$/),
  last4: (value) => matches(value, /^\d{4}$/),
  funding: (value) => CARD_FUNDINGS.some((funding) => funding === value),
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
