import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { ACTIONS, amountLeft, consequences, obstacle, resultOf } from './actions';

type Payment = Schema<'Payment'>;
type Operation = Schema<'PaymentOperation'>;

const PAYMENT = {
  webhook_endpoint: null,
  payment_provider: 'sandbox',
  shop: { id: 1, name: 'Berlin' },
  currency: 'EUR',
  capture: 'automatic',
  amount_authorized: 49.9,
  amount_captured: 49.9,
  amount_refunded: 0,
} as Payment;
const payment = (status: Payment['status'], fields: Partial<Payment> = {}): Payment => ({
  ...PAYMENT,
  status,
  ...fields,
});
const authorized = payment('processing', { capture: 'manual', amount_captured: 0 });
const operation = (kind: Operation['kind'], state: Operation['state']): Operation => ({ kind, state }) as Operation;

const possible = (of: Payment, operations: Operation[] = []) =>
  ACTIONS.filter((action) => obstacle(action, of, operations) === undefined);

describe('obstacle', () => {
  it.each([
    ['pending', ['cancel']],
    ['processing', ['cancel']],
    ['completed', ['refund']],
    ['failed', []],
    ['cancelled', []],
    ['refunded', []],
  ] as const)('permits for a %s payment: %j', (status, actions) => {
    expect(possible(payment(status))).toEqual(actions);
  });

  it('permits a capture only of an authorised amount', () => {
    expect(possible(authorized)).toEqual(['capture', 'cancel']);
    expect(possible({ ...authorized, amount_authorized: 0 })).toEqual(['cancel']);
    expect(possible({ ...authorized, status: 'completed', amount_captured: 30 })).toEqual(['refund']);
  });

  it('permits no capture while a capture or void is running', () => {
    expect(possible(authorized, [operation('capture', 'unknown')])).toEqual(['cancel', 'sync']);
    expect(possible(authorized, [operation('void', 'pending')])).toEqual(['sync']);
    expect(possible(authorized, [operation('capture', 'refused')])).toEqual(['capture', 'cancel']);
  });

  it('permits a sync while an operation is open', () => {
    for (const state of ['open', 'unknown', 'pending'] as const)
      expect(possible(payment('failed'), [operation('charge', state)])).toEqual(['sync']);
    expect(possible(payment('failed'), [operation('charge', 'refused'), operation('void', 'confirmed')])).toEqual([]);
  });

  it('permits refunds until nothing is left, also while another one is running', () => {
    const running = [operation('refund', 'unknown')];
    expect(possible(payment('completed', { amount_refunded: 49.89 }), running)).toEqual(['refund', 'sync']);
    expect(possible(payment('completed', { amount_refunded: 49.9 }), running)).toEqual(['sync']);
  });
});

describe('amountLeft', () => {
  it('amountLeft is exact', () => {
    expect(amountLeft(payment('completed', { amount_captured: 0.3, amount_refunded: 0.1 }))).toBe(0.2);
  });
});

describe('the texts of an action', () => {
  it('name the effect, the provider and the webhook', () => {
    const text = consequences('cancel', payment('processing', { webhook_endpoint: 'https://m.example/hook' })).join(
      ' ',
    );
    for (const part of ['sandbox (Berlin)', 'when the provider confirms', 'https://m.example/hook and to the standing'])
      expect(text).toContain(part);
  });

  it('say that standing endpoints get the webhook of a payment without an address', () => {
    expect(consequences('cancel', payment('pending'))).toContain(
      'A webhook is sent to the standing endpoints that take this event.',
    );
  });

  it('differ for cancelling a pending and a processing payment', () => {
    expect(consequences('cancel', payment('pending'))[0]).toContain('immediately');
    expect(consequences('cancel', payment('processing')).join()).toContain('when the provider confirms');
  });

  it('describe the result', () => {
    expect(resultOf('capture', 'processing', 'completed')).toContain('now completed');
    expect(resultOf('capture', 'processing', 'processing')).toContain('remains processing');
    expect(resultOf('sync', 'processing', 'processing')).toContain('still processing');
  });
});
