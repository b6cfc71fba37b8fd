import type { CardFacts, CardFunding } from '@payment-orchestrator/provider-kit';

export type { CardFacts, CardFunding };

/** The kinds of a payer's step. */
export const NEXT_ACTION_TYPES = ['redirect', 'provider_action'] as const;
export type NextActionType = (typeof NEXT_ACTION_TYPES)[number];

export const CARD_FUNDINGS = [
  'credit',
  'debit',
  'prepaid',
  'charge',
  'unknown',
] as const satisfies readonly CardFunding[];

/** The maximum number of accounts that a payment names. */
export const MAX_OPTIONS = 10;

/** A provider account that has the payer's payment method. */
export interface PaymentMethodOption {
  provider: string;
  /** The label of the account; absent: any account at the provider. */
  account?: string;
}

/**
 * The facts of a payer's payment method that routing uses: all of them may be stored and shown. Without `options` any shop may try:
 * there is no payment method, or a token whose account the merchant did not name.
 */
export interface PaymentMethodFacts {
  /** Such as `card`; free text. */
  type?: string;
  options?: readonly PaymentMethodOption[];
  card?: CardFacts;
  /** The provider is to save it for later charges of the customer. */
  save?: boolean;
}

/** Whether the payer has a payment method in an account. */
export function hasOptionFor(
  options: readonly PaymentMethodOption[],
  at: { provider: string; account: string },
): boolean {
  for (const option of options) if (isAbout(option, at)) return true;
  return false;
}

/** Whether the option is about this account. An option that names the account has precedence over one that does not. */
const isAbout = ({ provider, account }: PaymentMethodOption, at: { provider: string; account: string }): boolean =>
  provider === at.provider && (account === undefined || account === at.account);

/** The option for an account at a provider; `undefined`: the payer has no payment method there. */
export function optionFor<Option extends PaymentMethodOption>(
  options: readonly Option[],
  at: { provider: string; account: string },
): Option | undefined {
  const found = options.filter((option) => isAbout(option, at));
  return found.find(({ account }) => account !== undefined) ?? found[0];
}

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

/** The accounts of options, without the tokens. */
export const accountsOf = (options: readonly PaymentMethodOption[]): PaymentMethodOption[] =>
  options.map(({ provider, account }) => ({ provider, ...(account && { account }) }));

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
