import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ListedCharge } from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { PaymentAnswer } from '../../support/app/merchant.js';
import { reconciliation } from '../../support/app/reconciliation.js';
import { type Checkout, startCheckout } from './checkout.js';

let checkout: Checkout;

beforeAll(async () => {
  // an application of its own, because a reconciliation reads the shops of all merchants
  checkout = await startCheckout();
});
afterAll(() => checkout.api.stop());

/** A service whose provider lists only this charge, in this state. */
function listing(reference: string, status: ListedCharge['status']) {
  const { api } = checkout;
  const charge = { reference, paymentId: 1, transactionId: 'tx', status, amount: '49.90' };
  const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
  sandbox['listCharges'] = () =>
    Promise.resolve({ charges: [{ ...charge, currency: 'EUR', createdAt: new Date() }], next: null });
  return reconciliation(api);
}

/** The result of a reconciliation if the provider lists only the payment's charge, in this state. */
async function reconciled({ id }: { id: number }, status: ListedCharge['status']) {
  const { rows } = await checkout.api.database.pool.query<{ reference: string }>(
    'SELECT reference FROM payment_attempts WHERE payment_id = $1',
    [id],
  );
  const { agreed, returnedByDispute, disagreements } = await listing(rows[0]!.reference, status).reconcile(new Date(0));
  return [agreed, returnedByDispute, disagreements.length];
}

async function disputed(status: string, amount: string, kind = 'chargeback'): Promise<PaymentAnswer> {
  const payment = await checkout.merchant.pay('checkout');
  const dispute = { id: `dp_${payment.id}`, kind, status, amount, currency: 'EUR' };
  const { provider_transaction_id: transactionId, shop } = payment;
  const report = { id: `evt_${payment.id}`, provider_transaction_id: transactionId, status: 'disputed', dispute };
  expect((await checkout.merchant.sendNotification(shop.id, JSON.stringify(report))).status).toBe(200);
  return payment;
}

describe('reconciliation', () => {
  it.each(['lost', 'accepted'])('reconciliation counts a dispute that is %s as money returned', async (status) => {
    const payment = await disputed(status, '49.90');
    expect(await reconciled(payment, 'captured')).toEqual([1, 1, 0]);
    expect(await reconciled(payment, 'refunded')).toEqual([1, 1, 0]);
  });

  it.each([
    ['open', '49.90', 'chargeback'],
    ['won', '49.90', 'chargeback'],
    ['lost', '10.00', 'chargeback'],
    ['lost', '49.90', 'inquiry'],
  ])('reconciliation counts no money as returned by a dispute that is %s, of %s, %s', async (status, amount, kind) => {
    const payment = await disputed(status, amount, kind);
    expect(await reconciled(payment, 'captured')).toEqual([1, 0, 0]);
    expect(await reconciled(payment, 'refunded')).toEqual([0, 0, 1]);
  });

  it('reconciliation reports an authorisation of a cancelled payment', async () => {
    const payment = await checkout.merchant.pay('checkout', { capture: 'manual' });
    await checkout.merchant.api.post(`/payments/${payment.id}/cancel`);
    expect(await reconciled(payment, 'voided')).toEqual([1, 0, 0]);
    expect(await reconciled(payment, 'authorized')).toEqual([0, 0, 1]);
  });

  it('reconciliation finds an authorisation of an unknown payment, and voids it', async () => {
    const service = listing('an-unknown-reference', 'authorized');
    const { unknown } = await service.reconcile(new Date(0));
    expect(unknown).toMatchObject([{ reference: 'an-unknown-reference', status: 'authorized' }]);
    const sandbox = jest.spyOn(checkout.api.get(SandboxProvider), 'void');
    expect(await service.reverse(unknown[0]!)).toMatchObject({ outcome: 'confirmed' });
    expect(sandbox).toHaveBeenCalledTimes(1);
  });
});
