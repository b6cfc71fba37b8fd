import { describe, expect, it } from '@jest/globals';
import {
  accepted,
  answered,
  CANCEL,
  charging,
  confirmed,
  lookedUp,
  operated,
  refundAsked,
  refused,
  reported,
  type Row,
  seenAfter,
  type Told,
} from '../../../../test/support/money/builders.js';

const OPEN = answered('processing', { transactionId: 'tx1' });
const CHARGED = answered('captured', { transactionId: 'tx1' });
const paid = seenAfter(charging(), [CHARGED]).state;
const reversing = seenAfter(charging(), [CANCEL, CHARGED]).state;
const cancelling = seenAfter(charging(), [OPEN, CANCEL]).state;
/** The client repeats its request: the key is called again. */
const AGAIN = refundAsked();
const unavailable = (kind: 'refund' | 'void'): Told => refused(kind, { isUnavailable: true });
const EARLY = { isTooEarly: true };
const REFUSED = { outcome: 'refused', reason: 'captured' } as const;
const voidFailed = reported('void_failed');
const refundFailed = reported('refund_failed');

const RESULTS: Row[] = [
  [
    'unavailable for the only call of a refund: it is refused',
    paid,
    [refundAsked(), unavailable('refund'), ...[refundAsked(), confirmed('refund')]],
    { status: 'refunded', operations: ['charge confirmed', 'refund refused', 'refund confirmed'] },
  ],
  [
    'unavailable after another call: the outcome stays unknown',
    paid,
    [refundAsked(), AGAIN, unavailable('refund'), confirmed('refund')],
    { status: 'refunded', operations: ['charge confirmed', 'refund confirmed'] },
  ],
  [
    'refused for a merchant’s void: the payment stays',
    cancelling,
    [refused('void')],
    { status: 'processing', operations: ['charge pending', 'void refused'] },
  ],
  [
    'refused because the charge was captured: the payment is completed',
    cancelling,
    [operated('void', REFUSED, lookedUp('captured'))],
    { status: 'completed', operations: ['charge confirmed', 'void refused'] },
  ],
  [
    'refused for the void of a cancelled payment: requested again',
    charging(),
    [CANCEL, refused('void'), confirmed('void')],
    { status: 'cancelled', operations: ['charge refused', 'void confirmed'] },
  ],
  [
    'too early for a merchant’s refund, before the capture: sent again under another key, and the refund stays pending',
    paid,
    [refundAsked(), refused('refund', EARLY), refused('refund', EARLY), confirmed('refund')],
    { status: 'refunded', operations: ['charge confirmed', 'refund confirmed'], refunds: ['100 succeeded api'] },
  ],
  [
    'too early for a refund whose authorisation then lapses: refused',
    paid,
    [refundAsked(), refused('refund', EARLY), refused('refund')],
    { status: 'completed', operations: ['charge confirmed', 'refund refused'], refunds: ['100 failed api'] },
  ],
  [
    'too early for a merchant’s void, while the payer acts: the payment stays',
    cancelling,
    [refused('void', EARLY)],
    { status: 'processing', operations: ['charge pending', 'void refused'] },
  ],
  [
    'too early for the void of a cancelled payment: sent again until the payment has ended at the provider',
    charging(),
    [CANCEL, refused('void', EARLY), refused('void', EARLY), lookedUp('declined')],
    { status: 'cancelled', operations: ['charge refused', 'void confirmed'] },
  ],
  [
    'too early for the void of a cancelled payment whose payer pays after all: refunded',
    charging(),
    [CANCEL, refused('void', EARLY), CHARGED],
    { status: 'cancelled', operations: ['charge confirmed', 'void refused', 'refund open'] },
  ],
  [
    'for a closed operation: ignored',
    paid,
    [refundAsked(), confirmed('refund'), refused('refund')],
    { status: 'refunded', verdicts: ['granted', 'applied', 'ignored status_unchanged'] },
  ],
  [
    'accepted, again: ignored',
    paid,
    [refundAsked(), accepted('refund', 're1'), accepted('refund', 're1')],
    { verdicts: ['granted', 'applied', 'ignored status_unchanged'] },
  ],
];

const FAILURES: Row[] = [
  [
    'a merchant’s refund is refused, and can be requested again',
    paid,
    [refundAsked(), accepted('refund', 're1'), reported('refund_failed', { operationId: 're1' }), refundAsked()],
    { operations: ['charge confirmed', 'refund refused', 'refund open'] },
  ],
  [
    'a merchant’s void is refused',
    cancelling,
    [accepted('void', 'v1'), voidFailed],
    {
      status: 'processing',
      operations: ['charge pending', 'void refused'],
      verdicts: ['applied', 'alarm void_failed'],
    },
  ],
  [
    'another void changes nothing',
    cancelling,
    [accepted('void', 'v1'), reported('void_failed', { operationId: 'other' })],
    { operations: ['charge pending', 'void pending'], verdicts: ['applied', 'alarm void_failed'] },
  ],
  [
    'waits for the id of a void',
    cancelling,
    [reported('void_failed', { operationId: 'v1' }), accepted('void', 'v1')],
    { operations: ['charge pending', 'void refused'], waiting: 0 },
  ],
  [
    'the void of a cancelled payment is requested again',
    charging(),
    [CANCEL, accepted('void', 'v1'), voidFailed],
    { operations: ['charge open', 'void open'], verdicts: ['granted', 'applied', 'alarm void_failed'] },
  ],
  [
    'a reversal is requested again',
    reversing,
    [accepted('refund', 're1'), refundFailed],
    { operations: ['charge confirmed', 'void refused', 'refund open'], verdicts: ['applied', 'alarm refund_failed'] },
  ],
  [
    'a reversal that was confirmed stays',
    reversing,
    [confirmed('refund', 're1'), refundFailed],
    {
      operations: ['charge confirmed', 'void refused', 'refund confirmed'],
      verdicts: ['applied', 'alarm refund_failed'],
    },
  ],
];

describe('the answer to an operation', () => {
  it.each(RESULTS)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it('under an earlier key changes nothing', () => {
    const { id: operation, idempotency_key: key } = reversing.operations.at(-1)!;
    const late: Told = {
      about: 'operation',
      operation,
      key,
      lastAnswer: 'confirmed',
      result: { outcome: 'confirmed' },
    };
    const { verdicts, operations } = seenAfter(reversing, [refused('refund'), late]);
    expect([verdicts, operations.at(-1)]).toEqual([['applied', 'ignored status_unchanged'], 'refund open']);
  });

  it.each([
    [[unavailable('refund')], true],
    [[refused('refund')], true],
    [[refundFailed], true],
    [[unavailable('void')], false],
  ])('of a reversal changes its key after %#', (facts, isChanged) => {
    const keyOf = (state: typeof reversing) => state.operations.at(-1)!.idempotency_key;
    expect(keyOf(seenAfter(reversing, facts).state) !== keyOf(reversing)).toBe(isChanged);
  });
});

describe('the report that an operation failed', () => {
  it.each(FAILURES)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });
});
