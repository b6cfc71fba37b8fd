import { PAYMENT_METHOD_UNUSABLE } from '@payment-orchestrator/provider-kit';
import type { ShopSummary } from '../../shops/shop-summary.js';
import type { AttemptOutcome } from '../ledger/attempt.js';

/** An attempt with a token whose account the merchant did not name. */
export interface TokenAttempt {
  shop: ShopSummary;
  outcome: AttemptOutcome | null;
  declineCode: string | null;
}

/**
 * Whether a shop may have the payment method of a token whose account the merchant did not name. A token belongs to one
 * account. After a decline by its issuer, for example, it is known which one: only shops of that account are tried. Until
 * then, accounts that do not have it are left out. Pure.
 */
export function mayHaveToken(shop: ShopSummary, attempts: readonly TokenAttempt[]): boolean {
  if (shop.acceptsAnyToken === true) return true;
  const tried = attempts.filter((attempt) => attempt.shop.acceptsAnyToken !== true);
  const known = tried.find(isAnswered);
  if (known) return isSameAccount(known.shop, shop);
  return !tried.some((attempt) => isUnusable(attempt) && isSameAccount(attempt.shop, shop));
}

const isUnusable = ({ declineCode }: TokenAttempt): boolean => declineCode === PAYMENT_METHOD_UNUSABLE.declineCode;

/** The provider has looked at the payment method, and the account has it. An unavailable provider has not. */
const isAnswered = (attempt: TokenAttempt): boolean =>
  (attempt.outcome === 'declined' || attempt.outcome === 'soft_declined') && !isUnusable(attempt);

const isSameAccount = (one: ShopSummary, other: ShopSummary): boolean =>
  one.provider === other.provider && one.account === other.account;
