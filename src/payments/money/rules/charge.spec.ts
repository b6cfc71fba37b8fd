import { describe, expect, it } from '@jest/globals';
import {
  answered,
  CANCEL,
  charging,
  lookedUp,
  reported,
  type Row,
  seenAfter,
  unanswered,
} from '../../../../test/support/money/builders.js';

const OPEN = answered('processing', { transactionId: 'tx1' });
const CHARGED = answered('captured', { transactionId: 'tx1' });
const PAID = [100, 100, 0];

const REPORTS: Row[] = [
  [
    'an overtaking success',
    charging(),
    [reported('completed'), CHARGED],
    { status: 'completed', history: ['completed provider_notification'] },
  ],
  [
    'a success in another format',
    unanswered(),
    [reported('completed', { amount: '100.00', currency: 'eur' })],
    { status: 'completed' },
  ],
  [
    'an authorisation of an automatic charge',
    charging(),
    [OPEN, reported('authorized', { amount: '100' })],
    { status: 'completed', amounts: PAID },
  ],
  ['a failure', charging(), [OPEN, reported('failed')], { status: 'failed', operations: ['charge refused'] }],
  [
    'a cancellation',
    charging(),
    [OPEN, reported('cancelled')],
    { status: 'cancelled', operations: ['charge refused'] },
  ],
  ['no news', charging(), [OPEN, reported('processing')], { verdicts: ['applied', 'ignored status_unchanged'] }],
  [
    'a failure while the call is answered',
    charging(),
    [reported('failed'), answered('declined')],
    { status: 'failed', verdicts: ['waiting payment_is_pending ignored status_unchanged', 'applied'] },
  ],
  [
    'a failure before an answer that contradicts it',
    charging(),
    [reported('failed'), CHARGED],
    { status: 'completed', verdicts: ['waiting payment_is_pending ignored payment_is_completed', 'applied'] },
  ],
  [
    'a success before an answer that contradicts it',
    charging(),
    [reported('completed'), answered('declined')],
    { status: 'completed', operations: ['charge confirmed'], verdicts: ['applied', 'ignored payment_is_completed'] },
  ],
  [
    'everything after a refund',
    charging(),
    [
      CHARGED,
      reported('refunded'),
      ...(['processing', 'failed', 'completed', 'refunded'] as const).map((each) => reported(each)),
    ],
    {
      status: 'refunded',
      verdicts: [
        ...[
          'applied',
          'applied',
          'ignored payment_is_refunded',
          'ignored payment_is_refunded',
          'ignored payment_is_refunded',
        ],
        'ignored status_unchanged',
      ],
    },
  ],
  [
    'a refund before the success, which comes before the answer',
    charging(),
    [reported('refunded'), reported('completed'), CHARGED],
    {
      status: 'refunded',
      verdicts: ['waiting payment_is_pending applied', 'applied', 'ignored payment_is_refunded'],
      waiting: 0,
    },
  ],
  [
    'a failed void without a void',
    charging(),
    [CHARGED, reported('void_failed')],
    { verdicts: ['applied', 'alarm void_failed'] },
  ],
  [
    'a failed capture without a capture',
    charging(),
    [CHARGED, reported('capture_failed')],
    { verdicts: ['applied', 'alarm capture_failed'] },
  ],
  [
    'a cancellation of a completed payment',
    charging(),
    [CHARGED, reported('cancelled')],
    { status: 'completed', verdicts: ['applied', 'alarm capture_failed'] },
  ],
];

const OTHER_AMOUNTS = [
  { amount: '100.01' },
  { amount: '10000' },
  { currency: 'USD' },
  { amount: '100', currency: 'JPY' },
];

const LOOK_UPS: Row[] = [
  [
    'captured',
    unanswered(),
    [lookedUp('captured')],
    { status: 'completed', amounts: PAID, operations: ['charge confirmed'] },
  ],
  ['declined', unanswered(), [lookedUp('declined')], { status: 'failed', operations: ['charge refused'] }],
  ['voided', unanswered(), [lookedUp('voided')], { status: 'cancelled', operations: ['charge refused'] }],
  [
    'refunded',
    unanswered(),
    [lookedUp('refunded')],
    { status: 'refunded', amounts: [100, 100, 100], refunds: ['100 succeeded provider'] },
  ],
  ['open', unanswered(), [lookedUp('open')], { status: 'processing', operations: ['charge pending'] }],
  [
    'authorised, of an automatic charge',
    unanswered(),
    [lookedUp('authorized')],
    { status: 'processing', amounts: [0, 0, 0] },
  ],
  ['not found', unanswered(), [lookedUp('not_found')], { status: 'pending', operations: ['charge open'] }],
  [
    'declined while the call is answered',
    charging(),
    [lookedUp('declined')],
    { status: 'pending', verdicts: ['waiting payment_is_pending'] },
  ],
  [
    'not found, of a charged payment',
    charging(),
    [CHARGED, lookedUp('not_found')],
    { status: 'completed', operations: ['charge confirmed'] },
  ],
];

describe('a charge', () => {
  it.each(REPORTS)('follows its reports: %s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it.each(OTHER_AMOUNTS)('of %j in a report is an alarm, and its tries stop', (money) => {
    const { status, verdicts, state } = seenAfter(charging(), [OPEN, reported('completed', money)]);
    expect([status, verdicts.at(-1)]).toEqual(['processing', 'alarm amount_differs']);
    expect(state.operations).toMatchObject([{ state: 'unknown', is_tried: false }]);
  });

  it.each([{ amount: '1' }, { currency: 'USD' }])('of %j in a look-up completes nothing and stays visible', (money) => {
    const { status, verdicts, state } = seenAfter(unanswered(), [
      lookedUp('captured', money),
      lookedUp('captured', money),
    ]);
    expect([status, verdicts]).toEqual(['pending', ['alarm amount_differs', 'alarm amount_differs']]);
    expect(state.operations).toMatchObject([{ is_tried: false, reason: expect.stringContaining('amount_mismatch') }]);
    expect(state.alarms).toHaveLength(1);
  });

  it.each(LOOK_UPS)('follows its state at the provider: %s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it('keeps the cause of our void that a look-up finds done', () => {
    const { history } = seenAfter(unanswered(), [OPEN, CANCEL, lookedUp('voided')]);
    expect(history.at(-1)).toBe('cancelled cancel_requested');
  });

  it('keeps the transaction id and the metadata of an answer that came after a report', () => {
    const answer = { ...CHARGED, metadata: { seen: 1 } };
    const { payment } = seenAfter(charging(), [
      reported('completed', { transactionId: null, reference: 'ref1' }),
      answer,
    ]).state;
    expect(payment).toMatchObject({ provider_transaction_id: 'tx1', provider_metadata: { seen: 1 } });
  });
});
