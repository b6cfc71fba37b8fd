import { describe, expect, it } from '@jest/globals';
import {
  accepted,
  answered,
  charging,
  chargingSecond,
  confirmed,
  lookedUp,
  refundAsked,
  reported,
  type Row,
  seenAfter,
  type Told,
  unanswered,
} from '../../../../test/support/money/builders.js';

const { state: paid } = seenAfter(charging(), [answered('captured', { transactionId: 'tx1' })]);
/** A refund of ours that the provider made. */
const made = (amount: string, id: string): Told[] => [refundAsked(amount), confirmed('refund', id)];
/** A refund of ours that the provider has accepted. */
const taken = (amount: string, id: string): Told[] => [refundAsked(amount), accepted('refund', id)];

const SUMS: Row[] = [
  [
    'finds a refund at the provider once',
    paid,
    [lookedUp('captured', { refundedAmount: '10' }), lookedUp('captured', { refundedAmount: '10' })],
    { amounts: [100, 100, 10], refunds: ['10 succeeded provider'] },
  ],
  [
    'finds the rest, which refunds the payment',
    paid,
    [lookedUp('captured', { refundedAmount: '10' }), lookedUp('refunded', { refundedAmount: '100' })],
    {
      status: 'refunded',
      refunds: ['10 succeeded provider', '90 succeeded provider'],
      history: ['refunded provider_lookup'],
    },
  ],
  [
    'waits for ours, and finds the other refund then',
    paid,
    [
      ...taken('10', 'ours'),
      lookedUp('captured', { refundedAmount: '25' }),
      confirmed('refund', 'ours'),
      lookedUp('captured', { refundedAmount: '25' }),
    ],
    {
      refunds: ['10 succeeded api', '15 succeeded provider'],
      verdicts: ['granted', 'applied', 'waiting payment_is_completed', 'applied', 'applied'],
    },
  ],
  [
    'of less than was refunded is an alarm',
    paid,
    [...made('10', 're1'), lookedUp('captured', { refundedAmount: '0' })],
    { amounts: [100, 100, 10], verdicts: ['granted', 'applied', 'alarm refund_failed'] },
  ],
  [
    'that was read before a refund of ours says nothing',
    paid,
    [
      ...made('10', 're1'),
      { about: 'charge', source: 'look_up', attempt: 1, status: 'captured', refunded: '0', counted: '0' },
    ],
    { verdicts: ['granted', 'applied', 'waiting payment_is_completed'] },
  ],
];

describe('the sum of refunds in a look-up', () => {
  it.each(SUMS)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it('counts parts once that were reported before the charge was found', () => {
    const part = (id: string) => reported('refunded', { amount: '20', operationId: id });
    const seen = seenAfter(unanswered(), [part('re1'), part('re2'), lookedUp('captured', { refundedAmount: '40' })]);
    expect(seen).toMatchObject({
      amounts: [100, 100, 40],
      refunds: ['20 succeeded provider', '20 succeeded provider'],
    });
  });

  it('counts although a refund of another charge waits', () => {
    const before = reported('refunded', { amount: '100', operationId: 're1' });
    const seen = seenAfter(chargingSecond(), [before, lookedUp('captured', { refundedAmount: '100' }, 2)]);
    expect(seen).toMatchObject({ status: 'refunded', refunds: ['100 succeeded provider'] });
  });

  it('raises one alarm for any number of look-ups', () => {
    const missing = lookedUp('captured', { refundedAmount: '0' });
    expect(seenAfter(paid, [...made('10', 're1'), missing, missing]).state.alarms).toHaveLength(1);
  });
});
