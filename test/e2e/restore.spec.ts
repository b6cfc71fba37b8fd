import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCommandLine } from '../../src/cli/command-line.js';
import { ApiClient } from '../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { SETTINGS } from '../support/app/settings.js';
import { eventually } from '../support/eventually.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../support/providers/stripe-requests.js';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { FakeStripe } from '../support/servers/fake-stripe.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { moveTries } from '../support/operation-work.js';

// A database is restored to a copy that is older than the provider's ledger, as after the loss of a disk. Only the
// provider knows the charges that were made since.

interface Charge {
  reference: string;
  told_as_payment_id: number;
  amount: string;
  status: string;
}
interface Reconciled {
  code: number;
  err: string;
  unknown: Charge[];
  disagreements: { payment_id: number; payment_status: string; status: string }[];
  given_back: { reference: string; outcome: string }[];
  open: number;
}

let database: TestDatabase;
let stripe: FakeStripe;
let receiver: Receiver;
let service: InProcessService | undefined;
let merchant: Merchant;

/** Payments that are in the copy. */
let paid: PaymentAnswer, open: PaymentAnswer, unanswered: PaymentAnswer, refundedLater: PaymentAnswer;
/** Payments that are missing in the copy. */
let repeatedLater: PaymentAnswer, kept: PaymentAnswer;

const environment = () => ({ ...SETTINGS, DATABASE_URL: database.url, STRIPE_API_BASE: stripe.url });

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startServiceInProcess({
    entry: 'all',
    databaseUrl: database.url,
    env: { STRIPE_API_BASE: stripe.url, WEBHOOK_RETRY_DELAYS_MS: '500,500,500', ...env },
  });
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
}

const pay = async (key: string, token = 'pm_card_visa'): Promise<PaymentAnswer> => {
  const fields = { payment_method: { token }, webhook_endpoint: `${receiver.url}/hooks` };
  return dataOf(await merchant.tryPay('checkout', fields, { 'idempotency-key': key }));
};

async function cli(...args: string[]): Promise<Reconciled> {
  let [out, err] = ['', ''];
  const terminal = { environment, out: (text: string) => (out += text), err: (text: string) => (err += text) };
  const code = await runCommandLine([...args, '--json'], terminal);
  return { ...(out === '' ? {} : (JSON.parse(out) as object)), code, err } as Reconciled;
}

/** A time before the copy, because charges from before the copy were refunded after it. */
const since = new Date().toISOString();
const reconcile = (...args: string[]) => cli('reconcile', '--since', since, ...args);

/** The status of a payment's transaction at the provider. */
const statusAtProvider = ({ provider_transaction_id: id }: PaymentAnswer) =>
  stripe.transactions().find((transaction) => transaction.id === id)?.status;

const query = async (text: string): Promise<object[]> => (await database.pool.query<object>(text)).rows;

beforeAll(async () => {
  [stripe, receiver, database] = await Promise.all([FakeStripe.start(), startReceiver(200), createTestDatabase()]);
  await start();
  const shop = await merchant.createShop('Berlin', { provider: 'stripe', provider_credentials: CREDENTIALS });
  await merchant.createFlow('checkout', [shop.id]);
  stripe.account(SECRET_KEY).events.endpoint = {
    url: `${service!.url}/providers/stripe/notifications/${shop.id}`,
    secret: WEBHOOK_SECRET,
  };
  paid = await pay('order-1');
  refundedLater = await pay('order-2');
  open = await pay('order-3', 'pm_usBankAccount_success');
  stripe.injectFault({ what: 'reset', when: 'after' }, { path: /^POST .v1.payment_intents$/ });
  unanswered = await pay('order-4');
  await service!.stop();
  const backup = await copyDatabase(database);

  await start();
  dataOf(await merchant.api.post(`/payments/${refundedLater.id}/refund`, {}));
  stripe.account(SECRET_KEY).ledger.settleIntent(open.provider_transaction_id, 'succeeded');
  repeatedLater = await pay('order-5');
  kept = await pay('order-6');
  await eventually(() => receiver.requests.some((request) => request.body.includes(`"id":${kept.id},`)));
  await service!.stop();
  service = undefined;
  await database.drop();
  database = backup;
});

afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await receiver?.stop();
  await stripe?.close();
});

/** Skips the ids that were used since the copy. */
async function skipUsedIds(): Promise<void> {
  expect((await cli('after-restore')).code).toBe(0);
}

/** Lists the charges without a payment, and the payments that disagree with the provider. */
async function listUnknownCharges(): Promise<void> {
  const { code, err, unknown, disagreements } = await reconcile();
  expect([code, err]).toEqual([1, 'error: a person must decide about 3 of these lines\n']);
  const charges = unknown.map(({ told_as_payment_id: id, amount, status }) => ({ id, amount, status }));
  const captured = { amount: '49.9', status: 'captured' };
  expect(charges.sort((one, two) => one.id - two.id)).toEqual([
    { id: repeatedLater.id, ...captured },
    { id: kept.id, ...captured },
  ]);
  expect(disagreements).toMatchObject([
    { payment_id: refundedLater.id, payment_status: 'completed', status: 'refunded' },
  ]);
}

