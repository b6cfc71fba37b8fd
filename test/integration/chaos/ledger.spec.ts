import { describe, expect, it } from '@jest/globals';
import { compareLedgers, type HeldTransaction, isDrained, type OurOperation } from '../../support/ledger/ledger.js';

const held = (status: string, fields: Partial<HeldTransaction> = {}): HeldTransaction => ({
  reference: 'r',
  payment_id: 1,
  shop_id: 1,
  status,
  amount: '49.90',
  currency: 'EUR',
  ...fields,
});

const operation = (state: string, fields: Partial<OurOperation> = {}): OurOperation => ({
  payment_id: 1,
  attempt: 1,
  kind: 'charge',
  cause: 'payment',
  state,
  tries: 1,
  is_stopped: true,
  ...fields,
});

const payment = (status: string) => ({ id: 1, status, amount: '49.9000', currency: 'EUR' });

const kindsOf = (status: string, transactions: HeldTransaction[], operations: OurOperation[] = []): string[] =>
  compareLedgers({ payments: [payment(status)], operations, transactions }).disagreements.map(({ kind }) => kind);

describe('compareLedgers', () => {
  it.each<[string, HeldTransaction[]]>([
    ['completed', [held('captured')]],
    ['completed', [held('declined'), held('captured', { shop_id: 2 })]],
    ['completed', [held('refunded'), held('captured', { shop_id: 2 })]],
    ['failed', []],
    ['failed', [held('declined')]],
    ['cancelled', [held('voided')]],
    ['cancelled', [held('refunded')]],
    ['refunded', [held('refunded')]],
  ])('accepts a %s payment', (status, transactions) => {
    expect(kindsOf(status, transactions, [operation('confirmed')])).toEqual([]);
  });

  it.each<[string, HeldTransaction[], string]>([
    ['completed', [], 'completed, but nothing is held'],
    ['completed', [held('refunded')], 'completed, but nothing is held'],
    ['completed', [held('captured', { amount: '49.91' })], 'completed, but another amount is held'],
    ['completed', [held('captured', { currency: 'USD' })], 'completed, but another amount is held'],
    ['completed', [held('captured'), held('captured', { shop_id: 2 })], 'charged twice'],
    ['failed', [held('captured')], 'failed, but money is held'],
    ['cancelled', [held('captured')], 'cancelled, but money is held'],
    ['cancelled', [held('open')], 'transaction open after drain'],
    ['refunded', [held('captured')], 'refunded, but money is held'],
    ['refunded', [held('voided')], 'refunded, but never captured'],
    ['pending', [], 'payment not final'],
    ['processing', [held('captured')], 'payment not final'],
  ])('reports a wrong %s payment', (status, transactions, kind) => {
    expect(kindsOf(status, transactions)).toContain(kind);
  });

  it('reports an open operation, and money of an unknown payment', () => {
    expect(kindsOf('cancelled', [], [operation('unknown')])).toEqual(['operation open after drain']);
    const stray = { payments: [], operations: [], transactions: [held('captured', { payment_id: 9 })] };
    expect(compareLedgers(stray).disagreements).toMatchObject([{ paymentId: 9 }]);
  });

  it('counts the operations that recovery has ended', () => {
    const operations = [
      operation('confirmed'),
      operation('confirmed', { tries: 2 }),
      operation('unknown', { tries: 3 }),
      operation('confirmed', { kind: 'refund', cause: 'charged_after_end' }),
      operation('refused', { kind: 'void', cause: 'cancel_requested' }),
    ];
    expect(compareLedgers({ payments: [], operations, transactions: [] }).recovered).toBe(2);
  });

  it('isDrained() is true when no work is open', () => {
    const rest = {
      payments: [payment('failed')],
      operations: [operation('refused')],
      transactions: [held('declined')],
    };
    const due = operation('unknown', { is_stopped: false });
    expect(isDrained(rest)).toBe(true);
    expect(isDrained({ ...rest, payments: [payment('processing')] })).toBe(false);
    expect(isDrained({ ...rest, operations: [due] })).toBe(false);
    expect(isDrained({ ...rest, operations: [{ ...due, is_stopped: true }] })).toBe(true);
    expect(isDrained({ ...rest, transactions: [held('open')] })).toBe(false);
  });
});
