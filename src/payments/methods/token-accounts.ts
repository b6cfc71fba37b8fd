import { PAYMENT_METHOD_UNUSABLE, PERMISSION_MISSING } from '@payment-orchestrator/provider-kit';
import type { ShopSummary } from '../../shops/shop-summary.js';
import type { AttemptOutcome } from '../money/state/attempt.js';

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

/**
 * The provider, an acquirer or the issuer has declined the payment method, so the account has it. An unavailable provider
 * says nothing about it, nor does a refusal for another reason, which comes before the payment method is looked at.
 */
const isAnswered = ({ outcome, declineCode }: TokenAttempt): boolean =>
  (outcome === 'declined' || outcome === 'soft_declined') && !SAY_NOTHING.has(declineCode ?? '');

const SAY_NOTHING: ReadonlySet<string> = new Set([
  PAYMENT_METHOD_UNUSABLE.declineCode,
  'account_blocked',
  'configuration_error',
  'currency_not_supported',
  'invalid_amount',
  'invalid_credentials',
  PERMISSION_MISSING.declineCode,
  'rate_limited',
  'request_refused',
]);

const isSameAccount = (one: ShopSummary, other: ShopSummary): boolean =>
  one.provider === other.provider && one.account === other.account;
