import { describe, expect, it } from '@jest/globals';
import {
  accepted,
  answered,
  CANCEL,
  captureAsked,
  charging,
  confirmed,
  lookedUp,
  NOW,
  operated,
  operationRow,
  refused,
  reported,
  type Row,
  seenAfter,
  unanswered,
} from '../../../test/support/money/builders.js';

const HELD = answered('authorized', { transactionId: 'tx1', captureBefore: NOW });
const manual = charging('manual');
const done = (captured: number) => ({ status: 'completed', amounts: [100, captured, 0] });
const held = { status: 'processing', amounts: [100, 0, 0] };
const NOT_NOW = { outcome: 'refused', reason: 'not_now' } as const;

/** An authorisation that has lapsed, and is voided. */
const lapsed = (() => {
  const { state } = seenAfter(manual, [HELD]);
  const voided = operationRow({ id: 2, kind: 'void', cause: 'authorization_expired' });
  return { ...state, operations: [...state.operations, voided] };
})();

const CAPTURES: Row[] = [
  [
    'of all',
    manual,
    [HELD, captureAsked(), confirmed('capture')],
    { ...done(100), history: ['processing provider_answer', 'completed capture_requested'] },
  ],
  [
    'of a part',
    manual,
    [HELD, captureAsked('30'), confirmed('capture')],
    { ...done(30), operations: ['charge confirmed', 'capture confirmed 30'] },
  ],
  [
    'that was made, asked again',
    manual,
    [HELD, captureAsked('30'), confirmed('capture'), captureAsked('30'), captureAsked('10'), captureAsked()],
    {
      ...done(30),
      verdicts: ['applied', 'granted', 'applied', 'granted', 'capture_already_made', 'capture_already_made'],
    },
  ],
  [
    'of more than is held',
    manual,
    [HELD, captureAsked('101')],
    { ...held, verdicts: ['applied', 'validation_failed'] },
  ],
  ['of an unanswered charge', manual, [captureAsked()], { verdicts: ['illegal_status_change'] }],
  [
    'of a captured charge',
    charging(),
    [answered('captured'), captureAsked()],
    { verdicts: ['applied', 'illegal_status_change'] },
  ],
  [
    'during a cancellation',
    manual,
    [HELD, CANCEL, captureAsked()],
    { ...held, verdicts: ['applied', 'granted', 'illegal_status_change'] },
  ],
  [
    'during which the payment is to be cancelled',
    manual,
    [HELD, captureAsked('30'), CANCEL],
    { ...held, verdicts: ['applied', 'granted', 'illegal_status_change'] },
  ],
  [
    'after a refused one',
    manual,
    [HELD, captureAsked('30'), refused('capture'), captureAsked('20'), confirmed('capture')],
    { ...done(20), operations: ['charge confirmed', 'capture refused 30', 'capture confirmed 20'] },
  ],
  ...(
    [
      [lookedUp('captured', { capturedAmount: '12' }), done(12)],
      [lookedUp('captured'), done(100)],
      [lookedUp('voided'), { status: 'cancelled' }],
    ] as const
  ).map(([shown, seen], index): Row => [
    `that is refused because the charge is otherwise at the provider (${index})`,
    manual,
    [HELD, captureAsked('30'), operated('capture', NOT_NOW, shown)],
    { ...seen, operations: ['charge confirmed', 'capture refused 30'] },
  ]),
  ...['30.00', null].map((amount): Row => [
    `that is accepted, and reported with the amount ${amount}`,
    manual,
    [HELD, captureAsked('30'), accepted('capture', 'cap1'), reported('completed', { amount })],
    { ...done(30), operations: ['charge confirmed', 'capture confirmed 30'] },
  ]),
  [
    'that is accepted stays so when another one fails',
    manual,
    [HELD, captureAsked('30'), accepted('capture', 'cap1'), reported('capture_failed', { operationId: 'other' })],
    { ...held, operations: ['charge confirmed', 'capture pending 30'] },
  ],
  [
    'that fails after it was accepted and another one failed',
    manual,
    [
      HELD,
      captureAsked('30'),
      accepted('capture', 'cap1'),
      reported('capture_failed', { operationId: 'other' }),
      reported('capture_failed', { operationId: 'cap1' }),
    ],
    {
      ...held,
      operations: ['charge confirmed', 'capture refused 30'],
      verdicts: ['applied', 'granted', 'applied', 'alarm capture_failed', 'alarm capture_failed'],
    },
  ],
];

