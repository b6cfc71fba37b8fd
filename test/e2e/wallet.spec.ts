import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { CLIENT_ID, PAYPAL_CREDENTIALS, WEBHOOK_ID } from '../support/providers/paypal-requests.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { FakePayPal } from '../support/servers/fake-paypal.js';
import { freePort } from '../support/servers/free-port.mjs';
import type { PayPalAccount } from '../support/servers/paypal/paypal-account.js';

const BACK = 'http://127.0.0.1:9/back';

let database: TestDatabase;
let paypal: FakePayPal;
let account: PayPalAccount;
let service: InProcessService;
let merchant: Merchant;
/** A wallet goes to PayPal, everything else to the sandbox, by a rule of the flow. */
beforeAll(async () => {
  [database, paypal] = await Promise.all([createTestDatabase(), FakePayPal.start()]);
  const port = String(await freePort());
  const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, PAYPAL_API_BASE: paypal.url };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  const wallet = await merchant.createShop('Wallet', { provider: 'paypal', provider_credentials: PAYPAL_CREDENTIALS });
  const cards = await merchant.createShop('Cards');
  const definition = {
    strategy: 'rules',
    shops: [{ shop_id: wallet.id }, { shop_id: cards.id }],
    rules: [
      {
        when: { 'payment_method.type': { equals: 'paypal' } },
        use: { shops: [wallet.id], strategy: 'priority' },
      },
    ],
    default: { shops: [cards.id], strategy: 'priority' },
  };
  dataOf(await merchant.api.post('/flows', { name: 'checkout', ...definition }));
  account = paypal.account(CLIENT_ID);
  const url = `${service.url}/providers/paypal/notifications/${wallet.id}`;
  account.webhook.endpoint = { url, webhookId: WEBHOOK_ID };
});
afterAll(async () => {
  await service?.stop();
  await paypal?.close();
  await database?.drop();
});

const WALLET = { type: 'paypal', options: [{ provider: 'paypal', data: {} }] };
const pay = (fields: object = {}) => merchant.pay('checkout', { payment_method: WALLET, return_url: BACK, ...fields });
const becomes = ({ id }: PaymentAnswer, expected: object) =>
  eventually(async () => expect(await merchant.payment(id)).toMatchObject(expected));

/** Acts as the payer's browser: at PayPal, and on the way back through the service. Returns the last address. */
async function payerActs(payment: PaymentAnswer, outcome: 'approve' | 'decline'): Promise<string | null> {
  expect(payment).toMatchObject({ status: 'processing', next_action: { type: 'redirect', method: 'GET' } });
  const body = new URLSearchParams({ outcome });
  const page = await fetch(payment.next_action!.url, { method: 'POST', body, redirect: 'manual' });
  const back = await fetch(page.headers.get('location')!, { redirect: 'manual' });
  return back.headers.get('location');
}

it('a wallet and a card take the shops of their types', async () => {
  const card = await pay({ payment_method: { type: 'card', token: 'tok_success' } });
  expect(card).toMatchObject({ status: 'completed', payment_provider: 'sandbox' });
  expect(await pay()).toMatchObject({ status: 'processing', payment_provider: 'paypal' });
});

it('the payer approves at PayPal, returns, and is charged once', async () => {
  const payment = await pay();
  expect(await payerActs(payment, 'approve')).toBe(BACK);
  await becomes(payment, { status: 'completed', amount_captured: 49.9, next_action: null });
  expect(account.order(payment.provider_transaction_id).captures).toHaveLength(1);
});

it('a payer who approves and never returns is charged after PayPal’s notification', async () => {
  const payment = await pay();
  account.approve(payment.provider_transaction_id);
  await becomes(payment, { status: 'completed', amount_captured: 49.9 });
});

it('a payer who leaves PayPal’s page may come back to it', async () => {
  const payment = await pay();
  expect(await payerActs(payment, 'decline')).toBe(BACK);
  expect(await merchant.payment(payment.id)).toMatchObject({ status: 'processing', next_action: payment.next_action });
  await payerActs(payment, 'approve');
  await becomes(payment, { status: 'completed' });
});

it('an authorisation is captured in part, refunded in part, and disputed with a due date', async () => {
  const payment = await pay({ capture: 'manual' });
  await payerActs(payment, 'approve');
  await becomes(payment, { status: 'processing', amount_authorized: 49.9, amount_captured: 0 });
  dataOf(await merchant.api.post(`/payments/${payment.id}/capture`, { amount: 30 }));
  await becomes(payment, { status: 'completed', amount_captured: 30 });
  dataOf(await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 10.5 }));
  await becomes(payment, { amount_refunded: 10.5, refund_pending: false });
  const id = account.dispute(payment.provider_transaction_id);
  await eventually(async () => {
    const disputes = dataOf<object[]>(await merchant.api.get('/disputes'));
    const dispute = { provider_dispute_id: id, status: 'open', evidence_due_by: expect.any(String) };
    expect(disputes).toContainEqual(expect.objectContaining(dispute));
  });
});
