import {
  accountsOf,
  CARD_FUNDINGS,
  type CardFacts,
  type CardFunding,
  type PaymentMethodFacts,
  type PaymentMethodOption,
} from '@payment-orchestrator/routing/facts/payment-method';

export { MAX_OPTIONS, optionFor } from '@payment-orchestrator/routing/facts/payment-method';
export { CARD_FUNDINGS, type CardFacts, type CardFunding, type PaymentMethodFacts, type PaymentMethodOption };

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
