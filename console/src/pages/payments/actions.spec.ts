import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { ACTIONS, consequences, obstacle, resultOf } from './actions';

type Payment = Schema<'Payment'>;
type Operation = Schema<'PaymentOperation'>;

const payment = (status: Payment['status'], webhook_endpoint: string | null = null): Payment =>
  ({ status, webhook_endpoint, payment_provider: 'sandbox', shop: { id: 1, name: 'Berlin' } }) as Payment;
const operation = (kind: Operation['kind'], state: Operation['state']): Operation => ({ kind, state }) as Operation;

const possible = (status: Payment['status'], operations: Operation[] = []) =>
  ACTIONS.filter((action) => obstacle(action, payment(status), operations) === undefined);

describe('what can be done with a payment', () => {
  it.each([
    ['pending', ['cancel']],
    ['processing', ['cancel']],
    ['completed', ['refund']],
    ['failed', []],
    ['cancelled', []],
    ['refunded', []],
  ] as const)('that is %s', (status, actions) => {
    expect(possible(status)).toEqual(actions);
  });

  it('is a sync as long as something is open', () => {
    for (const state of ['open', 'unknown', 'pending'] as const)
      expect(possible('failed', [operation('charge', state)])).toEqual(['sync']);
    expect(possible('failed', [operation('charge', 'refused'), operation('void', 'confirmed')])).toEqual([]);
  });

  it('is no second void or refund beside one under way', () => {
    expect(possible('processing', [operation('void', 'pending')])).toEqual(['sync']);
    expect(possible('completed', [operation('refund', 'unknown')])).toEqual(['sync']);
    expect(possible('completed', [operation('refund', 'refused')])).toEqual(['refund']);
  });
});

describe('what is said of an action', () => {
  it('is what happens, to which amount, at whom, and who is told', () => {
    const said = consequences('refund', payment('completed', 'https://m.example/hook'), 'EUR 5.00').join(' ');
    for (const word of ['sandbox (Berlin)', 'EUR 5.00', 'refunded', 'https://m.example/hook'])
      expect(said).toContain(word);
  });

  it('tells a pending payment’s cancellation from that of one in processing', () => {
    expect(consequences('cancel', payment('pending'), '')[0]).toContain('at once');
    expect(consequences('cancel', payment('processing'), '').join()).toContain('when the provider confirms');
  });

  it('is what came of it', () => {
    expect(resultOf('refund', 'completed', 'refunded')).toContain('refunded now');
    expect(resultOf('refund', 'completed', 'completed')).toContain('stays completed');
    expect(resultOf('sync', 'processing', 'processing')).toContain('still processing');
  });
});
