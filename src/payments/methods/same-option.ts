import type { GivenOption } from '../../shared/payment-method.js';

type Account = Pick<GivenOption, 'provider' | 'account'>;
type Option = Account & { token: string };

/** Whether two options are for one account. Pure. */
export const isSameAccount = (one: Account, other: Account): boolean =>
  one.provider === other.provider && one.account === other.account;

/** Whether an entry has each of the options. Pure. */
export const hasAll = (entry: readonly Option[], options: readonly Option[]): boolean =>
  options.every((option) => entry.some((own) => isSameAccount(own, option) && own.token === option.token));

/**
 * Whether the detachment of the option would take its token from the entry. An option without an account is for every
 * account of its provider. Pure.
 */
export const sharesToken = (entry: readonly Option[], { provider, account, token }: Option): boolean =>
  entry.some(
    (own) =>
      own.provider === provider &&
      own.token === token &&
      (own.account === undefined || account === undefined || own.account === account),
  );
