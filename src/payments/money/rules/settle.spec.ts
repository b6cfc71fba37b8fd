import { describe, expect, it } from '@jest/globals';
import {
  answered,
  CANCEL,
  captureAsked,
  charging,
  confirmed,
  lookedUp,
  operationRow,
  refundAsked,
  reported,
  type Row,
  seenAfter,
  settled,
  unanswered,
} from '../../../../test/support/money/builders.js';

const lost = unanswered();
const OPEN = answered('processing', { transactionId: 'tx1' });
const CHARGED = answered('captured', { transactionId: 'tx1' });
const HELD = answered('authorized', { transactionId: 'tx1' });
const voiding = seenAfter(charging(), [OPEN, CANCEL]).state;
const capturing = seenAfter(charging('manual'), [HELD, captureAsked('30')]).state;
const refunding = seenAfter(charging(), [CHARGED, refundAsked('20')]).state;
const reversing = seenAfter(charging(), [CANCEL, CHARGED]).state;
const step = (status: string) => `${status} settled_by_operator`;

const CHARGES: Row[] = [
  [
    'captured',
    lost,
    [settled('charge', 'captured')],
    { amounts: [100, 100, 0], operations: ['charge confirmed'], history: [step('processing'), step('completed')] },
  ],
  [
    'not captured',
    lost,
    [settled('charge', 'not_captured')],
    { amounts: [0, 0, 0], operations: ['charge refused'], history: [step('processing'), step('failed')] },
  ],
  [
    'voided',
    lost,
    [settled('charge', 'voided')],
    { amounts: [0, 0, 0], operations: ['charge refused'], history: [step('cancelled')] },
  ],
  [
    'refunded',
    lost,
    [settled('charge', 'refunded')],
    { amounts: [100, 100, 100], operations: ['charge confirmed'], history: [step('completed'), step('refunded')] },
  ],
  [
    'closed',
    lost,
    [settled('charge', 'captured'), settled('charge', 'captured')],
    { verdicts: ['applied', 'operation_closed'] },
  ],
  [
    'captured with another amount, which the provider reports later',
    lost,
    [
      lookedUp('captured', { amount: '1' }),
      settled('charge', 'captured', '1'),
      reported('completed', { amount: '1.00' }),
    ],
    {
      status: 'completed',
      amounts: [1, 1, 0],
      verdicts: ['alarm amount_differs', 'applied', 'ignored status_unchanged'],
    },
  ],
  [
    'captured after the cancellation, which is refunded',
    lost,
    [CANCEL, settled('charge', 'captured'), confirmed('refund')],
    {
      status: 'cancelled',
      operations: ['charge confirmed', 'void refused', 'refund confirmed'],
      history: ['cancelled cancel_requested', 'cancelled charged_after_end', 'cancelled late_charge_reversed'],
    },
  ],
  [
    'captured after the cancellation, with another amount',
    lost,
    [CANCEL, settled('charge', 'captured', '1')],
    { verdicts: ['granted', 'validation_failed'] },
  ],
  [
    'refunded after the cancellation',
    lost,
    [CANCEL, settled('charge', 'refunded', '1')],
    { status: 'cancelled', operations: ['charge confirmed', 'void confirmed'] },
  ],
  [
    'captured after it was reported',
    charging(),
    [reported('completed', { transactionId: null, reference: 'ref1' }), settled('charge', 'voided')],
    { status: 'completed', verdicts: ['applied', 'illegal_status_change'] },
  ],
  [
    'not captured, and reported as captured later',
    lost,
    [settled('charge', 'not_captured'), reported('completed'), confirmed('refund')],
    { status: 'failed', operations: ['charge refused', 'refund confirmed'] },
  ],
];

