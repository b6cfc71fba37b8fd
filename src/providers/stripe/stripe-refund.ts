import type { Stripe } from 'stripe';
import type { OperationAnswer, RefundLookup, RefundRequest, RefundState } from '../payment-provider.js';
import { readRefusal } from './stripe-failure.js';

/** Longest value of Stripe's metadata. */
const MAX_REASON = 500;
const PAGE_SIZE = 100;

/**
 * Refunds everything that is captured and not refunded yet: without an amount Stripe refunds the rest. The reason goes
 * into the metadata, because Stripe's own `reason` accepts three values, and `fraudulent` blocks the card. `operation`
 * distinguishes this refund from an earlier one of the same attempt if its answer and id are lost.
 */
export async function refundIntent(stripe: Stripe, id: string, request: RefundRequest): Promise<OperationAnswer> {
  const { reference, paymentId, reason, idempotencyKey } = request;
  const metadata = {
    reference,
    payment_id: String(paymentId),
    operation: idempotencyKey,
    ...(reason !== undefined && { reason: reason.slice(0, MAX_REASON) }),
  };
  try {
    return answerOfRefund(await stripe.refunds.create({ payment_intent: id, metadata }, { idempotencyKey }));
  } catch (thrown) {
    if (readRefusal(thrown)?.error.code !== 'charge_already_refunded') throw thrown;
    return answerOfEarlierRefunds(await refundsOf(stripe, id), reference);
  }
}

/** The present state: by Stripe's id, else among the refunds of the intent by their metadata. */
export async function stateOfRefund(
  stripe: Stripe,
  id: string | undefined,
  request: RefundLookup,
): Promise<RefundState> {
  if (request.operationId !== null) return answerOfRefund(await stripe.refunds.retrieve(request.operationId));
  if (id === undefined) throw new Error(`Stripe's search does not find ${request.reference} yet`);
  const found = (await refundsOf(stripe, id)).find((refund) => isSameRefund(refund, request));
  return found ? answerOfRefund(found) : { outcome: 'not_found' };
}

/** Newest first. */
const refundsOf = async (stripe: Stripe, id: string): Promise<Stripe.Refund[]> =>
  (await stripe.refunds.list({ payment_intent: id, limit: PAGE_SIZE })).data;

/** A refund of an older version of this service has only the attempt; a failed one may be an earlier one. */
function isSameRefund({ metadata, status }: Stripe.Refund, { reference, idempotencyKey }: RefundLookup): boolean {
  if (metadata?.['operation'] !== undefined) return metadata['operation'] === idempotencyKey;
  return metadata?.['reference'] === reference && status !== 'failed' && status !== 'canceled';
}

function answerOfRefund({ id: operationId, status, failure_reason: why }: Stripe.Refund): OperationAnswer {
  if (status === 'succeeded') return { outcome: 'confirmed', operationId };
  if (isUnderWay(status)) return { outcome: 'pending', operationId };
  if (status === 'failed' || status === 'canceled') {
    const reason = `the refund ${operationId} ${status} at Stripe (${why ?? 'unknown'})`;
    return { outcome: 'refused', operationId, reason, retryable: true };
  }
  throw new Error(`Stripe returned the refund ${operationId} with the unexpected status ${status}`);
}

/**
 * Stripe answers `charge_already_refunded` for pending refunds, too. We wait for a pending refund of ours; a pending
 * refund of another party has no outcome yet.
 */
function answerOfEarlierRefunds(refunds: Stripe.Refund[], reference: string): OperationAnswer {
  const isOurs = ({ metadata }: Stripe.Refund) => metadata?.['reference'] === reference;
  const pending = refunds.filter(({ status }) => isUnderWay(status));
  const ours = pending.find(isOurs);
  if (ours) return { outcome: 'pending', operationId: ours.id };
  if (pending[0]) {
    const reason = `another refund of the payment is pending at Stripe (${pending[0].id})`;
    return { outcome: 'refused', reason, retryable: true };
  }
  const done = refunds.find((refund) => refund.status === 'succeeded' && isOurs(refund));
  return { outcome: 'confirmed', ...(done && { operationId: done.id }) };
}

const isUnderWay = (status: string | null): boolean => status === 'pending' || status === 'requires_action';
