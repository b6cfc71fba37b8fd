import { describe, expect, it } from '@jest/globals';
import { completedState, lookUp, moneyOf, refundRows, resultOf } from '../../../test/support/money/facts.js';
import { charging, reported, seenAfter, type Told } from '../../../test/support/money/builders.js';

const refundsOf = ({ refunds }: ReturnType<typeof completedState>): string[] =>
  refunds.map((row) => `${Number(row.amount)} ${row.status} ${row.origin} ${row.failure_code ?? ''}`.trim());

describe('a pending refund of ours that fails', () => {
  const FAILED = reported('refund_failed', { operationId: 're1', declineCode: 'expired_card' });
  const pending = completedState(100, refundRows(40, { provider_refund_id: 're1' }));

  it.each([
    ['by a report', [FAILED], 'expired_card'],
    ['by a report without a code', [reported('refund_failed', { operationId: 're1' })], 'refund_failed'],
    [
      'by its answer',
      [resultOf(2, { outcome: 'refused', reason: 'expired_card', operationId: 're1' })],
      'expired_card',
    ],
    [
      'by its answer with a sentence',
      [resultOf(2, { outcome: 'refused', reason: 'The card expired.', code: 'expired_card' })],
      'expired_card',
    ],
    [
      'by its answer with only a sentence',
      [resultOf(2, { outcome: 'refused', reason: 'The card expired.' })],
      'refund_refused',
    ],
    ['by a report after its answer', [resultOf(2, { outcome: 'pending', operationId: 're1' }), FAILED], 'expired_card'],
    [
      'by a person',
      [
        {
          about: 'settlement',
          operation: 2,
          outcome: 'not_refunded',
          amount: '40',
          providerId: undefined,
          reason: 'seen',
        },
      ],
      'settled_by_operator',
    ],
  ] as [string, Told[], string][])('raises no alarm and keeps its code, %s', (_, facts, code) => {
    const { state, notices: found } = seenAfter(pending, [...facts]);
    expect(moneyOf(state)).toBe('completed 100 0');
    expect(refundsOf(state)).toEqual([`40 failed api ${code}`]);
    expect(found).toEqual([]);
  });

  it('waits for the id of the refund when the report is faster than the answer', () => {
    const start = completedState(100, refundRows(40));
    const { state, notices: found } = seenAfter(start, [
      FAILED,
      resultOf(2, { outcome: 'pending', operationId: 're1' }),
    ]);
    expect(refundsOf(state)).toEqual(['40 failed api expired_card']);
    expect(found).toEqual([]);
  });

  it('raises an alarm after its success', () => {
    const start = completedState(100, refundRows(40, { provider_refund_id: 're1', status: 'succeeded' }));
    const { state, notices: found } = seenAfter(start, [FAILED]);
    expect(refundsOf(state)).toEqual(['40 failed api expired_card']);
    expect(found).toEqual(['alarm refund_failed']);
  });
});

describe('a look-up of a refunded charge', () => {
  const captured = (refunded: string) => lookUp('captured', { amount: '100', captured: '100', refunded, counted: '0' });

  it.each([
    ['nothing', '0', 'completed 100 0', []],
    ['a part', '40', 'completed 100 40', ['40 succeeded provider']],
    ['all', '100', 'refunded 100 100', ['100 succeeded provider']],
  ])('makes a refund of what was given back: %s', (_, refunded, money, refunds) => {
    for (const start of [charging(), completedState(100)]) {
      const { state, notices: found } = seenAfter(start, [captured(refunded)]);
      expect(moneyOf(state)).toBe(money);
      expect(refundsOf(state)).toEqual(refunds);
      expect(found).toEqual([]);
    }
  });

  it('makes it once, with the report of it', () => {
    const report = reported('refunded', { amount: '40', operationId: 're1' });
    for (const facts of [
      [captured('40'), report],
      [captured('40'), report, captured('40')],
    ]) {
      expect(refundsOf(seenAfter(charging(), [...facts]).state)).toEqual(['40 succeeded provider']);
    }
  });

  it.each([
    ['one of ours is pending', refundRows(40), '60'],
    ['ours was made since the provider was asked', refundRows(40, { status: 'succeeded' }), '0'],
  ])('waits while %s', (_, rows, refunded) => {
    const { verdicts, state } = seenAfter(completedState(100, rows), [captured(refunded)]);
    expect(verdicts.at(-1)).toMatch(/^waiting/);
    expect(refundsOf(state)).toHaveLength(1);
  });

  it('raises an alarm when less was given back than we count', () => {
    const start = completedState(100, refundRows(40, { status: 'succeeded' }));
    const { notices: found } = seenAfter(start, [{ ...captured('0'), counted: '40' }]);
    expect(found).toEqual(['alarm refund_failed']);
  });
});
