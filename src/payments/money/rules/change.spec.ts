import { describe, expect, it } from '@jest/globals';
import {
  answered,
  attemptRow,
  CANCEL,
  charging,
  confirmed,
  NOW,
  paymentRow,
  reported,
  seenAfter,
  type Told,
} from '../../../../test/support/money/builders.js';
import type { NextAction } from '@payment-orchestrator/provider-kit';
import { newState } from '../state/state.js';

const CHARGED = answered('captured', { transactionId: 'tx1' });

describe('the payer’s step', () => {
  const step = (name: string) => ({ type: 'provider_action', provider: 'p1', data: { step: name } }) as const;
  const [FIRST, SECOND] = [step('fingerprint'), step('challenge')];
  const first = answered('processing', { transactionId: 'tx1', nextAction: FIRST });
  const done = answered('processing', { completedAction: FIRST, nextAction: SECOND });

  const second = answered('processing', { completedAction: SECOND });
  it.each<[string, Told[], NextAction | null]>([
    ['is asked for', [first], FIRST],
    ['is replaced by the next one', [first, done], SECOND],
    ['is over when it is done', [first, done, second], null],
    ['does not come back with a slower repeat of the one before', [first, done, second, done], null],
    ['is over when the payment is completed', [first, answered('captured')], null],
    ['is over when the payment is cancelled', [first, CANCEL, confirmed('void')], null],
  ])('%s', (_, facts, action) => {
    expect(seenAfter(charging(), facts).state.payment.next_action).toEqual(action);
  });

  it('that is completed after the cancellation is reversed', () => {
    const { status, operations } = seenAfter(charging(), [
      first,
      CANCEL,
      confirmed('void'),
      { ...CHARGED, completedAction: FIRST },
    ]);
    expect([status, operations]).toEqual(['cancelled', ['charge refused', 'void confirmed', 'refund open']]);
  });

  it('authorises a manual payment, also when it is repeated', () => {
    const held = answered('authorized', { completedAction: FIRST });
    expect(seenAfter(charging('manual'), [first, held, held])).toMatchObject({
      status: 'processing',
      amounts: [100, 0, 0],
    });
  });
});

describe('a failed payment', () => {
  const unusable = 'payment_method_unusable';
  it.each([
    [['issuer_unavailable', unusable], 'issuer_unavailable'],
    [['issuer_unavailable', unusable, unusable], 'issuer_unavailable'],
    [[unusable, 'issuer_unavailable', unusable], 'issuer_unavailable'],
    [[unusable, 'card_declined'], 'card_declined'],
    [[unusable, unusable], unusable],
  ] as const)('takes a reason of the payer if there is one: %j', (codes, reason) => {
    const attempts = codes.map((code, index) =>
      attemptRow(index + 1, { outcome: 'soft_declined', decline_code: code }),
    );
    const [number, declineCode] = [codes.length, codes.at(-1)!];
    const last = { ...attempts.at(-1)!, outcome: null, decline_code: null };
    const start = { ...newState(paymentRow({ attempt: number })), attempts: [...attempts.slice(0, -1), last] };
    const end = { number, outcome: 'soft_declined', declineCode } as const;
    const { state, status } = seenAfter(start, [answered('declined', { attempt: number, end })]);
    expect([status, state.payment.provider_metadata]).toEqual(['failed', { decline_code: reason }]);
  });

  it('of an unavailable provider was not in processing', () => {
    const end = { number: 1, outcome: 'unavailable', declineCode: null } as const;
    expect(seenAfter(charging(), [answered('declined', { end })]).history).toEqual(['failed provider_unavailable']);
  });
});

describe('each status of a payment', () => {
  it('makes the payment newer, even within one millisecond', () => {
    const { state } = seenAfter(charging(), [CHARGED, reported('refunded')]);
    expect(state.payment.updated_at.getTime()).toBeGreaterThan(NOW.getTime() + 1);
  });
});
