import { describe, expect, it } from '@jest/globals';
import { compareLedgers, isDrained, type OurOperation } from '../../support/ledger/ledger.js';
import type { HeldTransaction, OurPayment, OurRefund } from '../../support/ledger/money.js';

const held = (status: string, fields: Partial<HeldTransaction> = {}): HeldTransaction => ({
  reference: 'own',
  payment_id: 1,
  shop_id: 1,
  status,
  amount: '49.90',
  currency: 'EUR',
  captured: status === 'captured' || status === 'refunded' ? '49.90' : '0',
  refunded: status === 'refunded' ? '49.90' : '0',
  ...fields,
});
const other = { reference: 'other', shop_id: 2 };

const operation = (state: string, fields: Partial<OurOperation> = {}): OurOperation => ({
  payment_id: 1,
  attempt: 1,
  kind: 'charge',
  cause: 'payment',
  state,
  tries: 1,
  is_stopped: true,
  has_work: state !== 'confirmed' && state !== 'refused',
  ...fields,
});

const payment = (status: string, fields: Partial<OurPayment> = {}): OurPayment => ({
  id: 1,
  status,
  amount: '49.9000',
  currency: 'EUR',
  amount_authorized: status === 'completed' || status === 'refunded' ? '49.9000' : '0.0000',
  amount_captured: status === 'completed' || status === 'refunded' ? '49.9000' : '0.0000',
  amount_refunded: status === 'refunded' ? '49.9000' : '0.0000',
  reference: 'own',
  ...fields,
});

const refund = (status: string, amount: string): OurRefund => ({ id: 1, payment_id: 1, amount, status, origin: 'api' });

const kindsOf = (
  of: OurPayment,
  transactions: HeldTransaction[],
  { refunds = [], operations = [] }: { refunds?: OurRefund[]; operations?: OurOperation[] } = {},
): string[] =>
  compareLedgers({ payments: [of], refunds, operations, transactions }).disagreements.map(({ kind }) => kind);

const part = payment('completed', { amount_captured: '30.0000', amount_refunded: '10.0000' });

describe('compareLedgers', () => {
  it.each<[string, HeldTransaction[]]>([
    ['completed', [held('captured')]],
    ['completed', [held('declined', other), held('captured')]],
    ['completed', [held('refunded', other), held('captured')]],
    ['failed', []],
    ['failed', [held('declined')]],
    ['cancelled', [held('voided')]],
    ['cancelled', [held('refunded')]],
    ['refunded', [held('refunded')]],
  ])('accepts a %s payment', (status, transactions) => {
    expect(kindsOf(payment(status), transactions, { operations: [operation('confirmed')] })).toEqual([]);
  });

  it('accepts a part that was captured and refunded in part, and a refund that has failed', () => {
    const refunds = [refund('succeeded', '10.0000'), refund('failed', '20.0000')];
    expect(kindsOf(part, [held('captured', { captured: '30', refunded: '10.00' })], { refunds })).toEqual([]);
  });

  it.each<[string, HeldTransaction[], string]>([
    ['completed', [], 'completed, but nothing is captured'],
    ['completed', [held('authorized')], 'completed, but nothing is captured'],
    ['completed', [held('refunded')], 'completed, but another amount is refunded'],
    ['completed', [held('captured', { captured: '49.91' })], 'completed, but another amount is captured'],
    ['completed', [held('captured', { currency: 'USD' })], 'completed, but another amount is captured'],
    ['completed', [held('captured', { refunded: '0.01' })], 'completed, but another amount is refunded'],
    ['completed', [held('captured'), held('captured', other)], 'charged twice'],
    ['completed', [held('refunded'), held('captured', other)], 'completed, but another attempt holds money'],
    ['failed', [held('captured')], 'failed, but money is held'],
    ['cancelled', [held('captured', { refunded: '49.89' })], 'cancelled, but money is held'],
    ['cancelled', [held('open')], 'transaction open after drain'],
    ['cancelled', [held('authorized')], 'transaction open after drain'],
    ['refunded', [held('captured')], 'refunded, but another amount is refunded'],
    ['refunded', [held('voided')], 'refunded, but nothing is captured'],
    ['pending', [], 'payment not final'],
    ['processing', [held('captured')], 'payment not final'],
  ])('reports a wrong %s payment', (status, transactions, kind) => {
    expect(kindsOf(payment(status), transactions)).toContain(kind);
  });

  it.each<[string, OurPayment, OurRefund[], string]>([
    ['more refunded than captured', payment('completed', { amount_refunded: '49.9100' }), [], 'amounts not ordered'],
    ['less authorised than captured', payment('completed', { amount_authorized: '0' }), [], 'amounts not ordered'],
    ['a negative refund', payment('completed', { amount_refunded: '-0.0100' }), [], 'amounts not ordered'],
    ['no capture', payment('completed', { amount_captured: '0.0000' }), [], 'completed, but 0.0000 is captured'],
    ['a capture', { ...part, status: 'cancelled' }, [], 'cancelled, but 30.0000 is captured'],
    ['a part refunded', { ...part, status: 'refunded' }, [], 'refunded, but not all is confirmed'],
    ['a pending refund', payment('refunded'), [refund('pending', '49.90')], 'refunded, but not all is confirmed'],
    ['an uncounted refund', part, [refund('succeeded', '10.01')], 'refunds not counted'],
    ['a pending refund', part, [refund('pending', '10')], 'refund pending after drain'],
  ])('reports a payment with %s', (_, of, refunds, kind) => {
    expect(kindsOf(of, [], { refunds })).toContain(kind);
  });

  it('reports an open operation, and money of an unknown payment', () => {
    expect(kindsOf(payment('cancelled'), [], { operations: [operation('unknown')] })).toEqual([
      'operation open after drain',
    ]);
    const forgotten = operation('unknown', { has_work: false });
    expect(kindsOf(payment('cancelled'), [], { operations: [forgotten] })).toContain('operation with wrong work');
    const stray = { payments: [], refunds: [], operations: [], transactions: [held('captured', { payment_id: 9 })] };
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
    expect(compareLedgers({ payments: [], refunds: [], operations, transactions: [] }).recovered).toBe(2);
  });

  it('isDrained() is true when no work is open', () => {
    const rest = {
      payments: [payment('failed')],
      refunds: [refund('failed', '1')],
      operations: [operation('refused')],
      transactions: [held('declined')],
    };
    const due = operation('unknown', { is_stopped: false });
    expect(isDrained(rest)).toBe(true);
    expect(isDrained({ ...rest, payments: [payment('processing')] })).toBe(false);
    expect(isDrained({ ...rest, operations: [due] })).toBe(false);
    expect(isDrained({ ...rest, operations: [{ ...due, is_stopped: true }] })).toBe(true);
    expect(isDrained({ ...rest, refunds: [refund('pending', '1')] })).toBe(false);
    expect(isDrained({ ...rest, transactions: [held('open')] })).toBe(false);
    expect(isDrained({ ...rest, transactions: [held('authorized')] })).toBe(false);
  });
});
