import {
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
  type FieldError,
  type ReportedDispute,
} from '@payment-orchestrator/provider-kit';

/** The field `dispute` of a sandbox event `disputed`. */
interface SandboxDispute {
  id: string;
  kind: DisputeKind;
  status: DisputeStatus;
  amount: string | number;
  currency: string;
  reason_code?: string;
  network_reason_code?: string;
  evidence_due_by?: string;
  opened_at?: string;
}

const TEXTS = ['reason_code', 'network_reason_code'] as const;
const TIMES = ['evidence_due_by', 'opened_at'] as const;
const MAX_LENGTH = 255;
const AMOUNT = /^\d{1,15}(\.\d{1,6})?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

export const isSandboxTime = (value: unknown): boolean =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));

/** Errors of the field `dispute` of an event `disputed`. */
export function sandboxDisputeErrors(value: unknown): FieldError[] {
  if (typeof value !== 'object' || value === null) return [{ field: 'dispute', message: 'must be an object' }];
  const fields = value as Record<string, unknown>;
  const error = (field: string, isValid: boolean, takes: string): FieldError[] =>
    isValid ? [] : [{ field: `dispute.${field}`, message: `must be ${takes}` }];
  const isText = (field: unknown): boolean => typeof field === 'string' && field !== '' && field.length <= MAX_LENGTH;
  const isOneOf = (values: readonly string[], field: unknown) => values.some((each) => each === field);
  const isNumeric = typeof fields['amount'] === 'string' || typeof fields['amount'] === 'number';
  return [
    ...error('id', isText(fields['id']), `a string of 1 to ${MAX_LENGTH} characters`),
    ...error('kind', isOneOf(DISPUTE_KINDS, fields['kind']), `one of ${DISPUTE_KINDS.join(', ')}`),
    ...error('status', isOneOf(DISPUTE_STATUSES, fields['status']), `one of ${DISPUTE_STATUSES.join(', ')}`),
    ...error('amount', isNumeric && AMOUNT.test(String(fields['amount'])), 'a decimal such as "49.90"'),
    ...error('currency', /^[A-Z]{3}$/.test(String(fields['currency'])), 'an ISO 4217 code'),
    ...TEXTS.flatMap((name) => error(name, fields[name] === undefined || isText(fields[name]), 'a string')),
    ...TIMES.flatMap((name) =>
      error(name, fields[name] === undefined || isSandboxTime(fields[name]), 'an ISO 8601 time in UTC'),
    ),
  ];
}

/** The dispute of an event without errors. */
export function toReportedDispute(value: unknown): ReportedDispute {
  const dispute = value as SandboxDispute;
  const { id, kind, status, amount, currency, evidence_due_by: dueBy, opened_at: openedAt } = dispute;
  return {
    ...{ id, kind, status, currency, amount: String(amount) },
    ...(dispute.reason_code !== undefined && { reasonCode: dispute.reason_code }),
    ...(dispute.network_reason_code !== undefined && { networkReasonCode: dispute.network_reason_code }),
    ...(dueBy !== undefined && { evidenceDueBy: new Date(dueBy) }),
    ...(openedAt !== undefined && { openedAt: new Date(openedAt) }),
  };
}
