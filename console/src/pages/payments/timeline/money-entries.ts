import type { Schema } from '@payment-orchestrator/client';
import { money } from '../../../ui/money';
import { DISPUTE_STATUSES, REFUND_STATUSES } from '../meanings';
import { type Entry, known } from './entry';

/** The request of a refund, and its outcome. One that was made at the provider has no request here. */
export function refundEntries(refund: Schema<'Refund'>): Entry[] {
  const { id, status, origin, currency } = refund;
  const name = `Refund of ${money(refund.amount, currency)}`;
  const facts = known([
    ['Refund', id],
    ['Reason', refund.reason],
    ['Provider’s id', refund.provider_refund_id],
  ]);
  const begun: Entry = {
    key: `refund-${id}`,
    at: refund.created_at,
    kind: 'refund',
    title: origin === 'api' ? `${name} requested` : `${name} made at the provider`,
    meaning:
      origin === 'api'
        ? `Requested by ${nameOf(refund.requested_by) ?? 'an API client'}.`
        : 'The provider reported it.',
    facts,
  };
  if (status === 'pending') return [{ ...begun, status }];
  const ended: Entry = {
    key: `refund-${id}-end`,
    at: refund.updated_at,
    kind: 'refund',
    title: `${name} ${status === 'failed' ? 'failed' : 'succeeded'}`,
    status,
    meaning: REFUND_STATUSES[status],
    facts: known([
      ['Refund', id],
      ['Failure', refund.failure_code],
    ]),
  };
  return [begun, ended];
}

/** The name of the one who asked, or else the id. */
export const nameOf = (by: Schema<'Refund'>['requested_by']): string | undefined => by?.name ?? by?.client_id;

/** The opening of a dispute, and its last change. */
export function disputeEntries(dispute: Schema<'Dispute'>): Entry[] {
  const { id, kind, status, opened_at: openedAt, updated_at: changedAt } = dispute;
  const begun: Entry = {
    key: `dispute-${id}`,
    at: openedAt,
    kind: 'dispute',
    title: `Dispute of ${money(dispute.amount, dispute.currency)} opened`,
    meaning: `The payer disputes the payment at the bank. It is now: ${kind}.`,
    facts: known([
      ['Provider’s id', dispute.provider_dispute_id],
      ['Reason', dispute.reason_code],
      ['Network’s reason', dispute.network_reason_code],
      ['Evidence due', dispute.evidence_due_by],
    ]),
  };
  if (status === 'open') return [{ ...begun, status, meaning: `${begun.meaning} ${DISPUTE_STATUSES.open}` }];
  const changed: Entry = {
    key: `dispute-${id}-change`,
    at: changedAt,
    kind: 'dispute',
    title: `Dispute is ${status.replaceAll('_', ' ')}`,
    status,
    meaning: DISPUTE_STATUSES[status],
    facts: known([['Provider’s id', dispute.provider_dispute_id]]),
  };
  return [begun, changed];
}

/** The operations that a person has settled: from the audit log, or without the person from the operations themselves. */
export function settlementEntries(
  entries: Schema<'AuditEntry'>[] | null,
  operations: Schema<'PaymentOperation'>[],
): Entry[] {
  if (entries !== null) return entries.map(auditedEntry);
  return operations.flatMap(({ id, kind, reason, updated_at: at }) => {
    const [, outcome, why] = /^settled as (\w+): (.*)$/s.exec(reason ?? '') ?? [];
    return outcome === undefined ? [] : [settled({ key: String(id), at, kind, outcome, reason: why ?? '' }, [])];
  });
}

function auditedEntry({ id, at, actor, details }: Schema<'AuditEntry'>): Entry {
  const text = (name: string): string => {
    const value = details[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const amount = Number(text('amount'));
  return settled({ key: String(id), at, kind: text('kind'), outcome: text('outcome'), reason: text('reason') }, [
    ['Settled by', actor.name ?? actor.client_id ?? actor.type],
    ['Amount', text('currency') === '' ? undefined : money(amount, text('currency'))],
    ['Against the provider’s report', text('confirmed') === '' ? undefined : 'confirmed'],
  ]);
}

interface Settled {
  key: string;
  at: string;
  kind: string;
  outcome: string;
  reason: string;
}

const settled = ({ key, at, kind, outcome, reason }: Settled, facts: Parameters<typeof known>[0]): Entry => ({
  key: `settlement-${key}`,
  at,
  kind: 'settlement',
  title: `A person settled the ${kind} as ${outcome}`,
  meaning: reason,
  facts: known(facts),
});
