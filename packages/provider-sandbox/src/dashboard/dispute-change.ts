import { DISPUTE_KINDS, type DisputeKind, type DisputeStatus } from '@payment-orchestrator/provider-kit';
import type { SandboxDisputeRow } from './disputes.queries.js';
import { DashboardRefused, invalidField } from './refused.js';

/** Time for the evidence of a new kind of dispute. */
export const EVIDENCE_MS = 7 * 86_400_000;

/** Absent fields stay. */
export interface DisputeChange {
  kind?: DisputeKind | undefined;
  status?: DisputeStatus | undefined;
  evidenceDueBy?: Date | undefined;
}

type Changeable = Pick<SandboxDisputeRow, 'kind' | 'status' | 'evidence_due_by'>;

const isFinal = (status: DisputeStatus): boolean => status !== 'open' && status !== 'under_review';

/**
 * Returns the dispute after a change; `null`: nothing changes. A later kind opens it again, with a new time for evidence.
 * Throws `validation_failed` for an earlier kind, and `provider_unconfirmed` for a closed dispute, or for one under review
 * that would be open again. Pure.
 */
export function disputeAfterChange(before: Changeable, change: DisputeChange, now: Date): Changeable | null {
  const { kind = before.kind, status: wanted, evidenceDueBy } = change;
  const later = DISPUTE_KINDS.indexOf(kind) - DISPUTE_KINDS.indexOf(before.kind);
  if (later < 0)
    throw invalidField('kind', `must not be before ${before.kind}, in the order ${DISPUTE_KINDS.join(', ')}`);
  if (later > 0) {
    const due = evidenceDueBy ?? new Date(now.getTime() + EVIDENCE_MS);
    return { kind, status: wanted ?? 'open', evidence_due_by: due };
  }
  const status = wanted ?? before.status;
  const due = evidenceDueBy ?? before.evidence_due_by;
  if (status === before.status && due.getTime() === before.evidence_due_by.getTime()) return null;
  if (isFinal(before.status)) throw refused(`is closed: ${before.status}`);
  if (before.status === 'under_review' && status === 'open') throw refused('is under review already');
  return { kind, status, evidence_due_by: due };
}

const refused = (why: string): DashboardRefused =>
  new DashboardRefused('provider_unconfirmed', { detail: `the dispute ${why}` });