const AUTHORISATIONS: Row[] = [
  [
    'is reported before the answer',
    manual,
    [answered('processing'), reported('authorized', { amount: '100.00' })],
    { ...held, operations: ['charge confirmed'] },
  ],
  [
    'of another amount is an alarm',
    manual,
    [answered('processing'), reported('authorized', { amount: '99' })],
    { amounts: [0, 0, 0], verdicts: ['applied', 'alarm amount_differs'] },
  ],
  [
    'is found, and not taken for a charge',
    unanswered('manual'),
    [lookedUp('authorized', { captureBefore: NOW })],
    { ...held, operations: ['charge confirmed'] },
  ],
  [
    'is captured in part at the provider',
    manual,
    [HELD, reported('completed', { amount: '12.50', currency: 'EUR' })],
    { ...done(12.5), verdicts: ['applied', 'applied'] },
  ],
  ...['10', '100'].map((amount): Row => [
    `that was captured is an alarm if the provider reports ${amount}`,
    manual,
    [
      HELD,
      captureAsked('12.5'),
      confirmed('capture'),
      reported('completed', { amount: '12.50' }),
      reported('completed', { amount }),
    ],
    { ...done(12.5), verdicts: ['applied', 'granted', 'applied', 'ignored status_unchanged', 'alarm amount_differs'] },
  ]),
  [
    'stays through a failure that is reported late',
    manual,
    [HELD, reported('failed')],
    { ...held, verdicts: ['applied', 'ignored payment_is_processing'] },
  ],
  [
    'is released',
    manual,
    [HELD, CANCEL, confirmed('void')],
    { status: 'cancelled', history: ['processing provider_answer', 'cancelled cancel_requested'] },
  ],
  [
    'is reported as lapsed',
    manual,
    [HELD, reported('authorization_expired')],
    { status: 'cancelled', history: ['processing provider_answer', 'cancelled authorization_expired'] },
  ],
  [
    'is reported as cancelled',
    manual,
    [HELD, reported('cancelled')],
    { history: ['processing provider_answer', 'cancelled provider_notification'] },
  ],
  ['lapses', lapsed, [confirmed('void')], { status: 'cancelled', history: ['cancelled authorization_expired'] }],
  [
    'is voided under another key while the provider refuses',
    lapsed,
    [refused('void'), confirmed('void')],
    { status: 'cancelled', operations: ['charge confirmed', 'void confirmed'] },
  ],
  [
    'lapses after it was captured at the provider',
    lapsed,
    [operated('void', NOT_NOW, lookedUp('captured', { capturedAmount: '7' }))],
    { ...done(7), operations: ['charge confirmed', 'void refused'] },
  ],
];

describe('a capture', () => {
  it.each(CAPTURES)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it('of a part is refused at a provider that captures no parts', () => {
    const parts = { about: 'request', what: 'capture', canCaptureParts: false } as const;
    const { verdicts } = seenAfter(manual, [HELD, { ...parts, amount: '30' }, { ...parts, amount: '100' }]);
    expect(verdicts).toEqual(['applied', 'validation_failed', 'granted']);
  });
});

describe('an authorisation', () => {
  it.each(AUTHORISATIONS)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });

  it('shows until when it can be captured, and no longer once it was', () => {
    const [before, after] = [[HELD], [HELD, captureAsked(), confirmed('capture')]].map((facts) =>
      seenAfter(manual, facts),
    );
    expect([before!.state.payment.capture_before, after!.state.payment.capture_before]).toEqual([NOW, null]);
  });
});
