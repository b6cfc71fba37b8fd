import { type FieldError, isObject, NotificationRefused, type ProviderEvent } from '@payment-orchestrator/provider-kit';
import { isSandboxTime, sandboxDisputeErrors, toReportedDispute } from './dispute.js';

const STATUSES = [
  ...(['processing', 'authorized', 'authorization_expired', 'completed', 'failed', 'cancelled'] as const),
  ...(['refund_pending', 'refunded', 'refund_failed', 'void_failed', 'capture_failed', 'disputed'] as const),
] as const;
const MAX_ID_LENGTH = 255;
const DECLINE_CODE = /^[a-z0-9_]{1,100}$/;
const AMOUNT = /^\d{1,15}(\.\d{1,6})?$/;
const CURRENCY = /^[A-Z]{3}$/;

type Fields = Record<string, unknown>;

/**
 * Reads `{ id, provider_transaction_id | reference, status, amount?, currency?, data? }`, and from the data a
 * `decline_code`. Of an event about a void, a capture or a refund an `operation_id`; `occurred_at?`; with `authorized`
 * a `capture_before?`, and with `disputed` a `dispute`. An amount is decimal text, or a number. Throws
 * `validation_failed`.
 */
export function readSandboxEvent(parsed: unknown): ProviderEvent {
  const fields = requireObject(parsed);
  const status = STATUSES.find((candidate) => candidate === fields['status']);
  const errors = [
    ...idError(fields, 'id'),
    ...matchErrors(fields),
    ...(status === undefined ? [{ field: 'status', message: `must be one of ${STATUSES.join(', ')}` }] : []),
    ...moneyErrors(fields),
    ...(status === 'disputed' ? sandboxDisputeErrors(fields['dispute']) : []),
    ...(fields['operation_id'] === undefined ? [] : idError(fields, 'operation_id')),
    ...timeErrors(fields),
    ...(isObject(fields['data'] ?? {}) ? [] : [{ field: 'data', message: 'must be an object' }]),
  ];
  if (errors.length > 0 || status === undefined) throw new NotificationRefused('validation_failed', { errors });
  const { occurred_at: occurredAt, capture_before: captureBefore } = fields;
  return {
    ...{ id: fields['id'] as string, status, ...detailsOf(fields) },
    ...(occurredAt !== undefined && { occurredAt: new Date(occurredAt as string) }),
    ...(captureBefore !== undefined && { captureBefore: new Date(captureBefore as string) }),
    ...(status === 'disputed' && { dispute: toReportedDispute(fields['dispute']) }),
  };
}

function detailsOf(fields: Fields): Omit<ProviderEvent, 'id' | 'status'> {
  const transactionId = fields['provider_transaction_id'] as string | undefined;
  const { reference, amount, currency } = fields as { reference?: string; amount?: string | number; currency?: string };
  const operationId = fields['operation_id'] as string | undefined;
  const data = (fields['data'] ?? {}) as Record<string, unknown>;
  const declineCode = data['decline_code'];
  return {
    match: { ...(transactionId !== undefined && { transactionId }), ...(reference !== undefined && { reference }) },
    ...(operationId !== undefined && { operationId }),
    ...(amount !== undefined && { amount: String(amount) }),
    ...(currency !== undefined && { currency }),
    ...(typeof declineCode === 'string' && DECLINE_CODE.test(declineCode) && { declineCode }),
    data,
  };
}

function requireObject(parsed: unknown): Fields {
  if (!isObject(parsed)) throw new NotificationRefused('validation_failed', { detail: 'the body must be an object' });
  return parsed;
}

/** Errors if the event has neither of the two ids of a payment, or an invalid one. */
function matchErrors(fields: Fields): FieldError[] {
  const given = ['provider_transaction_id', 'reference'].filter((field) => fields[field] !== undefined);
  return given.length === 0
    ? idError(fields, 'provider_transaction_id')
    : given.flatMap((field) => idError(fields, field));
}

function idError(fields: Fields, field: string): FieldError[] {
  const value = fields[field];
  const isId = typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH;
  return isId ? [] : [{ field, message: `must be a string of 1 to ${MAX_ID_LENGTH} characters` }];
}

const timeErrors = (fields: Fields): FieldError[] =>
  ['occurred_at', 'capture_before']
    .filter((field) => fields[field] !== undefined && !isSandboxTime(fields[field]))
    .map((field) => ({ field, message: 'must be an ISO 8601 time in UTC' }));

function moneyErrors({ amount, currency }: Fields): FieldError[] {
  const isNumeric = typeof amount === 'string' || typeof amount === 'number';
  const isAmount = amount === undefined || (isNumeric && AMOUNT.test(String(amount)));
  const isCurrency = currency === undefined || (typeof currency === 'string' && CURRENCY.test(currency));
  return [
    ...(isAmount ? [] : [{ field: 'amount', message: 'must be a decimal such as "49.90"' }]),
    ...(isCurrency ? [] : [{ field: 'currency', message: 'must be an ISO 4217 code' }]),
  ];
}