/** Gives back no charge when one of the references is wrong. */
async function refuseWrongReferences(): Promise<void> {
  const { unknown } = await reconcile();
  const { code, err } = await reconcile('--give-back', `${unknown[0]!.reference},nonsense`);
  expect([code, err]).toEqual([1, 'error: --give-back: nonsense is the reference of no unknown charge\n']);
  expect([statusAtProvider(repeatedLater), statusAtProvider(kept)]).toEqual(['captured', 'captured']);
}

/** Releases a charge that the operator names, once. */
async function releaseChargeOnce(): Promise<void> {
  const { unknown } = await reconcile();
  const { reference } = unknown.find(({ told_as_payment_id: id }) => id === repeatedLater.id)!;
  const { given_back: given } = await reconcile('--give-back', reference);
  expect(given).toEqual([{ reference, outcome: 'confirmed' }]);
  expect([statusAtProvider(repeatedLater), statusAtProvider(kept)]).toEqual(['refunded', 'captured']);
  expect((await reconcile()).unknown).toMatchObject([{ told_as_payment_id: kept.id }]);
}

/** Completes the open payments without a second charge. */
async function completeOpenPayments(): Promise<void> {
  const statuses = async () =>
    (await Promise.all([paid, open, unanswered].map(({ id }) => merchant.payment(id)))).map(({ status }) => status);
  await eventually(async () => expect(await statuses()).toEqual(['completed', 'completed', 'completed']));
  expect(stripe.transactions().filter(({ status }) => status === 'captured')).toHaveLength(4);
}

/** Lists the charges that were given back in the audit log. */
async function auditGivenBack(): Promise<void> {
  const entries = dataOf<object[]>(await merchant.api.get('/audit?action=charge.given_back'));
  const details = {
    provider_transaction_id: repeatedLater.provider_transaction_id,
    currency: repeatedLater.currency,
  };
  expect(entries).toMatchObject([{ actor: { type: 'cli' }, object: { type: 'shop' }, details }]);
}

/** Charges a repeated request once, in addition to the charge that was given back, under an unused payment id. */
async function chargeRepeatedRequest(): Promise<void> {
  const repeated = await pay('order-5');
  expect(repeated.id).toBeGreaterThan(kept.id);
  expect([statusAtProvider(repeated), statusAtProvider(repeatedLater)]).toEqual(['captured', 'refunded']);
}

/** Repeats a refund that the provider has made, without moving money twice. */
async function repeatRefund(): Promise<void> {
  expect(dataOf(await merchant.api.post(`/payments/${refundedLater.id}/refund`, {}))).toMatchObject({
    status: 'refunded',
  });
  expect(stripe.account(SECRET_KEY).ledger.refunds.size).toBe(2);
}

/** Uses each idempotency key for one request to the provider. */
function useEachKeyOnce(): void {
  const requests = new Map<string, Set<string>>();
  for (const { method, path, form, headers } of stripe.calls) {
    const key = String(headers['idempotency-key']);
    if (method !== 'GET') requests.set(key, (requests.get(key) ?? new Set()).add(JSON.stringify([path, form])));
  }
  expect(requests.size).toBeGreaterThan(6);
  expect([...requests].filter(([, different]) => different.size > 1)).toEqual([]);
}

/** Agrees with the ledger, except for the charge that the merchant keeps. */
async function agreeWithLedger(): Promise<void> {
  await eventually(async () => expect((await reconcile()).open).toBe(0));
  const { unknown, disagreements } = await reconcile();
  expect(unknown).toMatchObject([{ told_as_payment_id: kept.id }]);
  expect(disagreements).toEqual([]);
}

/** Sends webhooks under ids that no lost delivery has used. */
async function sendUnusedWebhookIds(): Promise<void> {
  await eventually(async () => {
    expect(await query('SELECT FROM webhook_deliveries WHERE id > 1000000000 LIMIT 1')).toHaveLength(1);
  });
  const ids = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.requests) {
    const id = String(headers['webhook-id']);
    ids.set(id, (ids.get(id) ?? new Set()).add(body.toString()));
  }
  expect([...ids].filter(([, bodies]) => bodies.size > 1)).toEqual([]);
}

// one sequence: each step needs the state that the previous ones left
it('a database restored to a copy that is older than the ledger of the provider agrees with it again, without moving money twice', async () => {
  await skipUsedIds();
  await listUnknownCharges();
  await refuseWrongReferences();
  await releaseChargeOnce();

  // processes start; a real restore takes longer than the first delays
  await query(moveTries('now()', `d.due_at > now() AND d.due_at < 'infinity'`));
  await start({ PROVIDER_RECOVERY_DELAYS_MS: '500,1000' });
  await completeOpenPayments();
  await auditGivenBack();
  await chargeRepeatedRequest();
  await repeatRefund();
  useEachKeyOnce();
  await agreeWithLedger();
  await sendUnusedWebhookIds();
});
