import { describe, expect, it } from '@jest/globals';
import { NOW, operationRow, reported } from '../../../test/support/money/builders.js';
import { runs } from '../../../test/support/fuzz/runs.js';
import { explore } from '../../../test/support/money/explore.js';
import { completedState, lookUp, resultOf } from '../../../test/support/money/facts.js';
import { comparedDecider, rowsRead } from '../../../test/support/money/rows-read.js';
import { nameOf, STARTS } from '../../../test/support/money/starts.js';
import type { Fact } from './state/fact.js';
import type { MoneyRefund, MoneyState } from './state/state.js';

const LIMITS = { maxStates: runs(1_000, 1 / 4), maxViolations: 1 };
/** A refund is one step away. */
const CAPTURED = STARTS.filter(({ after = [] }) => after.length > 0);

const refund = (id: number, fields: Partial<MoneyRefund> = {}): MoneyRefund => ({
  ...{ id, attempt: 1, amount: '40', currency: 'EUR', status: 'succeeded', origin: 'api' },
  ...{ provider_refund_id: `re${id}`, failure_code: null, ...fields },
});
const operation = (id: number, state: 'open' | 'confirmed') =>
  operationRow({ ...{ id, kind: 'refund', cause: 'refund_requested', refund_id: id, state, amount: '40' } });
/** The refund 3 has ended; 4 is pending or failed. */
const withRefund = (status: MoneyRefund['status'], fields: Partial<MoneyRefund> = {}): MoneyState =>
  completedState(100, {
    refunds: [refund(3), refund(4, { status, provider_refund_id: null, ...fields })],
    operations: [operation(3, 'confirmed'), operation(4, status === 'pending' ? 'open' : 'confirmed')],
  });
const CONFIRMED = { outcome: 'confirmed', operationId: 're3' } as const;
const SETTLED: Fact = {
  ...{ about: 'settlement', operation: 4, outcome: 'not_refunded', amount: '40', providerId: 're4', reason: 'seen' },
};
const factFrom = (fact: ReturnType<typeof reported>, state: MoneyState): Fact =>
  (fact as (state: MoneyState) => Fact)(state);

describe('ended refunds and their operations that are not loaded', () => {
  it.each(CAPTURED.map((start) => ({ start, name: nameOf(start) })))('decide nothing: $name', ({ start }) => {
    const leftOut = { decisions: 0 };
    expect(explore(LIMITS, comparedDecider(leftOut), [start]).violations).toEqual([]);
    expect(leftOut.decisions).toBeGreaterThan(0);
  });

  const ended = withRefund('failed', { provider_refund_id: 're4' });
  const all = { ...ended, payment: { ...ended.payment, amount_refunded: '100' } };
  const pending = withRefund('pending');
  // its operation is open
  const odd = { ...pending, refunds: withRefund('succeeded').refunds };
  it.each<[string, string, MoneyState, Fact]>([
    ['a sum of unknown age', 'waiting', ended, lookUp('captured', { captured: '100', refunded: '60' })],
    ['a repeated report without an id', 'ignored', all, factFrom(reported('refunded', { amount: '40' }), all)],
    ['another refund', 'applied', ended, factFrom(reported('refunded', { amount: '60', operationId: 're9' }), ended)],
    ['a failure after a success', 'alarm', ended, factFrom(reported('refund_failed', { operationId: 're3' }), ended)],
    ['an answer with the id of another one', 'applied', pending, resultOf(4, CONFIRMED)],
    ['a refusal of one that has ended', 'applied', odd, resultOf(4, { outcome: 'refused', reason: 'no' })],
    ['a settlement of one that has ended', 'applied', odd, SETTLED],
  ])('decide nothing about %s, which is %s', (_, outcome, state, fact) => {
    const more = { ...state, refunds: [...state.refunds, refund(7, { amount: '1', status: 'failed' })] };
    expect(rowsRead(more, fact).refunds).not.toContainEqual(expect.objectContaining({ id: 7 }));
    const decided = comparedDecider({ decisions: 0 }).decide(more, fact, { now: NOW, chargeLeaseMs: 0 });
    expect(decided.verdict.outcome).toBe(outcome);
  });
});
