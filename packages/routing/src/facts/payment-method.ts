export const CARD_FUNDINGS = ['credit', 'debit', 'prepaid', 'charge', 'unknown'] as const;

export type CardFunding = (typeof CARD_FUNDINGS)[number];

/** Facts about the payer's card, as the merchant or the provider tells them; never the full number. */
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

/** The values of `payment_method.type`. */
export const METHOD_TYPE = /^.{1,32}$/su;

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

/** The accounts of options, without the tokens. */
export const accountsOf = (options: readonly PaymentMethodOption[]): PaymentMethodOption[] =>
  options.map(({ provider, account }) => ({ provider, ...(account && { account }) }));
