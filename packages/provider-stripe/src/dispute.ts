import type { Stripe } from 'stripe';
import type { DisputeKind, DisputeStatus, ReportedDispute } from '@payment-orchestrator/provider-kit';
import { amountText } from './amount.js';
import { fromSeconds } from './intent.js';

/** The fields of Stripe's dispute that are read; endpoints with an older API version send fewer. */
export type StripeDispute = Pick<Stripe.Dispute, 'id' | 'amount' | 'currency' | 'status'> &
  Partial<Pick<Stripe.Dispute, 'created' | 'reason' | 'network_reason_code' | 'payment_method_details'>> & {
    evidence_details?: Partial<Pick<Stripe.Dispute.EvidenceDetails, 'due_by' | 'submission_count'>> | null;
    evidence?: { appeal?: unknown } | null;
  };

/**
 * Stripe's statuses (https://docs.stripe.com/api/disputes/object), in the order in which they follow one another; `lost`
 * and `prevented` say more with other fields. A dispute that was lost may be won later.
 */
const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'open',
  warning_under_review: 'under_review',
  warning_closed: 'won', // the inquiry became no dispute
  needs_response: 'open',
  under_review: 'under_review',
  appeal_needs_response: 'open',
  appeal_under_review: 'under_review',
  prevented: 'accepted',
  lost: 'lost',
  won: 'won',
};

/** Stripe's events of a dispute, in the order in which they follow one another. https://docs.stripe.com/api/events/types */
const EVENTS = ['created', 'funds_withdrawn', 'updated', 'funds_reinstated', 'closed'].map(
  (name) => `charge.dispute.${name}`,
);
const CLOSED = 'charge.dispute.closed';

/**
 * The dispute as an event reported it, and when. Stripe's time has seconds, and each event has the dispute as it was
 * then: events of one second are in the order of their statuses.
 */
export function reportOfDispute(type: string, dispute: StripeDispute, reportedAt: Date) {
  const isClosed = type === CLOSED;
  const place = Object.keys(STATUSES).indexOf(knownStatus(dispute, isClosed)) * EVENTS.length + EVENTS.indexOf(type);
  const occurredAt = new Date(reportedAt.getTime() + place);
  return { occurredAt, dispute: reportedDispute(dispute, reportedAt, isClosed) };
}

function reportedDispute(dispute: StripeDispute, reportedAt: Date, isClosed: boolean): ReportedDispute {
  const { id, amount, currency, reason, created } = dispute;
  const networkReasonCode = dispute.payment_method_details?.card?.network_reason_code ?? dispute.network_reason_code;
  const dueBy = dispute.evidence_details?.due_by;
  return {
    id,
    kind: kindOf(dispute),
    status: statusOf(dispute, reportedAt, isClosed),
    amount: amountText(amount, currency),
    currency: currency.toUpperCase(),
    ...(reason && { reasonCode: reason }),
    ...(networkReasonCode && { networkReasonCode }),
    ...(dueBy && { evidenceDueBy: fromSeconds(dueBy) }), // 0: no response is allowed
    ...(created !== undefined && { openedAt: fromSeconds(created) }),
  };
}

/** An inquiry that becomes a chargeback keeps its id; so does a chargeback whose decision is appealed. */
function kindOf({ status, payment_method_details: details, evidence }: StripeDispute): DisputeKind {
  if (status.startsWith('appeal_') || evidence?.appeal) return 'pre_arbitration';
  const isInquiry = status.startsWith('warning_') || details?.card?.case_type === 'inquiry';
  return isInquiry ? 'inquiry' : 'chargeback';
}

/** A status that Stripe adds later counts as lost in the event that closes the dispute, and as open before. */
function knownStatus({ status }: StripeDispute, isClosed: boolean): string {
  if (Object.hasOwn(STATUSES, status)) return status;
  return isClosed ? 'lost' : 'needs_response';
}

function statusOf(dispute: StripeDispute, reportedAt: Date, isClosed: boolean): DisputeStatus {
  const status = STATUSES[knownStatus(dispute, isClosed)]!;
  if (status === 'lost') return isAccepted(dispute, reportedAt) ? 'accepted' : 'lost';
  const isBlocked = dispute.payment_method_details?.card?.case_type === 'block';
  return dispute.status === 'prevented' && isBlocked ? 'won' : status;
}

/**
 * Stripe has no status for an accepted dispute: accepting makes it `lost` at once. So a dispute that is lost before its
 * evidence was due, and without any, was accepted. https://docs.stripe.com/api/disputes/close
 */
function isAccepted({ evidence_details: details }: StripeDispute, reportedAt: Date): boolean {
  const { due_by: dueBy, submission_count: submissions } = details ?? {};
  return submissions === 0 && !!dueBy && reportedAt < fromSeconds(dueBy);
}
