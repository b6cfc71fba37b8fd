import { describe, expect, it } from '@jest/globals';
import type { ReportedDispute } from '@payment-orchestrator/provider-kit';
import {
  answered,
  CANCEL,
  charging,
  confirmed,
  NOW,
  refundAsked,
  reported,
  type Row,
  seenAfter,
  unanswered,
} from '../../../../test/support/money/builders.js';
import type { RefundRequested } from '../state/fact.js';

const OPEN = answered('processing', { transactionId: 'tx1' });
const CHARGED = answered('captured', { transactionId: 'tx1' });
const DECLINED = answered('declined');
const paid = seenAfter(charging(), [CHARGED]).state;

const CANCELS: Row[] = [
  [
    'a pending payment, at once',
    unanswered(),
    [CANCEL],
    { status: 'cancelled', operations: ['charge open', 'void open'], history: ['cancelled cancel_requested'] },
  ],
  [
    'a payment in processing, with its void',
    charging(),
    [OPEN, CANCEL, confirmed('void')],
    { status: 'cancelled', operations: ['charge refused', 'void confirmed'] },
  ],
  [
    'again, with the void under way',
    charging(),
    [OPEN, CANCEL, CANCEL],
    { status: 'processing', operations: ['charge pending', 'void open'], verdicts: ['applied', 'granted', 'granted'] },
  ],
  [
    'a cancelled payment, without effect',
    charging(),
    [OPEN, CANCEL, confirmed('void'), CANCEL],
    { operations: ['charge refused', 'void confirmed'], verdicts: ['applied', 'granted', 'applied', 'granted'] },
  ],
  ['no completed payment', charging(), [CHARGED, CANCEL], { verdicts: ['applied', 'illegal_status_change'] }],
  ['no failed payment', charging(), [DECLINED, CANCEL], { verdicts: ['applied', 'illegal_status_change'] }],
];

const REFUNDS: Row[] = [
  ['of a pending payment', unanswered(), [refundAsked()], { verdicts: ['illegal_status_change'] }],
  ['of a payment in processing', charging(), [OPEN, refundAsked()], { verdicts: ['applied', 'illegal_status_change'] }],
  ['of a failed payment', charging(), [DECLINED, refundAsked()], { verdicts: ['applied', 'illegal_status_change'] }],
  [
    'of more than is left',
    paid,
    [refundAsked('80'), refundAsked('30'), refundAsked('20'), refundAsked('0.01')],
    {
      verdicts: ['granted', 'refund_exceeds_captured', 'granted', 'refund_exceeds_captured'],
      amounts: [100, 100, 100],
    },
  ],
  [
    'of all, again, which continues those under way',
    paid,
    [refundAsked('80'), refundAsked('20'), refundAsked()],
    {
      operations: ['charge confirmed', 'refund open 80', 'refund open 20'],
      verdicts: ['granted', 'granted', 'granted'],
    },
  ],
];

describe('a request to cancel', () => {
  it.each(CANCELS)('cancels %s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });
});

describe('a request to refund', () => {
  it.each(REFUNDS)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  const asked = (amount: string | undefined, fields: Partial<RefundRequested>) => [
    { ...refundAsked(amount), ...fields } as ReturnType<typeof refundAsked>,
  ];
  it.each([
    [asked('10', { canRefundParts: false }), 'validation_failed'],
    [asked('100', { canRefundParts: false }), 'granted'],
    [[...asked('10', {}), ...asked(undefined, { canRefundParts: false })], 'provider_unconfirmed'],
  ])('of a part, at a provider that refunds no parts (%#): %s', (facts, verdict) => {
    expect(seenAfter(paid, facts).verdicts.at(-1)).toBe(verdict);
  });

  it.each<[Partial<ReportedDispute>, amount: string, isConfirmed: boolean, verdict: string]>([
    [{ status: 'open' }, '61', false, 'payment_disputed'],
    [{ status: 'lost' }, '61', false, 'payment_disputed'],
    [{ status: 'accepted' }, '61', false, 'payment_disputed'],
    [{ status: 'lost' }, '60', false, 'granted'],
    [{ status: 'lost' }, '61', true, 'granted'],
    [{ status: 'won' }, '100', false, 'granted'],
    [{ kind: 'inquiry' }, '100', false, 'granted'],
    [{ currency: 'USD' }, '100', false, 'granted'],
  ])('with a dispute of 40 that is %j of %s, confirmed %s: %s', (fields, amount, isConfirmed, verdict) => {
    const dispute = { id: 'd', kind: 'chargeback', status: 'open', amount: '40', currency: 'EUR', ...fields } as const;
    const facts = [reported('disputed', { dispute: { dispute, at: NOW } }), ...asked(amount, { isConfirmed })];
    expect(seenAfter(paid, facts).verdicts).toEqual(['applied', verdict]);
  });
});
