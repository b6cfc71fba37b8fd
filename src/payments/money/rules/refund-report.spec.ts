import { describe, expect, it } from '@jest/globals';
import {
  accepted,
  answered,
  charging,
  confirmed,
  operationRow,
  refundAsked,
  refused,
  reported,
  type Row,
  seenAfter,
  type Told,
} from '../../../../test/support/money/builders.js';
import { ordersOf } from '../../../../test/support/orders-of.js';

const { state: paid } = seenAfter(charging(), [answered('captured', { transactionId: 'tx1' })]);
const refunded = (operationId: string | null, amount: string | null = null, fields = {}) =>
  reported('refunded', { operationId, amount, ...fields });
const failed = (operationId: string | null, fields = {}) => reported('refund_failed', { operationId, ...fields });
const pending = (operationId: string, amount: string) => reported('refund_pending', { operationId, amount });
/** A refund of ours that the provider made. */
const made = (amount: string, id: string): Told[] => [refundAsked(amount), confirmed('refund', id)];
/** A refund of ours that the provider has accepted. */
const taken = (amount: string, id: string): Told[] => [refundAsked(amount), accepted('refund', id)];

const THEIRS: Row[] = [
  [
    'of parts: sums decide when the payment is refunded',
    paid,
    [...made('10', 'ours'), refunded('theirs1', '40', { currency: 'EUR' }), refunded('theirs2', '50.00')],
    {
      ...{
        status: 'refunded',
        amounts: [100, 100, 100],
        refunds: ['10 succeeded api', '40 succeeded provider', '50 succeeded provider'],
      },
      history: ['refunded provider_notification'],
    },
  ],
  [
    'without an id or an amount is all that is left',
    paid,
    [refunded(null)],
    { status: 'refunded', refunds: ['100 succeeded provider'] },
  ],
  [
    'counts once',
    paid,
    [refunded('theirs', '15'), refunded('theirs', '15'), pending('theirs', '15')],
    { amounts: [100, 100, 15], verdicts: ['applied', 'ignored status_unchanged', 'ignored status_unchanged'] },
  ],
  [
    'is pending until it succeeds',
    paid,
    [pending('theirs', '15'), refunded('theirs', '15')],
    { amounts: [100, 100, 15], refunds: ['15 succeeded provider'] },
  ],
  [
    'is pending until it fails',
    paid,
    [pending('theirs', '15'), failed('theirs')],
    { amounts: [100, 100, 0], refunds: ['15 failed provider'], verdicts: ['applied', 'alarm refund_failed'] },
  ],
  [
    'leaves less to refund while it is pending',
    paid,
    [pending('theirs', '15'), refundAsked('90')],
    { verdicts: ['applied', 'refund_exceeds_captured'] },
  ],
  [
    'of more than was captured is an alarm',
    paid,
    [refunded('theirs1', '80'), refunded('theirs2', '30')],
    { amounts: [100, 100, 80], verdicts: ['applied', 'alarm other_refund'] },
  ],
  [
    'of another currency is an alarm',
    paid,
    [refunded('theirs', '1', { currency: 'USD' })],
    { amounts: [100, 100, 0], verdicts: ['alarm amount_differs'] },
  ],
  [
    'reported before the failure whose amount it takes is counted after it',
    paid,
    [...made('30', 'ours'), refunded('theirs', '80'), failed('ours')],
    {
      amounts: [100, 100, 80],
      refunds: ['30 failed api', '80 succeeded provider'],
      verdicts: ['granted', 'applied', 'alarm other_refund applied', 'alarm refund_failed'],
    },
  ],
  [
    'waits for a pending refund of ours that may fail, and counts then',
    paid,
    [...taken('40', 'ours'), refunded('theirs', '100'), failed('ours')],
    {
      status: 'refunded',
      refunds: ['40 failed api', '100 succeeded provider'],
      verdicts: ['granted', 'applied', 'waiting payment_is_completed applied', 'applied'],
    },
  ],
  ['that is unknown and fails is an alarm', paid, [failed('theirs')], { verdicts: ['alarm refund_failed'] }],
];

