import { describe, expect, it } from '@jest/globals';
import {
  answered,
  CANCEL,
  charging,
  chargingSecond,
  early,
  NOW,
  reported,
  type Row,
  seenAfter,
} from '../../../test/support/money/builders.js';
import { ordersOf } from '../../../test/support/orders-of.js';
import { decideWaiting } from './decide.js';

const OPEN = answered('processing', { transactionId: 'tx1' });
const CHARGED = answered('captured', { transactionId: 'tx1' });
const byReference = { transactionId: null, reference: 'ref1' };

const EARLY: Row[] = [
  [
    'is applied with the answer that has its transaction id',
    charging(),
    [early(reported('completed')), OPEN],
    { status: 'completed', verdicts: ['waiting unknown_payment applied', 'applied'], waiting: 0 },
  ],
  [
    'is applied with the report that has its transaction id',
    charging(),
    [early(reported('refunded')), reported('completed', { reference: 'ref1' })],
    { status: 'refunded', waiting: 0 },
  ],
  [
    'is applied with the answer after a report without its transaction id',
    charging(),
    [early(reported('refunded')), reported('completed', byReference), CHARGED],
    { status: 'refunded', waiting: 0 },
  ],
  [
    'is applied after those that make it legal, in any order',
    charging(),
    [early(reported('refunded')), early(reported('completed')), early(reported('processing')), OPEN],
    { status: 'refunded', waiting: 0 },
  ],
  [
    'waits for another payment',
    charging(),
    [early(reported('completed')), reported('completed', byReference)],
    { status: 'completed', waiting: 1 },
  ],
  [
    'waits for its own transaction id',
    charging(),
    [early(reported('completed')), early(reported('completed', { transactionId: 'tx9' })), OPEN],
    { status: 'completed', waiting: 1 },
  ],
  [
    'is reversed if the payment was cancelled',
    charging(),
    [early(reported('completed')), CANCEL, OPEN],
    { status: 'cancelled', operations: ['charge confirmed', 'void refused', 'refund open'], waiting: 0 },
  ],
];

const WAITING: Row[] = [
  ...(['processing', 'failed', 'cancelled'] as const).map((status): Row => [
    `${status} waits for the answer`,
    charging(),
    [reported(status, byReference), OPEN],
    {
      status,
      waiting: 0,
      verdicts: [
        status === 'processing'
          ? 'waiting payment_is_pending ignored status_unchanged'
          : 'waiting payment_is_pending applied',
        'applied',
      ],
    },
  ]),
  [
    'a refund waits for the capture',
    charging(),
    [OPEN, reported('refunded'), reported('completed')],
    { status: 'refunded', waiting: 0 },
  ],
  [
    'a failure of the first shop does not end the payment at the second',
    chargingSecond(),
    [reported('failed')],
    { status: 'pending', verdicts: ['ignored attempt_superseded'] },
  ],
];

describe('a report of an unknown transaction', () => {
  it.each(EARLY)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });
});

describe('a report that is not legal yet', () => {
  it.each(WAITING)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it.each([
    ['refunded', 'open', { outcome: 'ignored', reason: 'payment_is_processing' }],
    ['refunded', 'charged', { outcome: 'alarm', reason: 'other_refund' }],
    ['refund_failed', 'charged', { outcome: 'alarm', reason: 'refund_failed' }],
  ] as const)('%s of a charge that is %s ends after three days', (status, is, verdict) => {
    const asked = {
      about: 'request',
      what: 'refund',
      amount: '10',
      canRefundParts: true,
      isConfirmed: false,
      isRest: false,
      fields: {},
    } as const;
    const before = is === 'open' ? [OPEN] : [CHARGED, asked];
    const { state } = seenAfter(charging(), [...before, reported(status, { operationId: 'other', amount: '10' })]);
    const old = { ...state, waiting: state.waiting.map((each) => ({ ...each, isTimedOut: true })) };
    const { effects } = decideWaiting(old, { now: NOW, chargeLeaseMs: 0 });
    expect(effects.at(-1)).toMatchObject({ do: 'settle_waiting', verdict });
  });
});

describe('all reports of a payment and the answer to its charge', () => {
  const full = { amount: '100', currency: 'EUR' };
  const each = (status: 'processing' | 'completed' | 'refunded' | 'failed') => [
    early(reported(status, full)),
    reported(status, { ...full, reference: 'ref1' }),
    reported(status, { ...full, ...byReference }),
  ];

  it.each([
    ['processing', 'completed', 'refunded'],
    ['completed', 'refunded', 'refunded'],
  ] as const)('end refunded in any order and number: %s, %s, %s', (...statuses) => {
    for (const answer of [CHARGED, OPEN]) {
      for (const order of ordersOf([0, 1, 2, 3])) {
        for (const found of [0, 1, 2]) {
          const facts = order.map((at) => (at === 3 ? answer : each(statuses[at]!)[found]!));
          const repeats = facts.filter((fact) => fact !== answer && !('early' in fact));
          const { status, waiting, operations } = seenAfter(charging(), [...facts, ...repeats]);
          expect([status, operations, waiting]).toEqual(['refunded', ['charge confirmed'], 0]);
        }
      }
    }
  });

  it('end failed in any order', () => {
    for (const order of ordersOf([OPEN, ...each('processing').slice(1), ...each('failed').slice(1)])) {
      const { status, waiting, operations } = seenAfter(charging(), order);
      expect([status, operations, waiting]).toEqual(['failed', ['charge refused'], 0]);
    }
  });
});
