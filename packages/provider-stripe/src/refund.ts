import type { Stripe } from 'stripe';
import type {
  OperationAnswer,
  OperationLookup,
  OperationState,
  RefundRequest,
} from '@payment-orchestrator/provider-kit';
import { toStripeAmount } from './amount.js';
import { isDeadEnd, readRefusal } from './failure.js';

/** Longest value of Stripe's metadata. */
const MAX_REASON = 500;
const PAGE_SIZE = 100;
/** Largest number of refunds of one charge that is read. */
const MAX_REFUNDS = 10_000;

/**
 * Refunds an amount of what was captured. The reason goes into the metadata, because Stripe's own `reason` accepts three
 * values, and `fraudulent` blocks the card. `operation` distinguishes this refund from the others of the charge if its
 * answer and id are lost.
 */
export async function refundIntent(stripe: Stripe, id: string, request: RefundRequest): Promise<OperationAnswer> {
  const { reference, paymentId, reason, idempotencyKey, isRest } = request;
  const amount = toStripeAmount(request.amount, request.currency);
  if ('refusal' in amount) return refused(amount.refusal, amount.reason);
  const metadata = {
    reference,
    payment_id: String(paymentId),
    operation: idempotencyKey,
    ...(reason !== undefined && { reason: reason.slice(0, MAX_REASON) }),
  };
  try {
    // without an amount, Stripe refunds the remaining amount
    const params = { payment_intent: id, ...(isRest !== true && { amount: amount.minor }), metadata };
    return answerOfRefund(await stripe.refunds.create(params, { idempotencyKey }));
  } catch (thrown) {
    return answerWithoutRefund(thrown, request, amount.minor, () => allRefunds(stripe, id));
  }
}

/** The present state: by Stripe's id, else among the refunds of the intent by their metadata. */
export async function stateOfRefund(
  stripe: Stripe,
  id: string | undefined,
  request: OperationLookup,
): Promise<OperationState> {
  if (request.operationId !== null) return answerOfRefund(await stripe.refunds.retrieve(request.operationId));
  if (id === undefined) throw new Error(`Stripe's search does not find ${request.reference} yet`);
  const found = (await allRefunds(stripe, id)).find((refund) => isSameRefund(refund, request));
  return found ? answerOfRefund(found) : { outcome: 'not_found' };
}

/** Newest first. */
export const allRefunds = (stripe: Stripe, intentId: string): Promise<Stripe.Refund[]> =>
  stripe.refunds.list({ payment_intent: intentId, limit: PAGE_SIZE }).autoPagingToArray({ limit: MAX_REFUNDS });

/** A refund of an older version of this service has only the attempt; a failed one may be an earlier one. */
function isSameRefund({ metadata, status }: Stripe.Refund, { reference, idempotencyKey }: OperationLookup): boolean {
  if (metadata?.['operation'] !== undefined) return metadata['operation'] === idempotencyKey;
  return metadata?.['reference'] === reference && hasNotFailed({ status });
}

function answerOfRefund({ id: operationId, status, failure_reason: why }: Stripe.Refund): OperationAnswer {
  if (status === 'succeeded') return { outcome: 'confirmed', operationId };
  if (isUnderWay(status)) return { outcome: 'pending', operationId };
  if (status === 'failed' || status === 'canceled') {
    const reason = `the refund ${operationId} ${status} at Stripe (${why ?? 'unknown'})`;
    return { outcome: 'refused', operationId, reason, code: failureCode(why), retryable: true };
  }
  throw new Error(`Stripe returned the refund ${operationId} with the unexpected status ${status}`);
}

/**
 * The answer where the call made no refund. A key that was used before, with a lost answer or by a version that sent no
 * amount, may belong to a refund. Rethrows an error after which the outcome is unknown.
 */
async function answerWithoutRefund(
  thrown: unknown,
  request: RefundRequest,
  minor: number,
  refunds: () => Promise<Stripe.Refund[]>,
): Promise<OperationAnswer> {
  const error = readRefusal(thrown)?.error;
  if (error?.code === 'charge_already_refunded') return answerOfOtherRefunds(await refunds(), request, minor);
  // Stripe has no code for an amount beyond the rest of the charge
  if (error?.code === undefined && error?.param === 'amount')
    return refused('amount_exceeds_captured', 'less than this amount is left at Stripe');
  if (!isDeadEnd(thrown)) throw thrown;
  const found = (await refunds()).find(({ metadata }) => metadata?.['operation'] === request.idempotencyKey);
  if (!found) throw thrown;
  return answerOfRefund(found);
}

/**
 * Stripe answers `charge_already_refunded` for pending refunds, too. One refund of the whole amount does what was
 * requested, also if another party made it. We wait for a pending one of ours; one of another party has no outcome yet.
 */
function answerOfOtherRefunds(
  refunds: Stripe.Refund[],
  { reference, idempotencyKey }: RefundRequest,
  minor: number,
): OperationAnswer {
  const valid = refunds.filter(hasNotFailed);
  const same = valid.find(({ metadata }) => metadata?.['operation'] === idempotencyKey);
  const [only, ...others] = valid;
  const found = same ?? (only?.amount === minor && others.length === 0 ? only : undefined);
  if (!found) return refused('already_refunded', 'all of the charge is already refunded at Stripe');
  const isForeign = found.metadata?.['reference'] !== reference;
  if (isForeign && isUnderWay(found.status)) {
    return refused('refund_pending', `another refund of the payment is pending at Stripe (${found.id})`, true);
  }
  return answerOfRefund(found);
}

const hasNotFailed = ({ status }: Pick<Stripe.Refund, 'status'>): boolean =>
  status !== 'failed' && status !== 'canceled';

const isUnderWay = (status: string | null): boolean => status === 'pending' || status === 'requires_action';

const refused = (code: string, reason: string, retryable = false): OperationAnswer => ({
  outcome: 'refused',
  code,
  reason,
  retryable,
});

/** Stripe's `failure_reason`, such as `lost_or_stolen_card`. https://docs.stripe.com/api/refunds/object */
export const failureCode = (why: string | null | undefined): string =>
  why && /^[a-z_]{1,100}$/.test(why) && why !== 'unknown' ? why : 'refund_failed';
