import { Problem } from '../../shared/problem.js';

/** The request header, as the API's document shows it. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'Up to 255 characters, kept for 24 h. A repeat gets the first answer, with the header Idempotent-Replayed: true.',
  schema: { type: 'string' as const, pattern: '^[\\x21-\\x7e]{1,255}$', example: 'order-A-1001' },
};

/** The header of an answer to a repeat. */
export const IDEMPOTENT_REPLAYED = {
  'Idempotent-Replayed': {
    description: '`true`: this is the answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

/** Throws `malformed_request` for a key that is not printable ASCII. */
export function requireIdempotencyKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return;
  const message = 'must be 1 to 255 printable ASCII characters without spaces';
  throw new Problem('malformed_request', {
    detail: `Idempotency-Key: ${message}`,
    errors: [{ field: 'Idempotency-Key', message }],
  });
}
