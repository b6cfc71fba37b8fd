import { z } from 'zod';
import { DISPUTE_KINDS, DISPUTE_STATUSES, EVENT_STATUSES } from '../provider-event.js';
import {
  amount,
  code,
  currency,
  date,
  flag,
  id,
  idOf,
  jsonObject,
  MAX_OBJECT_BYTES,
  namedId,
  oneOf,
  savedMethod,
} from './parts.js';

const dispute = z.object(
  {
    id,
    kind: oneOf(DISPUTE_KINDS),
    status: oneOf(DISPUTE_STATUSES),
    isAnnouncement: flag.optional(),
    amount,
    currency,
    reasonCode: id.optional(),
    networkReasonCode: id.optional(),
    evidenceDueBy: date.optional(),
    openedAt: date.optional(),
  },
  { error: 'must be an object' },
);

const eventFields = z.object(
  {
    id: idOf(500),
    match: z.object(
      { transactionId: id.optional(), reference: idOf(1_000).optional() },
      { error: 'must be an object' },
    ),
    status: oneOf(EVENT_STATUSES),
    operationId: id.optional(),
    amount: amount.optional(),
    currency: currency.optional(),
    occurredAt: date.optional(),
    captureBefore: date.optional(),
    dispute: dispute.optional(),
    savedMethod: savedMethod.optional(),
    declineCode: code.optional(),
    data: jsonObject(MAX_OBJECT_BYTES),
  },
  { error: 'must be an object' },
);

const event = eventFields.superRefine((value, context) => {
  for (const [field, message] of faultsOf(value)) context.addIssue({ code: 'custom', path: [field], message });
});

type Facts = Pick<z.infer<typeof eventFields>, 'status' | 'match' | 'dispute'>;

/** Faults that depend on the status, in addition to the types of the fields. */
function faultsOf({ status, match, dispute: reported }: Facts): [string, string][] {
  const faults: [string, string][] = [];
  if (status === 'ignored') return faults;
  if (match.transactionId === undefined && match.reference === undefined)
    faults.push(['match', 'must have a transactionId or a reference']);
  if (status === 'disputed' && reported === undefined) faults.push(['dispute', 'must be present']);
  return faults;
}

export const parsedNotification = z.object(
  {
    events: z.array(event, { error: 'must be a list' }),
    ask: z.array(namedId, { error: 'must be a list' }).optional(),
    acknowledge: z
      .object({
        contentType: z.string({ error: 'must be a text' }).regex(/^[\x20-\x7e]{1,255}$/, {
          error: 'must be a media type',
        }),
        body: z
          .string({ error: 'must be a text' })
          .max(MAX_OBJECT_BYTES, { error: `must be at most ${MAX_OBJECT_BYTES} characters` }),
      })
      .optional(),
  },
  { error: 'must be an object' },
);