const OTHERS: Row[] = [
  [
    'a void as voided',
    voiding,
    [settled('void', 'voided')],
    { status: 'cancelled', operations: ['charge refused', 'void confirmed'] },
  ],
  [
    'a void as captured',
    voiding,
    [settled('void', 'captured')],
    { status: 'completed', operations: ['charge confirmed', 'void refused'] },
  ],
  [
    'a void as not captured',
    voiding,
    [settled('void', 'not_captured')],
    { status: 'processing', operations: ['charge pending', 'void refused'] },
  ],
  [
    'a void as refunded',
    voiding,
    [settled('void', 'refunded')],
    { status: 'refunded', operations: ['charge confirmed', 'void refused'] },
  ],
  [
    'a capture as captured',
    capturing,
    [settled('capture', 'captured')],
    { status: 'completed', amounts: [100, 30, 0], history: [step('processing'), step('completed')].slice(1) },
  ],
  [
    'a capture as captured with another amount',
    capturing,
    [settled('capture', 'captured', '40')],
    { amounts: [100, 40, 0] },
  ],
  [
    'a capture as not captured, which can be captured again',
    capturing,
    [settled('capture', 'not_captured'), captureAsked('20'), confirmed('capture')],
    {
      status: 'completed',
      amounts: [100, 20, 0],
      operations: ['charge confirmed', 'capture refused 30', 'capture confirmed 20'],
    },
  ],
  [
    'a capture as voided',
    capturing,
    [settled('capture', 'voided')],
    { status: 'cancelled', operations: ['charge confirmed', 'capture refused 30'] },
  ],
  [
    'a capture as voided, of which a part is reported later and refunded',
    capturing,
    [settled('capture', 'voided'), reported('completed', { amount: '30', currency: 'EUR' }), confirmed('refund')],
    { status: 'cancelled', operations: ['charge confirmed', 'capture refused 30', 'refund confirmed 30'] },
  ],
  [
    'a refund of a part as refunded',
    refunding,
    [settled('refund', 'refunded', '20', 're1')],
    { status: 'completed', amounts: [100, 100, 20], refunds: ['20 succeeded api'] },
  ],
  [
    'a refund as not refunded, whose amount is left',
    refunding,
    [settled('refund', 'not_refunded')],
    { amounts: [100, 100, 0], refunds: ['20 failed api'], operations: ['charge confirmed', 'refund refused 20'] },
  ],
  [
    'a refund as not refunded, which the provider makes after all',
    refunding,
    [settled('refund', 'not_refunded', '20', 're1'), reported('refunded', { operationId: 're1', amount: '20' })],
    { refunds: ['20 failed api'], verdicts: ['applied', 'alarm other_refund'] },
  ],
  [
    'a reversal as refunded',
    reversing,
    [settled('refund', 'refunded')],
    {
      status: 'cancelled',
      operations: ['charge confirmed', 'void refused', 'refund confirmed'],
      history: ['cancelled late_charge_reversed'],
    },
  ],
];

describe('a charge without an answer that a person settles', () => {
  it.each(CHARGES)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it('gets the transaction id that the person found, unless another payment has it', () => {
    const found = settled('charge', 'captured', '100', 'tx_found');
    expect(seenAfter(lost, [found]).state.payment.provider_transaction_id).toBe('tx_found');
    const { verdicts, status } = seenAfter({ ...lost, takenIds: ['tx_found'] }, [found]);
    expect([verdicts, status]).toEqual([['transaction_id_taken'], 'pending']);
  });

  it('keeps its transaction id', () => {
    const known = seenAfter(charging(), [OPEN]).state;
    expect(seenAfter(known, [settled('charge', 'captured', '100', 'other')]).verdicts).toEqual(['validation_failed']);
  });
});

describe('an operation that a person settles', () => {
  it.each(OTHERS)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it('a refund of all refunds the payment, and keeps its id', () => {
    const all = [CHARGED, refundAsked(), settled('refund', 'refunded', '100', 're1')];
    const { status, history, state } = seenAfter(charging(), all);
    expect([status, history.at(-1)]).toEqual(['refunded', step('refunded')]);
    expect(state.refunds).toMatchObject([{ status: 'succeeded', provider_refund_id: 're1' }]);
  });

  it.each(['charge', 'void'] as const)('a %s as captured leaves a refunded payment refunded', (kind) => {
    const { state } = seenAfter(charging(), [CHARGED, refundAsked(), confirmed('refund')]);
    const forgotten = operationRow({ id: 9, kind, state: 'unknown', is_tried: false });
    const open = { ...state, operations: [...state.operations.filter((row) => row.kind !== kind), forgotten] };
    const { status, amounts, history } = seenAfter(open, [settled(kind, 'captured')]);
    expect([status, amounts, history]).toEqual(['refunded', [100, 100, 100], []]);
  });
});
