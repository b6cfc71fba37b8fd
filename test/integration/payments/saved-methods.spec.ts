import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentsWorkerModule } from '../../../src/payments/payments-worker.module.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { forgetWorkers, makeTasksDue } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { ADYEN_CREDENTIALS, card, collected } from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, SECRET_KEY } from '../../support/providers/stripe-requests.js';
import { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { FakeStripe } from '../../support/servers/fake-stripe.js';
import { type Engine, startEngine } from '../webhooks/engine-harness.js';

@Module({ imports: [PaymentsWorkerModule] })
class WorkerFeatures {}

interface Method {
  id: number;
  customer_id: number;
  type: string | null;
  options: { provider: string; account?: string; token?: string }[];
  card: object | null;
  agreement?: string;
  network_transaction_id: string | null;
  created_at: string;
}

const CARD = { scheme: 'visa', last4: '1111' };

describe('/customers/{id}/payment-methods', () => {
  let stripe: FakeStripe;
  let adyen: FakeAdyen;
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let worker: Engine | undefined;

  beforeAll(async () => {
    [stripe, adyen] = await Promise.all([FakeStripe.start(), FakeAdyen.start()]);
    api = await startApi({ STRIPE_API_BASE: stripe.url, ADYEN_API_BASE: adyen.url, PROVIDER_TIMEOUT_MS: '5000' });
    client = await api.login();
    merchant = new Merchant(client);
    const { id: stripeShop } = await merchant.createShop('stripe', {
      provider: 'stripe',
      provider_account: 'eu',
      provider_credentials: CREDENTIALS,
    });
    const { id: adyenShop } = await merchant.createShop('adyen', {
      provider: 'adyen',
      provider_credentials: ADYEN_CREDENTIALS,
    });
    const { id: sandboxShop } = await merchant.createShop('sandbox');
    await merchant.createFlow('stripe', [stripeShop]);
    await merchant.createFlow('adyen', [adyenShop]);
    await merchant.createFlow('sandbox', [sandboxShop]);
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([stripe.close(), adyen.close()]);
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query<Row>(text, values)).rows;
  const startWorker = async () => {
    const env = { STRIPE_API_BASE: stripe.url, ADYEN_API_BASE: adyen.url, PROVIDER_TIMEOUT_MS: '5000' };
    await forgetWorkers(api.database.pool);
    worker = await startEngine(WorkerFeatures, api.database.url, env);
  };
  const customerOf = ({ customer }: PaymentAnswer): number => customer!['id'] as number;
  const aCustomer = async (): Promise<number> =>
    customerOf(await merchant.pay('sandbox', { customer: { email: 'ada@example.com' } }));
  const pathOf = (customerId: number, methodId?: number) =>
    `/customers/${customerId}/payment-methods${methodId === undefined ? '' : `/${methodId}`}`;
  const aMethod = (token = 'pm_card_visa') => ({
    type: 'card',
    options: [{ provider: 'stripe', account: 'eu', token }],
    card: CARD,
  });
  const save = async (customerId: number, body: object = aMethod()): Promise<Method> =>
    dataOf<Method>(await client.post(pathOf(customerId), body));
  const listed = async (customerId: number): Promise<Method[]> =>
    dataOf<Method[]>(await client.get(pathOf(customerId)));
  const rowsOf = (customerId: number) =>
    query<{ id: number }>('SELECT id FROM saved_payment_methods WHERE customer_id = $1 ORDER BY id', [customerId]);
  const isGone = (customerId: number) => eventually(async () => expect(await rowsOf(customerId)).toEqual([]));
  const detachCalls = () => stripe.calls.filter(({ path }) => path.endsWith('/detach'));
  /** A payment whose method Stripe saves. */
  const paySaving = (fields: Record<string, unknown> = {}) =>
    merchant.pay('stripe', {
      customer: { email: 'ada@example.com' },
      payment_method: { type: 'card', token: 'pm_card_visa', save: true },
      ...fields,
    });

  /** The token that Stripe saved with a charge: what a charge of the entry sends. */
  const chargedToken = async (id: number): Promise<string> => {
    const [row] = await query<{ customer_id: number }>('SELECT customer_id FROM saved_payment_methods WHERE id = $1', [
      id,
    ]);
    await merchant.pay('stripe', { customer_id: row!.customer_id, payment_method_id: id, initiator: 'merchant' });
    const { customer, payment_method: method } = stripe.calls.at(-1)!.form as Record<string, string>;
    return `${customer}/${method}`;
  };

  it('saved payment methods are listed newest first, read and paged without their tokens, which are stored only encrypted', async () => {
    const customerId = await aCustomer();
    const token = 'pm_card_secret4711';
    const first = await save(customerId, aMethod(token));
    const second = await save(customerId, {
      options: [
        { provider: 'sandbox', token },
        { provider: 'adyen', token },
      ],
    });
    expect(first).toEqual({
      id: first.id,
      customer_id: customerId,
      type: 'card',
      options: [{ provider: 'stripe', account: 'eu' }],
      card: CARD,
      network_transaction_id: null,
      created_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(await listed(customerId)).toEqual([second, first]);
    expect(dataOf(await client.get(pathOf(customerId, first.id)))).toEqual(first);
    const page = await client.get<{ pagination: { next_cursor: string } }>(`${pathOf(customerId)}?limit=1`);
    expect(dataOf(page)).toEqual([second]);
    const next = `${pathOf(customerId)}?limit=1&cursor=${page.body.pagination.next_cursor}`;
    expect(dataOf(await client.get(next))).toEqual([first]);
    const dump = await api.database.dump();
    expect([dump.includes('visa'), dump.includes(token)]).toEqual([true, false]);
    expect(dump).not.toContain(Buffer.from(token).toString('hex'));
    expect(
      await query(
        `SELECT action, details FROM audit_entries WHERE object_type = 'customer' AND object_id = $1 ORDER BY id`,
        [String(customerId)],
      ),
    ).toEqual([
      { action: 'payment_method.saved', details: { payment_method_id: first.id } },
      { action: 'payment_method.saved', details: { payment_method_id: second.id } },
    ]);
  });

  it('saved payment methods are saved once under an Idempotency-Key', async () => {
    const [customerId, otherId] = [await aCustomer(), await aCustomer()];
    const key = { 'idempotency-key': 'saves-once' };
    const [one, again] = await Promise.all([1, 2].map(() => client.post(pathOf(customerId), aMethod(), key)));
    expect(dataOf<Method>(one!)).toEqual(dataOf<Method>(again!));
    expect(await listed(customerId)).toHaveLength(1);
    for (const [path, body] of [
      [pathOf(customerId), aMethod('pm_other')],
      [pathOf(otherId), aMethod()],
    ] as const) {
      const reused = await client.post(path, body, key);
      expect([reused.status, reused.body]).toEqual([422, expect.objectContaining({ code: 'idempotency_key_reused' })]);
    }
  });

  it('saved payment methods are saved once for each token in an account, by requests and charges', async () => {
    const customerId = await aCustomer();
    const first = await save(customerId);
    const again = await client.post(pathOf(customerId), aMethod());
    expect(dataOf<Method>(again)).toEqual(first);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const elsewhere = { options: [{ provider: 'stripe', account: 'us', token: 'pm_card_visa' }] };
    expect((await save(customerId, elsewhere)).id).not.toBe(first.id);
    expect((await save(customerId, aMethod('pm_other'))).id).not.toBe(first.id);
    expect(await listed(customerId)).toHaveLength(3);
    const payer = customerOf(await paySaving());
    const [own] = await listed(payer);
    const charged = await chargedToken(own!.id);
    expect((await save(payer, aMethod(charged))).id).toBe(own!.id);
    await paySaving({ customer: undefined, customer_id: payer, payment_method: { token: charged, save: true } });
    expect(await listed(payer)).toEqual([own]);
  });

  it('saved payment methods with the token of another entry are removed without detaching it', async () => {
    const customerId = customerOf(await paySaving());
    const [own] = await listed(customerId);
    const token = await chargedToken(own!.id);
    const both = await save(customerId, {
      options: [
        { provider: 'stripe', account: 'eu', token },
        { provider: 'sandbox', token: 'tok_success' },
      ],
    });
    const before = detachCalls().length;
    expect((await client.delete(pathOf(customerId, own!.id))).status).toBe(204);
    await startWorker();
    await eventually(async () => expect(await rowsOf(customerId)).toEqual([{ id: both.id }]));
    expect(detachCalls().length).toBe(before);
    expect((await client.delete(pathOf(customerId, both.id))).status).toBe(204);
    await makeTasksDue(api.database.pool);
    await isGone(customerId);
    expect(detachCalls().length).toBe(before + 1);
  });

  it('saved payment methods are refused with card numbers, without tokens, for unknown providers, and beyond the limit', async () => {
    const customerId = await aCustomer();
    const refused = async (body: object): Promise<unknown> => {
      const { status, body: problem } = await client.post(pathOf(customerId), body);
      const { code, errors = [] } = problem as { code: string; errors?: { field: string }[] };
      expect(JSON.stringify(problem)).not.toContain('4111');
      return [status, code, ...errors.map(({ field }) => field)];
    };
    const number = '4111 1111 1111 1111';
    const invalid = [422, 'validation_failed'];
    expect(await refused(aMethod(number))).toEqual([...invalid, 'options.0.token']);
    expect(await refused({ ...aMethod(), type: number })).toEqual([...invalid, 'type']);
    expect(await refused({ ...aMethod(), card: { bin: number } })).toEqual([...invalid, 'card.bin']);
    expect(await refused({ ...aMethod(), options: [{ provider: 'stripe' }] })).toEqual([
      ...invalid,
      'options[0].token',
    ]);
    expect(await refused({ options: [{ provider: 'none', token: 'x' }] })).toEqual([...invalid, 'options.0.provider']);
    await query(
      `INSERT INTO saved_payment_methods (merchant_id, customer_id, options, sealed_tokens)
      SELECT c.merchant_id, c.id, '[]', '' FROM customers c, generate_series(1, 50) WHERE c.id = $1`,
      [customerId],
    );
    expect(await refused(aMethod())).toEqual([409, 'payment_method_limit_reached']);
    await query('DELETE FROM saved_payment_methods WHERE customer_id = $1', [customerId]);
  });

  it('saved payment methods belong to one customer of one merchant', async () => {
    const [customerId, otherId] = [await aCustomer(), await aCustomer()];
    const { id } = await save(customerId);
    const stranger = await api.loginAsAnotherMerchant();
    for (const [caller, owner] of [
      [client, otherId],
      [stranger, customerId],
    ] as const) {
      expect(await caller.get(pathOf(owner, id))).toMatchObject({
        status: 404,
        body: { code: 'payment_method_not_found' },
      });
      expect(await caller.delete(pathOf(owner, id))).toMatchObject({ status: 404 });
    }
    expect(await stranger.get(pathOf(customerId))).toMatchObject({ status: 404, body: { code: 'customer_not_found' } });
    expect(await stranger.post(pathOf(customerId), aMethod())).toMatchObject({ status: 404 });
    const of = { customer_id: otherId, payment_method_id: id };
    expect(await merchant.tryPay('stripe', of)).toMatchObject({
      status: 404,
      body: { code: 'payment_method_not_found' },
    });
    expect(await listed(customerId)).toHaveLength(1);
  });

  it('saved payment methods are charged by their id, by the payer or without', async () => {
    const customerId = await aCustomer();
    const { id } = await save(customerId);
    const paid = await merchant.pay('stripe', { customer_id: customerId, payment_method_id: id });
    expect(paid).toMatchObject({
      status: 'completed',
      payment_method: { type: 'card', card: CARD, options: [{ provider: 'stripe', account: 'eu' }] },
    });
    expect(paid).not.toHaveProperty('initiator');
    expect(stripe.calls.at(-1)?.form).toMatchObject({
      payment_method: 'pm_card_visa',
      error_on_requires_action: 'true',
    });
    const byMerchant = { customer_id: customerId, payment_method_id: id, initiator: 'merchant' };
    expect(await merchant.pay('stripe', byMerchant)).toMatchObject({ status: 'completed', initiator: 'merchant' });
    const { form } = stripe.calls.at(-1)!;
    expect(form).toMatchObject({ payment_method: 'pm_card_visa', off_session: 'true' });
    expect(form).not.toHaveProperty('error_on_requires_action');
    // the flow has no shop of the method's account
    expect(await merchant.tryPay('sandbox', byMerchant)).toMatchObject({ body: { code: 'no_available_shop' } });
    const both = { ...byMerchant, payment_method: { token: 'pm_card_visa' } };
    expect(await merchant.tryPay('stripe', both)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'payment_method_id' }] },
    });
    expect(await merchant.tryPay('stripe', { payment_method_id: id })).toMatchObject({ status: 404 });
  });

  it('saved payment methods name their agreement and first charge to charges without the payer', async () => {
    const payment_method = { type: 'card', token: 'tok_success', save: true };
    const customer = { email: 'ada@example.com' };
    const first = await merchant.pay('sandbox', { customer, payment_method, agreement: 'subscription' });
    expect(first).toMatchObject({ agreement: 'subscription' });
    const customerId = customerOf(first);
    const [method] = await listed(customerId);
    expect(method).toMatchObject({
      agreement: 'subscription',
      network_transaction_id: expect.stringMatching(/^sbn_/),
    });
    const again = { customer_id: customerId, payment_method_id: method!.id, initiator: 'merchant' };
    const referred = {
      network_transaction_id: method!.network_transaction_id,
      first_transaction_id: first.provider_transaction_id,
    };
    expect(await merchant.pay('sandbox', again)).toMatchObject({
      agreement: 'subscription',
      provider_metadata: { agreement: 'subscription', ...referred },
    });
    expect(await merchant.pay('sandbox', { ...again, agreement: 'unscheduled' })).toMatchObject({
      agreement: 'unscheduled',
      provider_metadata: { agreement: 'unscheduled', ...referred },
    });
    const given = { options: [{ provider: 'sandbox', token: 'tok_success' }], network_transaction_id: 'MCC1' };
    const moved = await save(await aCustomer(), { ...given, agreement: 'unscheduled' });
    expect(moved).toMatchObject({ agreement: 'unscheduled', network_transaction_id: 'MCC1' });
    const charge = { customer_id: moved.customer_id, payment_method_id: moved.id, initiator: 'merchant' };
    expect((await merchant.pay('sandbox', charge)).provider_metadata).toEqual({
      agreement: 'unscheduled',
      network_transaction_id: 'MCC1',
    });
  });

  it('facts about the payer reach the provider, and are neither shown nor stored readably', async () => {
    const payer = {
      ip_address: '203.0.113.77',
      billing_address: { line1: '1 Example Street', city: 'Exampleton', postal_code: '10115', country: 'DE' },
    };
    const statement_descriptor = 'EXAMPLE STATEMENT';
    const options = [{ provider: 'adyen', data: collected(card()) }];
    const payment = await merchant.pay('adyen', { payment_method: { options }, payer, statement_descriptor });
    expect(payment).toMatchObject({ status: 'completed' });
    expect(adyen.calls.at(-1)?.body).toMatchObject({
      shopperIP: '203.0.113.77',
      billingAddress: { street: '1 Example Street', city: 'Exampleton', postalCode: '10115', country: 'DE' },
      shopperStatement: 'EXAMPLE STATEMENT',
    });
    const [stored] = await query<{ text: string }>(
      `SELECT concat(to_jsonb(p), (SELECT jsonb_agg(o) FROM provider_operations o WHERE o.payment_id = p.id)) AS text
        FROM payments p WHERE p.id = $1`,
      [payment.id],
    );
    for (const text of ['203.0.113.77', 'Exampleton', 'EXAMPLE STATEMENT'])
      expect(JSON.stringify([payment, stored])).not.toContain(text);
    expect(await merchant.tryPay('adyen', { payer: { ip_address: 'localhost' } })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'payer.ip_address' }] },
    });
  });

  it('saved payment methods are stored with what Stripe saved in a charge, and charged with their Customer', async () => {
    const card = { scheme: 'mastercard', bin: '42424242', last4: '0000' };
    const payment_method = { type: 'card', token: 'pm_card_visa', card, save: true };
    const customerId = customerOf(await paySaving({ payment_method }));
    const [method] = await listed(customerId);
    expect(method).toMatchObject({
      type: 'card',
      options: [{ provider: 'stripe', account: 'eu' }],
      network_transaction_id: '584000000000001',
      // facts of Stripe, and of the request where Stripe tells none
      card: { scheme: 'visa', last4: '4242', bin: '42424242', funding: 'credit' },
    });
    const again = { customer_id: customerId, payment_method_id: method!.id, initiator: 'merchant' };
    expect(await merchant.pay('stripe', again)).toMatchObject({ status: 'completed' });
    const { form } = stripe.calls.at(-1)!;
    expect(form).toMatchObject({
      customer: expect.stringMatching(/^cus_/),
      payment_method: expect.stringMatching(/^pm_/),
    });
    expect(form['payment_method']).not.toBe('pm_card_visa');
  });

  it('saved payment methods are stored with what the sandbox saved, and charged', async () => {
    const payment = await merchant.pay('sandbox', {
      customer: { email: 'ada@example.com' },
      payment_method: { type: 'card', token: 'tok_success', save: true },
    });
    const [method] = await listed(customerOf(payment));
    expect(method).toMatchObject({ type: 'card', options: [{ provider: 'sandbox' }] });
    const later = { customer_id: customerOf(payment), payment_method_id: method!.id, initiator: 'merchant' };
    expect(await merchant.pay('sandbox', later)).toMatchObject({ status: 'completed' });
    const declined = { type: 'card', token: 'tok_declined', save: true };
    const { customer } = await merchant.pay('sandbox', {
      customer: { email: 'b@example.com' },
      payment_method: declined,
    });
    expect(await listed(customer!['id'] as number)).toEqual([]);
  });

  it.each([
    ['whose Customer was deleted', (cus: string) => stripe.account(SECRET_KEY).ledger.methods.customers.delete(cus)],
    ['that was detached', (_cus: string, pm: string) => stripe.account(SECRET_KEY).ledger.methods.detach(pm)],
  ])('saved payment methods %s at Stripe are unusable', async (_name, change) => {
    const saving = await paySaving({ payment_method: { token: 'pm_card_visa', save: true } });
    const [method] = await listed(customerOf(saving));
    const intent = stripe.account(SECRET_KEY).ledger.intents.get(saving.provider_transaction_id)!;
    change(intent.customer!, intent.payment_method!);
    const again = { customer_id: customerOf(saving), payment_method_id: method!.id, initiator: 'merchant' };
    const payment = await merchant.pay('stripe', again);
    expect(dataOf(await client.get(`/payments/${payment.id}/attempts`))).toMatchObject([
      { outcome: 'soft_declined', decline_code: 'payment_method_unusable' },
    ]);
  });

  it('saved payment methods are not saved without the payer', async () => {
    const customer_id = await aCustomer();
    const payment_method = { token: 'pm_card_visa', save: true };
    expect(await merchant.tryPay('stripe', { customer_id, payment_method, initiator: 'merchant' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'payment_method.save' }] },
    });
  });

  it('saved payment methods need the customer to be saved', async () => {
    expect(await merchant.tryPay('stripe', { payment_method: { token: 'pm_card_visa', save: true } })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'payment_method.save' }] },
    });
  });

  it('saved payment methods are not stored after a decline, and after a lost answer as soon as the outcome is found', async () => {
    const declined = await paySaving({ payment_method: { token: 'pm_card_visa_chargeDeclined', save: true } });
    expect(declined.status).toBe('failed');
    expect(await listed(customerOf(declined))).toEqual([]);
    stripe.injectFault({ what: 'reset', when: 'after' }, { path: /POST .*payment_intents$/ });
    const lost = await paySaving();
    expect(lost.status).toBe('pending');
    expect(await listed(customerOf(lost))).toEqual([]);
    expect(dataOf(await client.post(`/payments/${lost.id}/sync`))).toMatchObject({ status: 'completed' });
    expect(await listed(customerOf(lost))).toHaveLength(1);
    expect(dataOf(await client.post(`/payments/${lost.id}/sync`))).toMatchObject({ status: 'completed' });
    expect(await rowsOf(customerOf(lost))).toHaveLength(1);
  });

  it('saved payment methods are stored after a redirect only once the payer has authenticated', async () => {
    const fields = {
      return_url: 'https://shop.example/back',
      payment_method: { token: 'pm_card_threeDSecure2Required', save: true },
    };
    const waiting = await paySaving(fields);
    expect(waiting.status).toBe('processing');
    expect(await listed(customerOf(waiting))).toEqual([]);
    const intent = stripe.transactions().find(({ paymentId }) => paymentId === String(waiting.id))!;
    stripe.account(SECRET_KEY).ledger.settleIntent(intent.id, 'succeeded');
    expect(dataOf(await client.post(`/payments/${waiting.id}/sync`))).toMatchObject({ status: 'completed' });
    expect(await listed(customerOf(waiting))).toHaveLength(1);
  });

  it('saved payment methods keep their account when the merchant renames it, in charges and when they are removed', async () => {
    const provider_credentials = { ...CREDENTIALS, secret_key: `${SECRET_KEY}renamed` };
    const shop = await merchant.createShop('renamed', {
      provider: 'stripe',
      provider_account: 'before',
      provider_credentials,
    });
    await merchant.createFlow('renamed', [shop.id]);
    const customerId = await aCustomer();
    const other = await save(customerId);
    const { id } = await save(customerId, {
      options: [
        { provider: 'adyen', account: 'before', token: 'shopper-1/UNKNOWN1' },
        { provider: 'stripe', account: 'before', token: 'pm_card_visa' },
      ],
    });
    expect((await client.patch(`/shops/${shop.id}`, { provider_account: 'after' })).status).toBe(200);
    const renamed = [
      { provider: 'adyen', account: 'before' },
      { provider: 'stripe', account: 'after' },
    ];
    expect((await listed(customerId)).map(({ options }) => options)).toEqual([renamed, other.options]);
    const paid = await merchant.pay('renamed', { customer_id: customerId, payment_method_id: id });
    expect(paid).toMatchObject({ status: 'completed', payment_method: { options: renamed } });
    await client.delete(pathOf(customerId, id));
    const before = detachCalls().length;
    await startWorker();
    await eventually(async () => expect(await rowsOf(customerId)).toEqual([{ id: other.id }]));
    expect(detachCalls().length).toBe(before + 1);
  });

  it('saved payment methods of payments that failed are deleted, and those of payments without an outcome stay', async () => {
    const fields = {
      return_url: 'https://shop.example/back',
      payment_method: { token: 'pm_card_threeDSecure2Required', save: true },
    };
    const payments = [await paySaving(fields), await paySaving(fields), await paySaving()];
    const [failed, waiting, completed] = payments.map(customerOf) as [number, number, number];
    const intent = stripe.transactions().find(({ paymentId }) => paymentId === String(payments[0]!.id))!;
    stripe.account(SECRET_KEY).ledger.settleIntent(intent.id, 'failed');
    expect(dataOf(await client.post(`/payments/${payments[0]!.id}/sync`))).toMatchObject({ status: 'failed' });
    const due = `UPDATE due_work SET due_at = now() WHERE kind = 'saved_method'
      AND subject_id IN (SELECT id FROM saved_payment_methods WHERE customer_id = ANY ($1))`;
    await query(due, [[failed, waiting, completed]]);
    await startWorker();
    await isGone(failed);
    expect(await rowsOf(waiting)).toHaveLength(1);
    expect(await listed(completed)).toHaveLength(1);
  });

  it('saved payment methods are gone at once when they are removed, and are detached at Stripe until it answers', async () => {
    const customerId = customerOf(await paySaving());
    const { id } = (await listed(customerId))[0]!;
    expect((await client.delete(pathOf(customerId, id))).status).toBe(204);
    expect(await client.delete(pathOf(customerId, id))).toMatchObject({ status: 404 });
    expect(await listed(customerId)).toEqual([]);
    const removed = { customer_id: customerId, payment_method_id: id };
    expect(await merchant.tryPay('stripe', removed)).toMatchObject({ status: 404 });
    const before = detachCalls().length;
    stripe.injectFault({ what: 'reset', when: 'before' }, { path: /detach$/ });
    await startWorker();
    await eventually(() => expect(detachCalls().length).toBe(before + 1));
    expect(await rowsOf(customerId)).toHaveLength(1);
    await query(`UPDATE due_work SET due_at = now() WHERE kind = 'saved_method' AND subject_id = $1`, [id]);
    await makeTasksDue(api.database.pool);
    await isGone(customerId);
    expect(detachCalls().length).toBe(before + 2);
    const method = detachCalls().at(-1)!.path.split('/')[3]!;
    expect(stripe.account(SECRET_KEY).ledger.methods.ownerOf(method)).toBeUndefined();
  });

  it('saved payment methods are removed when a provider has never had them, and given up after three days without an answer', async () => {
    const customerId = await aCustomer();
    const options = [
      { provider: 'stripe', token: 'pm_card_visa' },
      { provider: 'adyen', token: 'shopper-1/UNKNOWN1' },
      { provider: 'sandbox', token: 'tok_success' },
    ];
    const { id } = await save(customerId, { options });
    const silent = await save(customerId);
    await client.delete(pathOf(customerId, id));
    await client.delete(pathOf(customerId, silent.id));
    await query(
      `UPDATE saved_payment_methods SET sealed_tokens = '', removed_at = now() - interval '73 h' WHERE id = $1`,
      [silent.id],
    );
    await startWorker();
    await isGone(customerId);
    expect(worker?.lines().filter(({ msg }) => String(msg).includes('could not be detached'))).toHaveLength(1);
  });

  it('saved payment methods are stored with what Adyen saved in a charge, and deleted there', async () => {
    const customer = { email: 'ada@example.com' };
    const payment_method = { options: [{ provider: 'adyen', data: collected(card()) }], save: true };
    const customerId = customerOf(await merchant.pay('adyen', { customer, payment_method }));
    const [method] = await listed(customerId);
    expect(method).toMatchObject({
      options: [{ provider: 'adyen' }],
      network_transaction_id: 'MCC123456789012',
    });
    const again = {
      customer_id: customerId,
      payment_method_id: method!.id,
      initiator: 'merchant',
      return_url: 'https://shop.example/',
    };
    expect(await merchant.pay('adyen', again)).toMatchObject({ status: 'completed' });
    expect(adyen.calls.at(-1)?.body).toMatchObject({
      shopperReference: `customer-${customerId}`,
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'UnscheduledCardOnFile',
    });
    await client.delete(pathOf(customerId, method!.id));
    await startWorker();
    await isGone(customerId);
    const { path, body } = adyen.calls.at(-1)!;
    expect(path).toMatch(/^\/v72\/storedPaymentMethods\/\w+$/);
    expect(body).toEqual({
      shopperReference: `customer-${customerId}`,
      merchantAccount: ADYEN_CREDENTIALS.merchant_account,
    });
  });

  it('saved payment methods are removed with the erasure of their customer, which is pending until they are detached', async () => {
    const customerId = customerOf(await paySaving());
    await save(customerId, aMethod('pm_card_mastercard'));
    const before = detachCalls().length;
    const state = async () => dataOf<{ status: string }>(await client.post(`/customers/${customerId}/erase`)).status;
    expect(await state()).toBe('pending');
    expect(await listed(customerId)).toEqual([]);
    expect(await query('SELECT type, card FROM saved_payment_methods WHERE customer_id = $1', [customerId])).toEqual([
      { type: null, card: null },
      { type: null, card: null },
    ]);
    expect(await client.post(pathOf(customerId), aMethod())).toMatchObject({
      status: 409,
      body: { code: 'customer_erased' },
    });
    await startWorker();
    await isGone(customerId);
    expect(detachCalls().length).toBe(before + 2);
    await query(`UPDATE due_work SET due_at = now() WHERE kind = 'erasure' AND subject_id = $1`, [customerId]);
    await makeTasksDue(api.database.pool);
    await eventually(async () => expect(await state()).toBe('completed'));
  });
});
