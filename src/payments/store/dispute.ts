import type { ReportedDispute } from '@payment-orchestrator/provider-kit';
import { toJsonAmount } from '../../shared/money.js';
import type { DisputeReport, DisputeState } from '../money/state/dispute.js';

export interface DisputeRow extends DisputeState {
  id: number;
  shop_id: number;
  payment_id: number;
  attempt: number;
  provider: string;
  provider_dispute_id: string;
  updated_at: Date;
}

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
