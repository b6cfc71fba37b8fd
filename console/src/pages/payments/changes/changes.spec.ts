import { describe, expect, it } from '@jest/globals';
import { ConnectionError, ProblemError, type Schema, UnexpectedAnswerError } from '@payment-orchestrator/client';
import { SETTLE_OUTCOMES, settledKind, SETTLEMENTS } from '../../../../../src/payments/money/state/settlement.js';
import { captureProblem, isDisputed, refundProblem } from './amount-limits';
import { newKey } from './new-key';
import { contradictionOf, doubtOf, foundSoFar, outcomesOf, problemsOf, settleRequest } from './settlement';
import { isUnanswered } from './unanswered';

type Operation = Schema<'PaymentOperation'>;

const PAYMENT = {
  id: 17,
  currency: 'EUR',
  amount_authorized: 49.9,
  amount_captured: 30,
  amount_refunded: 12.5,
} as Schema<'Payment'>;
const operation = (kind: Operation['kind'], fields: Partial<Operation> = {}): Operation =>
  ({ kind, cause: 'payment', currency: 'EUR', reason: null, ...fields }) as Operation;
const UNKNOWN = foundSoFar(operation('charge'));
const problem = (code: string, detail: string): ProblemError =>
  new ProblemError({ code, detail, title: '' } as Schema<'Problem'>, new Response(null, { status: 409 }));

describe('the limits of an amount', () => {
  it('captureProblem limits it to the authorised amount', () => {
    expect(captureProblem('49.90', PAYMENT)).toBeUndefined();
    expect(captureProblem('49.91', PAYMENT)).toBe('must be at most the authorised 49.9');
    expect(captureProblem('1.234', PAYMENT)).toBe('must have at most 2 decimals in EUR');
  });

  it.each([
    [0, '17.5', false],
    [17.5, '0.01', true],
    [10, '7.5', false],
    [10, '7.51', true],
    [30, '1', true],
  ])('isDisputed compares it with what disputes of %d leave: %s is %s', (disputed_amount, text, expected) => {
    expect(isDisputed(text, { ...PAYMENT, disputed_amount })).toBe(expected);
  });

  it('refundProblem limits it to the remaining amount', () => {
    expect(refundProblem('17.5', PAYMENT)).toBeUndefined();
    expect(refundProblem('17.51', PAYMENT)).toBe(
      '17.51 EUR of payment 17 cannot be refunded: 30 captured, 12.5 refunded, 17.5 EUR left',
    );
  });
});

describe('newKey', () => {
  it('newKey returns another key each time', () => {
    expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
    expect(newKey()).not.toBe(newKey());
  });
});

describe('isUnanswered', () => {
  it('isUnanswered returns true only if the change may have been made', () => {
    expect(isUnanswered(new ConnectionError('POST /', 1, null))).toBe(true);
    expect(isUnanswered(new UnexpectedAnswerError(502, ''))).toBe(true);
    expect(isUnanswered(new UnexpectedAnswerError(404, ''))).toBe(false);
    expect(isUnanswered(problem('validation_failed', ''))).toBe(false);
    expect(isUnanswered(null)).toBe(false);
  });
});

describe('the outcomes of an operation', () => {
  it.each([
    ['charge', 'payment'],
    ['capture', 'capture_requested'],
    ['void', 'cancel_requested'],
    ['refund', 'refund_requested'],
    ['refund', 'charged_after_end'],
  ] as const)('outcomesOf returns those of the API for a %s with the cause %s', (kind, cause) => {
    const legal = SETTLEMENTS[settledKind({ kind, cause })];
    expect([...outcomesOf({ kind, cause })].sort()).toEqual(SETTLE_OUTCOMES.filter((each) => legal[each]).sort());
  });
});

describe('foundSoFar', () => {
  it.each([
    ['charge', { last_answer: 'no_answer' }, { outcome: '', amount: '', providerId: '' }],
    [
      'charge',
      { last_answer: 'captured', provider_transaction_id: 'tx_1' },
      { outcome: 'captured', providerId: 'tx_1' },
    ],
    ['charge', { reason: 'amount_mismatch: the provider reports 60.01 EUR' }, { outcome: 'captured', amount: '60.01' }],
    ['charge', { reason: 'amount_mismatch: the provider reports 60 USD' }, { outcome: 'captured', amount: '' }],
    ['refund', { last_answer: 'captured', provider_operation_id: 're_1' }, { outcome: '', providerId: 're_1' }],
  ] as const)('the fields of a %s with %j begin with %j', (kind, fields, expected) => {
    expect(foundSoFar(operation(kind, fields))).toMatchObject(expected);
  });
});

describe('problemsOf', () => {
  it('requires an outcome and a reason', () => {
    expect(problemsOf(UNKNOWN, operation('refund'))).toEqual({
      outcome: 'must be one of refunded, not_refunded for this refund',
      reason: 'must have at least 1 character',
    });
  });

  it('requires the amount when the provider had reported another one', () => {
    const found = { ...UNKNOWN, outcome: 'captured', reason: 'seen' } as const;
    const mismatched = operation('charge', { reason: 'amount_mismatch: 10 EUR' });
    expect(problemsOf(found, mismatched)).toEqual({ amount: 'is required, because of amount_mismatch: 10 EUR' });
    expect(problemsOf({ ...found, amount: '1.234' }, mismatched)).toEqual({
      amount: 'must have at most 2 decimals in EUR',
    });
    expect(problemsOf({ ...found, amount: '10' }, mismatched)).toEqual({});
    expect(problemsOf({ ...found, outcome: 'voided' }, mismatched)).toEqual({});
  });
});

describe('settleRequest', () => {
  it('settleRequest has the given fields, and an amount only if the outcome takes one', () => {
    const found = { outcome: 'captured', amount: ' 10 ', providerId: ' tx ', reason: ' seen ' } as const;
    expect(settleRequest(found, operation('charge'))).toEqual({
      outcome: 'captured',
      amount: 10,
      provider_transaction_id: 'tx',
      reason: 'seen',
    });
    expect(settleRequest({ ...found, outcome: 'refunded', providerId: '' }, operation('refund'))).toEqual({
      outcome: 'refunded',
      reason: 'seen',
    });
  });
});

describe('contradictionOf', () => {
  it('contradictionOf returns the provider’s report', () => {
    const detail =
      'the provider reports: declined 10 EUR; to settle operation 5 as captured anyway, send confirm: true';
    expect(contradictionOf(problem('settle_contradicts_provider', detail))).toBe('declined 10 EUR');
    const both = detail.replace(';', '; operation 5 is about 5 EUR, less than 10;');
    expect(contradictionOf(problem('settle_contradicts_provider', both))).toBe(
      'declined 10 EUR; operation 5 is about 5 EUR, less than 10',
    );
    expect(contradictionOf(problem('operation_closed', detail))).toBeUndefined();
  });

  it('doubtOf says why a confirmation is needed', () => {
    const [exceeds, contradicts] = [
      problem('settle_exceeds_operation', 'x'),
      problem('settle_contradicts_provider', 'x'),
    ];
    expect(contradictionOf(exceeds)).toBe('x');
    expect(doubtOf(exceeds)).toBe('The amount is larger than the operation’s');
    expect(doubtOf(contradicts)).toBe('The provider reports another outcome');
  });
});
