import type { ReportedEvent } from '../notification.js';
import { isOpen, type OperationRow } from '../operation.js';
import { isOldRefund, type RefundRow } from './refund.js';

/** The refunds of a payment, and the operations of refunds of its charged attempt. */
export interface KnownRefunds {
  refunds: readonly RefundRow[];
  operations: readonly OperationRow[];
}

/**
 * `old`: requested by a process of the version without refund objects. `undetermined`: one of ours has no id of the
 * provider yet and may be the one; its answer or recovery will show. `unknown`: none of ours.
 */
export type Reported =
  | { is: 'refund'; refund: RefundRow }
  | { is: 'old'; operation: OperationRow }
  | { is: 'undetermined' }
  | { is: 'unknown' };

/**
 * The refund that a provider reports. The provider's id identifies it. A failure never matches a refund if only one of
 * the two has an id. A success may give its id to a refund of the same amount that succeeded without one. Pure.
 */
export function reportedRefund(known: KnownRefunds, event: ReportedEvent): Reported {
  const old = known.operations.filter(isOldRefund);
  return event.operationId === null ? withoutId(known.refunds, old, event) : withId(known.refunds, old, event);
}

function withId(refunds: readonly RefundRow[], old: readonly OperationRow[], event: ReportedEvent): Reported {
  const { operationId: id } = event;
  const refund = refunds.find((each) => each.provider_refund_id === id);
  if (refund) return { is: 'refund', refund };
  const operation = old.find((each) => each.provider_operation_id === id);
  if (operation) return { is: 'old', operation };
  const isUndetermined =
    refunds.some((each) => each.status === 'pending' && each.provider_refund_id === null) ||
    old.some((each) => isOpen(each) && each.provider_operation_id === null);
  if (isUndetermined) return { is: 'undetermined' };
  return event.status === 'refund_failed' ? { is: 'unknown' } : succeededWithoutId(refunds, old, event);
}

/** Some answers and look-ups confirm a refund without its id. */
function succeededWithoutId(
  refunds: readonly RefundRow[],
  old: readonly OperationRow[],
  event: ReportedEvent,
): Reported {
  const refund = refunds.find(
    (each) => each.status === 'succeeded' && each.provider_refund_id === null && mayBe(event, each),
  );
  if (refund) return { is: 'refund', refund };
  const operation = old.find(
    (each) => each.state === 'confirmed' && each.provider_operation_id === null && mayBe(event, each),
  );
  return operation ? { is: 'old', operation } : { is: 'unknown' };
}

/** A report without an id means the only refund that is under way, with its amount. */
function withoutId(refunds: readonly RefundRow[], old: readonly OperationRow[], event: ReportedEvent): Reported {
  const isFailure = event.status === 'refund_failed';
  const pending = refunds.filter(
    (each) => each.status === 'pending' && mayBe(event, each) && !(isFailure && each.provider_refund_id !== null),
  );
  const open = old.filter((each) => isOpen(each) && mayBe(event, each));
  const couldBe = open.filter((each) => !(isFailure && each.provider_operation_id !== null));
  if (pending.length + couldBe.length !== 1) return { is: 'unknown' };
  const [refund] = pending;
  return refund ? { is: 'refund', refund } : { is: 'old', operation: couldBe[0]! };
}

const mayBe = ({ amount }: ReportedEvent, known: Pick<RefundRow, 'amount'>): boolean =>
  amount === null || Number(amount) === Number(known.amount);