const OURS: Row[] = [
  [
    'takes a report that came before its id',
    paid,
    [refundAsked('10'), refunded('ours', '10'), confirmed('refund', 'ours')],
    {
      refunds: ['10 succeeded api'],
      verdicts: ['granted', 'waiting payment_is_completed ignored status_unchanged', 'applied'],
    },
  ],
  [
    'takes a report that came before its acceptance',
    paid,
    [refundAsked('10'), refunded('ours', '10'), accepted('refund', 'ours')],
    { refunds: ['10 succeeded api'], verdicts: ['granted', 'waiting payment_is_completed applied', 'applied'] },
  ],
  [
    'takes a failure that came before its acceptance',
    paid,
    [refundAsked(), failed('ours'), accepted('refund', 'ours')],
    { status: 'completed', refunds: ['100 failed api'], waiting: 0 },
  ],
  [
    'is not changed by the failure of another',
    paid,
    [refundAsked(), failed('theirs'), confirmed('refund', 'ours')],
    { status: 'refunded', verdicts: ['granted', 'waiting payment_is_completed alarm refund_failed', 'applied'] },
  ],
  [
    'does not refund the payment while another one is pending',
    paid,
    [refundAsked('60'), refundAsked('40'), confirmed('refund')],
    { status: 'completed', amounts: [100, 100, 100], refunds: ['60 pending api', '40 succeeded api'] },
  ],
  [
    'that was confirmed without an id takes the first one that is reported',
    paid,
    [refundAsked('10'), confirmed('refund'), refunded('ours', '10'), refunded('theirs', '10')],
    { amounts: [100, 100, 20], refunds: ['10 succeeded api', '10 succeeded provider'] },
  ],
  [
    'of another amount in a report is an alarm',
    paid,
    [...taken('10', 'ours'), refunded('ours', '11')],
    { verdicts: ['granted', 'applied', 'alarm amount_differs'], refunds: ['10 pending api'] },
  ],
  [
    'that the provider refuses leaves its amount',
    paid,
    [refundAsked('20'), refused('refund'), ...made('100', 're2')],
    { status: 'refunded', refunds: ['20 failed api', '100 succeeded api'] },
  ],
  [
    'that fails after its success makes the payment completed again',
    paid,
    [
      ...made('10', 're1'),
      ...made('90', 're2'),
      failed('re2', { declineCode: 'expired_card' }),
      failed('re2'),
      refunded('re2'),
    ],
    {
      ...{
        status: 'completed',
        amounts: [100, 100, 10],
        history: ['refunded refund_requested', 'completed refund_failed'],
      },
      ...{
        refunds: ['10 succeeded api', '90 failed api'],
        operations: ['charge confirmed', 'refund confirmed 10', 'refund refused 90'],
      },
      verdicts: [
        'granted',
        'applied',
        'granted',
        'applied',
        'alarm refund_failed',
        'ignored refund_failed',
        'ignored refund_failed',
      ],
    },
  ],
  [
    'that has refunded the payment survives a late report of the charge',
    paid,
    [...made('100', 're1'), reported('completed')],
    { status: 'refunded' },
  ],
];

describe('a refund at the provider', () => {
  it.each(THEIRS)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });
});

describe('a refund of ours', () => {
  it.each(OURS)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it.each([
    ['succeeds', [pending('ours', '100'), refunded('ours', '100'), refunded('ours')], 'refunded', '100 succeeded api'],
    [
      'fails',
      [pending('ours', '100'), failed('ours'), failed('ours'), refunded('ours')],
      'completed',
      '100 failed api',
    ],
  ] as const)('%s in any order of its reports and of its answer', (_, reports, status, refund) => {
    for (const order of ordersOf([...reports, accepted('refund', 'ours')])) {
      const seen = seenAfter(paid, [refundAsked(), ...order, ...reports]);
      expect(seen).toMatchObject({ status, refunds: [refund], waiting: 0 });
    }
  });

  it.each(['ours', 'theirs'])('and another one end the same way in any order if %s fails', (which) => {
    const all = [refunded('ours', '60'), refunded('theirs', '40'), failed(which)];
    const ends = ordersOf(all).map((order) => seenAfter(paid, [...taken('60', 'ours'), ...order]));
    for (const { status, amounts, refunds } of ends) {
      expect([status, amounts]).toEqual(['completed', [100, 100, which === 'ours' ? 40 : 60]]);
      expect(refunds).toContain(which === 'ours' ? '60 failed api' : '60 succeeded api');
    }
  });
});

describe('a refunded amount that no refund explains', () => {
  const gone = { ...paid.payment, status: 'refunded', amount_refunded: '100' } as const;
  const old = operationRow({ id: 9, kind: 'refund', cause: 'refund_requested', state: 'confirmed', amount: '60' });

  it.each([
    ['is explained by a report, and counts once', [], '100', '100 succeeded provider'],
    ['is what an operation without a refund has not refunded', [old], '40', '40 succeeded provider'],
  ])('%s', (_, operations, amount, refund) => {
    const start = { ...paid, payment: gone, operations: [...paid.operations, ...operations] };
    const { amounts, refunds, verdicts } = seenAfter(start, [refunded('theirs', amount), refunded('other', amount)]);
    expect([amounts, refunds, verdicts]).toEqual([[100, 100, 100], [refund], ['applied', 'alarm other_refund']]);
  });
});
