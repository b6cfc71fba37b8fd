import {
  DISPUTE_KINDS,
  type DisputeKind,
  type DisputeStatus,
  type ReportedDispute,
} from '@payment-orchestrator/provider-kit';

/** The state of a dispute, as its provider reports it. */
export interface DisputeState {
  kind: DisputeKind;
  status: DisputeStatus;
  /** Decimal text. */
  amount: string;
  currency: string;
  reason_code: string | null;
  network_reason_code: string | null;
  evidence_due_by: Date | null;
  opened_at: Date;
  /** When the report that counts was true, see {@link weightOf}. */
  reported_at: Date;
}

/** A report of a dispute, and when it was true at the provider. */
export interface DisputeReport {
  dispute: ReportedDispute;
  at: Date;
}

type DisputeEvent = 'dispute.opened' | 'dispute.updated' | 'dispute.closed';

/** Why a report changes nothing that is shown. */
export const DISPUTE_REASONS = ['dispute_unchanged', 'dispute_is_newer'] as const;

/** The state after a report. `event`: what has happened; `null`: only times have changed. */
export type DisputeDecision =
  | { state: DisputeState; event: DisputeEvent }
  | { state: DisputeState; event: null; reason: (typeof DISPUTE_REASONS)[number] };

/** How much a report counts: {@link compare} goes by one part after the other. */
type Weight = readonly number[];

/** Puts announcements before all other reports, in their order. */
const ANNOUNCED_EARLIER_MS = 100 * 366 * 86_400_000;

/** The later of these counts if reports have one time: what was lost may be won, and at one time not the reverse. */
const STATUS_ORDER: readonly DisputeStatus[] = ['open', 'under_review', 'accepted', 'lost', 'won'];

/**
 * Returns the dispute after a report. Reports may be repeated and come in any order:
 *
 *     none ── opened ──▶ open, under_review ── closed ──▶ won, lost, accepted ── closed ──▶ another of them
 *                                 ▲                                 │
 *                                 └──────────── opened ─────────────┘   a later kind, or the provider says so
 *
 * - The provider's last word has status and amount: the latest report, see {@link weightOf}.
 * - The kind never goes back, and the dispute was opened when its first report was true.
 * - Codes and the time for evidence are those of the last report that has them.
 *
 * So the same reports end in the same state in any order. One exception: two earlier reports have different codes or
 * times for evidence, and the last has none. Then those that came first stay. Pure.
 */
export function disputeAfter(before: DisputeState | null, report: DisputeReport): DisputeDecision {
  const reported = stateOf(report);
  if (!before) return { state: reported, event: isFinal(reported) ? 'dispute.closed' : 'dispute.opened' };
  const order = compare(weightOf(reported), weightOf(before));
  const state =
    order === 0 ? merged(before, reported, larger) : order > 0 ? merged(reported, before) : merged(before, reported);
  if (!isSame(before, state)) return { state, event: eventOf(before, state) };
  return { state, event: null, reason: order < 0 ? 'dispute_is_newer' : 'dispute_unchanged' };
}

/** The state if this were the only report. */
function stateOf({ dispute, at }: DisputeReport): DisputeState {
  const { kind, status, amount, currency, reasonCode, networkReasonCode, evidenceDueBy, openedAt } = dispute;
  return {
    kind,
    status,
    amount,
    currency: currency.toUpperCase(),
    reason_code: reasonCode ?? null,
    network_reason_code: networkReasonCode ?? null,
    evidence_due_by: evidenceDueBy ?? null,
    opened_at: openedAt ?? at,
    reported_at: dispute.isAnnouncement ? new Date(at.getTime() - ANNOUNCED_EARLIER_MS) : at,
  };
}

/**
 * Any report of a chargeback counts more than those of the inquiry before it, then the later one counts. An
 * announcement says that there is a chargeback, but not how far it is: every other report counts more.
 */
const weightOf = ({ kind, reported_at: at, status, amount }: DisputeState): Weight => [
  isInquiry(kind) ? 0 : 1,
  at.getTime(),
  STATUS_ORDER.indexOf(status),
  Number(amount),
];

function compare(one: Weight, other: Weight): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? 0 : one[at]! - other[at]!;
}

type Choice = <T extends string | Date | null>(one: T, other: T) => T;

const first: Choice = (one, other) => one ?? other;
/** The larger value, for reports that count the same: it does not depend on their order. */
const larger: Choice = (one, other) => (other === null || (one !== null && one >= other) ? one : other);

/** Both reports as one state: `last` counts more than `other`, or as much. */
function merged(last: DisputeState, other: DisputeState, choose: Choice = first): DisputeState {
  const later = isLater(other.kind, last.kind) ? other : last;
  const code = (field: 'reason_code' | 'network_reason_code') =>
    isInquiry(last.kind) === isInquiry(other.kind) ? choose(last[field], other[field]) : later[field];
  return {
    kind: later.kind,
    status: last.status,
    amount: last.amount,
    currency: last.currency,
    reason_code: code('reason_code'),
    network_reason_code: code('network_reason_code'),
    // the time for evidence of one kind says nothing about another
    evidence_due_by:
      last.kind === other.kind ? choose(last.evidence_due_by, other.evidence_due_by) : later.evidence_due_by,
    opened_at: other.opened_at < last.opened_at ? other.opened_at : last.opened_at,
    reported_at: last.reported_at,
  };
}

function eventOf(before: DisputeState, state: DisputeState): DisputeEvent {
  if (!isFinal(state)) return isFinal(before) ? 'dispute.opened' : 'dispute.updated';
  return state.status === before.status && state.kind === before.kind ? 'dispute.updated' : 'dispute.closed';
}

/** Whether nothing has changed but times that a late report corrects. */
const isSame = (one: DisputeState, other: DisputeState): boolean =>
  one.kind === other.kind &&
  one.status === other.status &&
  Number(one.amount) === Number(other.amount) &&
  one.currency === other.currency &&
  one.reason_code === other.reason_code &&
  one.network_reason_code === other.network_reason_code &&
  one.evidence_due_by?.getTime() === other.evidence_due_by?.getTime();

const isFinal = ({ status }: DisputeState): boolean => status !== 'open' && status !== 'under_review';
const isInquiry = (kind: DisputeKind): boolean => kind === 'inquiry';
const isLater = (one: DisputeKind, other: DisputeKind): boolean =>
  DISPUTE_KINDS.indexOf(one) > DISPUTE_KINDS.indexOf(other);
