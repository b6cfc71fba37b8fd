// The answers of connectors. Text for people is cut; anything else that does not fit makes an answer malformed.
import { z } from 'zod';
import {
  amount,
  card,
  code,
  currency,
  date,
  flag,
  id,
  idOf,
  jsonObject,
  MAX_OBJECT_BYTES,
  nextAction,
  oneOf,
  savedMethod,
  text,
} from './parts.js';

const fieldErrors = z.array(z.object({ field: text, message: text }), { error: 'must be a list of fields' }).max(100);
const metadata = jsonObject(MAX_OBJECT_BYTES).optional();

const chargeFields = { transactionId: id.optional(), metadata, card, savedMethod: savedMethod.optional() };

export const chargeAnswer = z.discriminatedUnion(
  'outcome',
  [
    z.object({ outcome: z.literal('approved'), ...chargeFields }),
    z.object({ outcome: z.literal('authorized'), captureBefore: date, ...chargeFields }),
    z.object({ outcome: z.literal('processing'), nextAction: nextAction.optional(), ...chargeFields }),
    z.object({ outcome: z.enum(['declined', 'soft_declined']), declineCode: code, ...chargeFields }),
    z.object({ outcome: z.literal('unavailable'), reason: text, ...chargeFields }),
  ],
  { error: 'must be approved, authorized, processing, declined, soft_declined or unavailable' },
);

const FOUND = ['open', 'authorized', 'captured', 'voided', 'refunded', 'declined'] as const;

const chargeState = z.object({
  status: oneOf(FOUND),
  transactionId: id,
  amount,
  currency,
  capturedAmount: amount.optional(),
  refundedAmount: amount.optional(),
  captureBefore: date.optional(),
  declineCode: code.optional(),
  nextAction: nextAction.optional(),
  isApproved: flag.optional(),
  metadata,
  savedMethod: savedMethod.optional(),
});

export const providerState = z.discriminatedUnion(
  'status',
  [z.object({ status: z.literal('not_found') }), chargeState.extend({ status: z.enum(FOUND) })],
  { error: `must be not_found, ${FOUND.join(', ')}` },
);

const confirmed = z.object({ outcome: z.literal('confirmed'), operationId: id.optional() });
const pending = z.object({ outcome: z.literal('pending'), operationId: id });
const refused = z.object({
  outcome: z.literal('refused'),
  reason: text,
  code: code.optional(),
  retryable: flag,
  isUnavailable: flag.optional(),
  charge: chargeState.optional(),
  operationId: id.optional(),
});
const notFound = z.object({ outcome: z.literal('not_found') });

export const operationAnswer = z.discriminatedUnion('outcome', [confirmed, pending, refused], {
  error: 'must be confirmed, pending or refused',
});

export const operationState = z.discriminatedUnion('outcome', [confirmed, pending, refused, notFound], {
  error: 'must be confirmed, pending, refused or not_found',
});

export const detachAnswer = z.object({ outcome: oneOf(['confirmed', 'not_found']) });

export const listedCharges = z.object({
  charges: z.array(
    z.object({
      reference: idOf(1_000).nullable(),
      paymentId: z.int({ error: 'must be a whole number' }).nullable(),
      transactionId: id,
      status: oneOf(FOUND),
      amount,
      currency,
      createdAt: date,
    }),
    { error: 'must be a list' },
  ),
  next: z.string({ error: 'must be a text or null' }).nullable(),
});

export const credentialsAnswer = z.discriminatedUnion(
  'outcome',
  [
    z.object({ outcome: z.literal('accepted') }),
    z.object({ outcome: z.literal('refused'), errors: fieldErrors }),
    z.object({ outcome: z.literal('unknown'), reason: text }),
  ],
  { error: 'must be accepted, refused or unknown' },
);

export const accountId = id.nullable();
export const foundReference = id.optional();
