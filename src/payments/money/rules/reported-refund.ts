import type { ReportedEvent } from '../state/notification.js';
import type { MoneyRefund } from '../state/state.js';

/**
 * `undetermined`: one of ours has no id of the provider yet and may be the one; its answer or recovery will show. `unknown`:
 * none of ours.
 */
export type Reported = { is: 'refund'; refund: MoneyRefund } | { is: 'undetermined' } | { is: 'unknown' };

type Report = Pick<ReportedEvent, 'status' | 'amount' | 'operationId'>;

/**
 * The refund that a provider reports. The provider's id identifies it. A failure never matches a refund if only one of
 * the two has an id. A success may give its id to a refund of the same amount that succeeded without one.
 */
export function reportedRefund(refunds: readonly MoneyRefund[], event: Report): Reported {
  const found = event.operationId === null ? withoutId(refunds, event) : withId(refunds, event);
  return typeof found === 'string' ? { is: found } : { is: 'refund', refund: found };
}

function withId(refunds: readonly MoneyRefund[], event: Report): MoneyRefund | 'undetermined' | 'unknown' {
  const refund = refunds.find((each) => each.provider_refund_id === event.operationId);
  if (refund) return refund;
  if (refunds.some((each) => each.status === 'pending' && each.provider_refund_id === null)) return 'undetermined';
  if (event.status === 'refund_failed') return 'unknown';
  // some answers and look-ups confirm a refund without its id
  const unnamed = refunds.filter((each) => each.status === 'succeeded' && each.provider_refund_id === null);
  return unnamed.find((each) => mayBe(event, each)) ?? 'unknown';
}

/** A report without an id means the only refund that is under way, with its amount. */
function withoutId(refunds: readonly MoneyRefund[], event: Report): MoneyRefund | 'unknown' {
  const isFailure = event.status === 'refund_failed';
  const pending = refunds.filter(
    (each) => each.status === 'pending' && mayBe(event, each) && !(isFailure && each.provider_refund_id !== null),
  );
  return pending.length === 1 ? pending[0]! : 'unknown';
}

const mayBe = ({ amount }: Report, known: Pick<MoneyRefund, 'amount'>): boolean =>
  amount === null || Number(amount) === Number(known.amount);
