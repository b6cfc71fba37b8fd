import { describe, expect, it } from '@jest/globals';
import {
  authorizedState,
  cancelledState,
  completedState,
  lookUp,
  moneyOf,
  operationsOf,
  resultOf,
} from '../../../test/support/money/facts.js';
import { operationRow, reported, seenAfter, type Told } from '../../../test/support/money/builders.js';
import type { ChargeFact, Fact } from './state/fact.js';
import type { MoneyState } from './state/state.js';

const SEEN = { amount: '100', providerId: undefined, reason: 'seen' } as const;

describe('the void of a late authorisation', () => {
  const late = (): MoneyState => {
    const { state } = seenAfter(cancelledState(), [resultOf(2, { outcome: 'confirmed' })]);
    const operations = state.operations.filter(({ kind }) => kind !== 'void');
    return seenAfter({ ...state, operations }, [reported('authorized')]).state;
  };
  const key = (): string => late().operations.find(({ kind }) => kind === 'void')!.idempotency_key;
  const id = (): number => late().operations.find(({ kind }) => kind === 'void')!.id;

  it.each([
    ['its answer', () => ({ ...resultOf(id(), { outcome: 'confirmed' }), key: key() })],
    [
      'a refusal of a charge that was voided',
      () => ({ ...resultOf(id(), { outcome: 'refused', reason: 'no' }, { charge: lookUp('cancelled') }), key: key() }),
    ],
    ['a look-up', () => lookUp('cancelled')],
    ['a notification', () => reported('cancelled')],
    ['a notification that it has lapsed', () => reported('authorization_expired')],
    ['a person', () => ({ about: 'settlement', operation: id(), outcome: 'voided', ...SEEN })],
  ] as [string, () => Told][])('tells late_charge_reversed once it is made, by %s', (_, fact) => {
    const { state, notices: found } = seenAfter(late(), [fact()]);
    expect(moneyOf(state)).toBe('cancelled 0 0');
    expect(operationsOf(state)).toEqual(['void confirmed']);
    expect(found).toEqual(['late_charge_reversed']);
  });
});

describe('a void that is refused', () => {
  const captured = (fields: Partial<ChargeFact> = {}): ChargeFact =>
    lookUp('captured', { amount: '100', captured: '100', ...fields });
  const refusal = (charge: ChargeFact): Fact => resultOf(2, { outcome: 'refused', reason: 'no' }, { charge });
  const voiding = (cause: 'expired' | 'cancel_requested' | 'authorization_expired') =>
    authorizedState({ operations: [operationRow({ id: 2, kind: 'void', cause })] });

  it.each([
    ['was captured', captured(), 'completed 100 0', ['void refused']],
    ['was captured in part', captured({ captured: '60' }), 'completed 60 0', ['void refused']],
    [
      'was captured, and a part was refunded',
      captured({ refunded: '40', counted: '0' }),
      'completed 100 40',
      ['void refused'],
    ],
    ['was captured and refunded', captured({ refunded: '100', counted: '0' }), 'cancelled 0 0', ['void confirmed']],
    ['was voided', lookUp('cancelled'), 'cancelled 0 0', ['void confirmed']],
  ])('decides by the charge, which %s', (_, charge, money, operations) => {
    for (const cause of ['expired', 'cancel_requested', 'authorization_expired'] as const) {
      const { state, notices: found } = seenAfter(voiding(cause), [refusal(charge)]);
      expect(moneyOf(state)).toBe(money);
      expect(operationsOf(state)).toEqual(operations);
      expect(found).toEqual([]);
    }
  });

  it.each([
    ['was captured', captured(), ['void refused', 'refund open'], ['late_charge'], '100'],
    ['was captured in part', captured({ captured: '60' }), ['void refused', 'refund open'], ['late_charge'], '60'],
    ['was given back', captured({ refunded: '100' }), ['void confirmed'], [], undefined],
  ])('reverses the charge of a cancelled payment, which %s', (_, charge, operations, notices, amount) => {
    const { state, notices: found } = seenAfter(cancelledState(), [refusal(charge)]);
    expect(moneyOf(state)).toBe('cancelled 0 0');
    expect(operationsOf(state)).toEqual(operations);
    expect(found).toEqual(notices);
    expect(state.operations.find(({ kind }) => kind === 'refund')?.amount).toBe(amount);
  });

  it('of a completed payment whose charge a person has refunded makes its refund', () => {
    const start = completedState(100, { operations: [operationRow({ id: 2, kind: 'void', cause: 'expired' })] });
    const { state, notices: found } = seenAfter(start, [refusal(captured({ refunded: '100', counted: '0' }))]);
    expect(moneyOf(state)).toBe('refunded 100 100');
    expect(found).toEqual([]);
  });
});

describe('the reversal of a late charge', () => {
  const reversed = seenAfter(cancelledState(), [lookUp('captured', { amount: '100', captured: '60' })]).state;

  it('knows its report, whose id a look-up did not have', () => {
    const returned = lookUp('captured', { amount: '100', captured: '60', refunded: '60' });
    const report = reported('refunded', { amount: '60', operationId: 're1' });
    const { verdicts, notices: found } = seenAfter(reversed, [returned, report]);
    expect(verdicts.at(-1)).toMatch(/^ignored/);
    expect(found).toEqual(['late_charge_reversed']);
  });

  it('keeps the transaction id of a charge that was given back before it was known', () => {
    const returned = lookUp('captured', { amount: '100', captured: '100', refunded: '100' });
    expect(seenAfter(cancelledState(), [returned]).state.attempts[0]!.provider_transaction_id).toBe('tx1');
    const settled: Fact = { about: 'settlement', operation: 1, outcome: 'refunded', ...SEEN, providerId: 'tx1' };
    expect(seenAfter(cancelledState(), [settled]).state.attempts[0]!.provider_transaction_id).toBe('tx1');
  });
});
