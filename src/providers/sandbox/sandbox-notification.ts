import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJsonBody } from '../../platform/http/body/json-body.js';
import { type FieldError, Problem } from '../../shared/problem.js';
import type { ProviderEvent } from '../payment-provider.js';

const STATUSES = ['processing', 'completed', 'failed', 'cancelled', 'refunded'] as const;
const MAX_ID_LENGTH = 255;
const DECLINE_CODE = /^[a-z0-9_]{1,100}$/;

/** Whether `signature` is the hex HMAC-SHA256 of `body` keyed with `secret`; compared in constant time. */
export function isSignedBy(secret: string, body: Buffer, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(expected.length);
  return timingSafeEqual(expected, given);
}

/** Reads `{ id, provider_transaction_id, status, data? }`, and from the data a `decline_code`. Throws `malformed_json` or `validation_failed`. */
export function parseSandboxNotification(body: Buffer): ProviderEvent {
  const fields = parseObject(body);
  const status = STATUSES.find((candidate) => candidate === fields['status']);
  const data = fields['data'] ?? {};
  const errors: FieldError[] = [
    ...idError(fields, 'id'),
    ...idError(fields, 'provider_transaction_id'),
    ...(status === undefined ? [{ field: 'status', message: `must be one of ${STATUSES.join(', ')}` }] : []),
    ...(isObject(data) ? [] : [{ field: 'data', message: 'must be an object' }]),
  ];
  if (errors.length > 0 || status === undefined) throw new Problem('validation_failed', { errors });
  const declineCode = (data as Record<string, unknown>)['decline_code'];
  return {
    id: fields['id'] as string,
    match: { transactionId: fields['provider_transaction_id'] as string },
    status,
    ...(typeof declineCode === 'string' && DECLINE_CODE.test(declineCode) && { declineCode }),
    data: data as Record<string, unknown>,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseObject(body: Buffer): Record<string, unknown> {
  const parsed = parseJsonBody(body);
  if (!isObject(parsed)) throw new Problem('validation_failed', { detail: 'the body must be an object' });
  return parsed;
}

function idError(fields: Record<string, unknown>, field: string): FieldError[] {
  const value = fields[field];
  const isId = typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH;
  return isId ? [] : [{ field, message: `must be a string of 1 to ${MAX_ID_LENGTH} characters` }];
}
