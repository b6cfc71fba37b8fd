import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorizationExpiry } from '../../../src/payments/work/expiry.service.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { doDueWork } from '../../support/app/due-work.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { LedgerProvider } from './ledger-provider.js';
import { sendEvents, scriptNotifications } from './scripted-events.js';

const ROUNDS = 12;
const AMOUNT = 30;

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let shopId: number;

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  scriptNotifications(api);
  provider = new LedgerProvider(api);
  shopId = (await merchant.createShop('Berlin')).id;
  await merchant.createFlow('checkout', [shopId]);
});
beforeEach(() => {
  provider = new LedgerProvider(api);
});
afterAll(() => api.stop());

const pay = () => merchant.pay('checkout', { capture: 'manual', webhook_endpoint: 'http://127.0.0.1:4000/' });
const capture = ({ id }: { id: number }) => merchant.api.post(`/payments/${id}/capture`, { amount: AMOUNT });
const cancel = ({ id }: { id: number }) => merchant.api.post(`/payments/${id}/cancel`);
const notify = ({ provider_transaction_id: transactionId }: PaymentAnswer) =>
  sendEvents(merchant, shopId, [
    { status: 'completed', match: { transactionId }, amount: `${AMOUNT}.00`, currency: 'EUR' },
  ]);
const lapse = () => doDueWork(api, new AuthorizationExpiry(api.get(OperationRecords)).work);

/** The payment, its history and its operations after all of them have ended, and what the provider holds. */
async function endOf({ id }: { id: number }) {
  await recover(api, [id], 3);
  const payment = await merchant.payment(id);
  const operations = (await operationsOf(api, id)).map(({ kind, state }) => `${kind} ${state}`);
  const steps = (await merchant.history(id)).map(({ to }) => to);
  const notified = (await api.deliveriesOf(id)).map((delivery) => delivery.payment_status);
  return {
    status: payment.status,
    captured: payment.amount_captured,
    operations,
    steps,
    notified,
    held: provider.heldOf(id),
  };
}

const COMPLETED = {
  status: 'completed',
  captured: AMOUNT,
  steps: ['processing', 'completed'],
  notified: ['processing', 'completed'],
  held: ['captured'],
};
const CANCELLED = {
  status: 'cancelled',
  captured: 0,
  steps: ['processing', 'cancelled'],
  notified: ['processing', 'cancelled'],
  held: ['voided'],
};

describe('a capture', () => {
  it('PaymentActionsService lets one of a capture and a cancellation win', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const payment = await pay();
      const calls = round % 2 ? [capture, cancel] : [cancel, capture];
      const answers = await Promise.all(calls.map((call) => call(payment)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const end = await endOf(payment);
      expect(end).toMatchObject(end.status === 'completed' ? COMPLETED : CANCELLED);
      expect(end.operations).toEqual([
        'charge confirmed',
        end.status === 'completed' ? 'capture confirmed' : 'void confirmed',
      ]);
    }
  });

  it('PaymentActionsService and NotificationInbox complete the payment once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const payment = await pay();
      const [answer] = await Promise.all([capture(payment), notify(payment)]);
      // the notification may have completed it first: then there is nothing to capture
      expect([200, 409]).toContain(answer.status);
      if (answer.status === 409) provider.finish(payment.id, 'captured');
      const end = await endOf(payment);
      expect(end).toMatchObject(COMPLETED);
      expect(end.operations.filter((operation) => operation.includes('open'))).toEqual([]);
    }
  });

  it('PaymentActionsService and AuthorizationExpiry let one of a capture and a lapse win', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const payment = await pay();
      const past = `UPDATE payments SET capture_before = now() - interval '1 s' WHERE id = $1`;
      await api.database.pool.query(past, [payment.id]);
      const [answer] = await Promise.all([capture(payment), lapse()]);
      const end = await endOf(payment);
      expect(end).toMatchObject(answer.status === 200 ? COMPLETED : CANCELLED);
      expect(end.operations).toHaveLength(2);
    }
  });

  it('OperationRunner makes it once for a repeated request and a worker', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      provider.fates = { capture: ['lost'] };
      const payment = await pay();
      expect((await capture(payment)).status).toBe(503);
      await Promise.all([capture(payment), recover(api, [payment.id], 1), capture(payment)]);
      expect(await endOf(payment)).toMatchObject({
        ...COMPLETED,
        operations: ['charge confirmed', 'capture confirmed'],
      });
      expect(new Set(provider.callsOf(payment.id, 'capture').map(({ key }) => key)).size).toBe(1);
    }
  });
});
