import {
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
  type ReportedDispute,
} from '@payment-orchestrator/provider-kit';
import { toJsonAmount } from '../../shared/money.js';

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
  /** When the provider's last applied report was true. */
  reported_at: Date;
}

export interface DisputeRow extends DisputeState {
  id: number;
  shop_id: number;
  payment_id: number;
  attempt: number;
  provider: string;
  provider_dispute_id: string;
  updated_at: Date;
}

/** A report of a dispute, and when it was true at the provider. */
export interface DisputeReport {
  dispute: ReportedDispute;
  at: Date;
}

type DisputeEvent = 'dispute.opened' | 'dispute.updated' | 'dispute.closed';

/** Why a report changes nothing. */
export type DisputeReason = 'dispute_unchanged' | 'dispute_is_newer' | 'dispute_is_closed';

/** The state after a report. `event`: what has happened; `null`: the report only confirms the state. */
export type DisputeDecision = { state: DisputeState; event: DisputeEvent | null } | DisputeReason;

/**
 * Returns the dispute after a report. Reports may be repeated and come in any order; their times decide. At the same
 * time the later kind and status count. The kind never goes back, and a final status stays until a later kind: a
 * chargeback may follow an inquiry, a pre-arbitration a chargeback. Pure.
 */
export function disputeAfter(before: DisputeState | null, { dispute, at }: DisputeReport): DisputeDecision {
  if (before && isOlder(before, dispute, at)) return 'dispute_is_newer';
  const isLaterKind = before !== null && rankOfKind(dispute.kind) > rankOfKind(before.kind);
  const state = stateAfter(before, { dispute, at }, isLaterKind);
  if (before && isSame(before, state)) return { state, event: null };
  if (before && isFinal(before.status) && !isLaterKind) return 'dispute_is_closed';
  if (isFinal(state.status)) return { state, event: 'dispute.closed' };
  return { state, event: before && !isFinal(before.status) ? 'dispute.updated' : 'dispute.opened' };
}

function stateAfter(before: DisputeState | null, { dispute, at }: DisputeReport, isLaterKind: boolean): DisputeState {
  const { kind, status, amount, currency, reasonCode, networkReasonCode, evidenceDueBy, openedAt } = dispute;
  // the time for evidence of an inquiry says nothing about the chargeback after it
  const dueBefore = isLaterKind ? null : before?.evidence_due_by;
  return {
    kind: before && !isLaterKind ? before.kind : kind,
    status,
    amount,
    currency: currency.toUpperCase(),
    reason_code: reasonCode ?? before?.reason_code ?? null,
    network_reason_code: networkReasonCode ?? before?.network_reason_code ?? null,
    evidence_due_by: evidenceDueBy ?? dueBefore ?? null,
    opened_at: openedAt ?? before?.opened_at ?? at,
    reported_at: at,
  };
}

function isOlder(before: DisputeState, report: ReportedDispute, at: Date): boolean {
  const difference = at.getTime() - before.reported_at.getTime();
  return difference < 0 || (difference === 0 && rankOf(report) < rankOf(before));
}

const isSame = (one: DisputeState, other: DisputeState): boolean =>
  one.kind === other.kind &&
  one.status === other.status &&
  Number(one.amount) === Number(other.amount) &&
  one.currency === other.currency &&
  one.reason_code === other.reason_code &&
  one.network_reason_code === other.network_reason_code &&
  one.evidence_due_by?.getTime() === other.evidence_due_by?.getTime() &&
  one.opened_at.getTime() === other.opened_at.getTime();

const isFinal = (status: DisputeStatus): boolean => status !== 'open' && status !== 'under_review';

const rankOfKind = (kind: DisputeKind): number => DISPUTE_KINDS.indexOf(kind);
const RANKS: Readonly<Record<DisputeStatus, number>> = { open: 0, under_review: 1, won: 2, lost: 2, accepted: 2 };
const rankOf = ({ kind, status }: Pick<DisputeState, 'kind' | 'status'>): number =>
  rankOfKind(kind) * DISPUTE_STATUSES.length + RANKS[status];

const isCode = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9][\w.:/-]{0,99}$/.test(text);

/**
 * The report of a dispute with codes such as `fraudulent`, `10.4` or `UA02`. Free text is left out: it may name the payer,
 * and disputes and stored reports stay after an erasure. Pure.
 */
export function reportOf({ reasonCode, networkReasonCode, ...dispute }: ReportedDispute, at: Date): DisputeReport {
  const codes = { ...(isCode(reasonCode) && { reasonCode }), ...(isCode(networkReasonCode) && { networkReasonCode }) };
  return { dispute: { ...dispute, ...codes }, at };
}

/** A report as it was stored with its notification: times are texts there. */
export function storedReport(json: unknown): DisputeReport {
  const { dispute, at } = json as DisputeReport;
  const { evidenceDueBy, openedAt, ...rest } = dispute;
  return {
    at: new Date(at),
    dispute: {
      ...rest,
      ...(evidenceDueBy !== undefined && { evidenceDueBy: new Date(evidenceDueBy) }),
      ...(openedAt !== undefined && { openedAt: new Date(openedAt) }),
    },
  };
}

/** The dispute as answers and events show it. */
export const toDisputeFields = (row: DisputeRow) => ({
  id: row.id,
  payment_id: row.payment_id,
  shop_id: row.shop_id,
  attempt: row.attempt,
  provider: row.provider,
  provider_dispute_id: row.provider_dispute_id,
  kind: row.kind,
  status: row.status,
  amount: toJsonAmount(row.amount),
  currency: row.currency,
  reason_code: row.reason_code,
  network_reason_code: row.network_reason_code,
  evidence_due_by: row.evidence_due_by?.toISOString() ?? null,
  opened_at: row.opened_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
