import { describe, expect, it } from '@jest/globals';
import type { OperationRow } from './operation.js';
import { stepsTo } from './payment-state.js';
import {
  contradicts,
  doubtOf,
  isSecondOf,
  isUnderWay,
  mostOf,
  SETTLE_OUTCOMES,
  SETTLEMENTS,
  type SettleOutcome,
  settledKind,
} from './settlement.js';

type Kind = OperationRow['kind'];
type Cause = OperationRow['cause'];

describe('SETTLEMENTS', () => {
  const refused = 'not legal';
  it.each<[Kind, Cause, Record<SettleOutcome, string>]>([
    [
      'charge',
      'payment',
      {
        captured: 'confirmed → completed',
        not_captured: 'refused → failed',
        refunded: 'confirmed → refunded',
        not_refunded: refused,
        voided: 'refused → cancelled',
      },
    ],
    [
      'capture',
      'capture_requested',
      {
        captured: 'confirmed → completed',
        not_captured: 'refused',
        refunded: 'confirmed → refunded',
        not_refunded: refused,
        voided: 'refused → cancelled',
      },
    ],
    [
      'void',
      'cancel_requested',
      {
        captured: 'refused → completed',
        not_captured: 'refused',
        refunded: 'refused → refunded',
        not_refunded: refused,
        voided: 'confirmed → cancelled',
      },
    ],
    [
      'void',
      'charged_after_end',
      {
        captured: 'refused → completed',
        not_captured: 'refused',
        refunded: 'refused → refunded',
        not_refunded: refused,
        voided: 'confirmed → cancelled',
      },
    ],
    [
      'refund',
      'refund_requested',
      { captured: refused, not_captured: refused, refunded: 'confirmed', not_refunded: 'refused', voided: refused },
    ],
    [
      'refund',
      'charged_after_end',
      { captured: refused, not_captured: refused, refunded: 'confirmed', not_refunded: refused, voided: refused },
    ],
  ])('SETTLEMENTS has the outcomes of a %s (%s)', (kind, cause, expected) => {
    const found = SETTLE_OUTCOMES.map((outcome) => {
      const settlement = SETTLEMENTS[settledKind({ kind, cause })][outcome];
      if (!settlement) return [outcome, refused];
      return [outcome, settlement.to === null ? settlement.state : `${settlement.state} → ${settlement.to}`];
    });
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('SETTLEMENTS leads only to statuses that the transition table allows for an open payment', () => {
    const targets = Object.values(SETTLEMENTS).flatMap((of) => Object.values(of).map(({ to }) => to));
    for (const to of targets.filter((each) => each !== null)) {
      for (const from of ['pending', 'processing'] as const) {
        expect(stepsTo(from, to, to === 'refunded' ? 'completed' : 'processing')?.at(-1)).toBe(to);
      }
    }
  });
});

describe('contradicts', () => {
  const of = (kind: Kind) => ({ kind, currency: 'EUR' });
  it.each<[Kind, SettleOutcome, string, boolean]>([
    ['charge', 'captured', 'captured', false],
    ['charge', 'captured', 'approved', false],
    ['charge', 'captured', 'no_answer', false],
    ['charge', 'captured', 'unavailable', false],
    ['charge', 'captured', 'unknown', false],
    ['charge', 'captured', 'not_found', true],
    ['charge', 'captured', 'open', true],
    ['charge', 'captured', 'authorized', true],
    ['charge', 'captured', 'refunded', true],
    ['charge', 'not_captured', 'not_found', false],
    ['charge', 'not_captured', 'declined', false],
    ['charge', 'not_captured', 'open', true],
    ['charge', 'not_captured', 'authorized', true],
    ['charge', 'not_captured', 'captured', true],
    ['charge', 'voided', 'voided', false],
    ['charge', 'voided', 'captured', true],
    ['charge', 'refunded', 'refunded', false],
    ['charge', 'refunded', 'captured', true],
    ['capture', 'not_captured', 'authorized', false],
    ['capture', 'not_captured', 'captured', true],
    ['void', 'not_captured', 'open', false],
    ['void', 'voided', 'refused', false],
    ['void', 'voided', 'authorized', true],
    ['refund', 'refunded', 'pending', false],
    ['refund', 'refunded', 'refund_failed', true],
    ['refund', 'refunded', 'captured', true],
    ['refund', 'not_refunded', 'refund_failed', false],
    ['refund', 'not_refunded', 'captured', false],
    ['refund', 'not_refunded', 'pending', true],
    ['refund', 'not_refunded', 'confirmed', true],
  ])('contradicts finds for a %s settled as %s after %s: %s', (kind, outcome, code, expected) => {
    expect(contradicts(of(kind), { outcome, amount: '49.90' }, { code })).toBe(expected);
  });

  it.each([
    [{ amount: '49.9000', currency: 'eur' }, false],
    [{ amount: '1.00', currency: 'EUR' }, true],
    [{ amount: '49.90', currency: 'USD' }, true],
  ])('contradicts compares a captured amount with %j', (said, expected) => {
    const settled = { outcome: 'captured', amount: '49.90' } as const;
    expect(contradicts(of('charge'), settled, { code: 'captured', ...said })).toBe(expected);
  });
});

describe('doubtOf', () => {
  const operation = { id: 5, kind: 'capture', currency: 'EUR', amount: '30.00' } as const;
  const reports = 'the provider reports: captured 35 EUR';
  const exceeds = 'operation 5 is about 30 EUR, less than 40';
  it.each([
    ['30', '30.00', undefined, []],
    ['40', '35', 'settle_contradicts_provider', [reports, exceeds]],
    ['40', '40', 'settle_exceeds_operation', [exceeds]],
    ['20', '35', 'settle_contradicts_provider', [reports]],
  ])('doubtOf names for %s, when the provider reports %s: %s %j', (amount, said, code, reasons) => {
    const reported = { code: 'captured', amount: said, currency: 'EUR' };
    const problem = doubtOf(operation, { outcome: 'captured', amount }, reported);
    expect(problem?.code).toBe(code);
    const question = 'to settle operation 5 as captured anyway, send confirm: true';
    expect(problem?.detail).toBe(code && [...reasons, question].join('; '));
  });
});

describe('isSecondOf', () => {
  const asked = { by: 'ada', outcome: 'captured', amount: '10.0000', providerId: null } as const;

  it.each([
    [{ by: 'bob', amount: '10' }, true],
    [{}, false],
    [{ by: 'bob', amount: '9' }, false],
    [{ by: 'bob', outcome: 'voided' }, false],
    [{ by: 'bob', providerId: 'tx_1' }, false],
  ] as const)('compares a request with %j: %s', (fields, expected) => {
    expect(isSecondOf(asked, { ...asked, ...fields })).toBe(expected);
  });

  it('returns false without a request before', () => expect(isSecondOf(null, asked)).toBe(false));
});

describe('mostOf', () => {
  it.each([
    ['10', '0', '10'],
    ['4', '10', '10'],
    ['10.0000', '10', '10.0000'],
  ])('takes at most %s asked, or %s authorised: %s', (amount, amount_authorized, most) => {
    expect(mostOf({ amount }, { amount_authorized })).toBe(most);
  });
});

describe('isUnderWay', () => {
  const createdAt = new Date('2026-11-21T01:00:00Z');
  const row = (nextTryInMs: number | null): OperationRow => ({
    ...({} as OperationRow),
    created_at: createdAt,
    age_ms: 60_000,
    next_try_at: nextTryInMs === null ? null : new Date(createdAt.getTime() + 60_000 + nextTryInMs),
  });
  it.each([
    [null, false],
    [-1, false],
    [1, true],
    [30_000, true],
    [30_001, false],
  ])('isUnderWay answers for an operation that is due in %p ms, with claims of 30 s: %p', (inMs, expected) => {
    expect(isUnderWay(row(inMs), 30_000)).toBe(expected);
  });
});
