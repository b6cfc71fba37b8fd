import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { installKit, testOutput } from '../support/app/packed-kit.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { freePort } from '../support/servers/free-port.mjs';
import { temporaryFolder } from '../support/servers/servers.js';

const EXAMPLE = new URL('../../examples/provider-mollie/', import.meta.url);
const API_KEY = `test_${'k'.repeat(30)}`;

/** The example's fake of Mollie, as far as this spec uses it. */
interface FakeMollie {
  server: { url: string };
  settle(id: string, status: string): void;
  shown(record: unknown): { status: string; amountCaptured?: object; amountRefunded?: object };
  record(id: string): unknown;
  stop(): Promise<void>;
}

let folder: string;
let fake: FakeMollie;
let database: TestDatabase;
let api: RunningService;
let worker: RunningService;
let merchant: Merchant;

beforeAll(async () => {
  [folder, database] = await Promise.all([temporaryFolder(), createTestDatabase()]);
  await installKit(folder);
  cpSync(EXAMPLE, folder, { recursive: true, filter: (source) => !source.endsWith('package.json') });
  const module = (await import(pathToFileURL(join(folder, 'fake-mollie.js')).href)) as {
    FakeMollie: { start(): Promise<FakeMollie> };
  };
  fake = await module.FakeMollie.start();
  const port = String(await freePort());
  const env = {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PROVIDER_MODULES: join(folder, 'connector.js'),
    MOLLIE_API_BASE: fake.server.url,
  };
  api = await startService({ entry: 'api', databaseUrl: database.url, env });
  worker = await startService({ entry: 'worker', databaseUrl: database.url, env: { ...env, PORT: '0' } });
  merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  const { id } = await merchant.createShop('Amsterdam', {
    provider: 'mollie',
    provider_credentials: { api_key: API_KEY },
  });
  await merchant.createFlow('checkout', [id]);
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop(), fake?.stop()]);
  await database?.drop();
});

const pay = (token: string, fields: object = {}) =>
  merchant.pay('checkout', {
    payment_method: { token },
    return_url: 'http://127.0.0.1:9/back',
    ...fields,
  });
const has = (payment: PaymentAnswer, expected: object) =>
  eventually(async () => expect(await merchant.payment(payment.id)).toMatchObject(expected));
const atMollie = ({ provider_transaction_id: id }: PaymentAnswer) => fake.shown(fake.record(id));

it('the example passes the conformance run in a folder outside of the repository', async () => {
  const output = await testOutput(folder);
  expect(output).toMatch(/^# fail 0$/m);
  expect(output).toMatch(/^# pass [1-9]\d$/m);
});

describe('the service with the example', () => {
  it('charges a card, in an account named by Mollie', async () => {
    const payment = await pay('tkn_paid');
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'mollie', amount_captured: 49.9 });
    const { body } = await merchant.api.get('/shops');
    expect(body).toMatchObject({ data: [{ provider: 'mollie', provider_account: 'pfl_v9hTwCvYqw' }] });
  });

  it('sends the payer to Mollie, and looks the payment up when Mollie calls its unsigned webhook', async () => {
    const payment = await pay('tkn_3ds');
    expect(payment).toMatchObject({ status: 'processing', next_action: { type: 'redirect', method: 'GET' } });
    fake.settle(payment.provider_transaction_id, 'paid');
    await has(payment, { status: 'completed', next_action: null });
  });

  it('captures a part of an authorisation and refunds a part of that', async () => {
    const payment = await pay('tkn_paid', { capture: 'manual' });
    expect(payment).toMatchObject({ status: 'processing', amount_authorized: 49.9, amount_captured: 0 });
    dataOf(await merchant.api.post(`/payments/${payment.id}/capture`, { amount: 30 }));
    await has(payment, { status: 'completed', amount_captured: 30 });
    dataOf(await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 10.5 }));
    await has(payment, { amount_refunded: 10.5, refund_pending: false });
    expect(atMollie(payment)).toMatchObject({
      status: 'paid',
      amountCaptured: { currency: 'EUR', value: '30.00' },
      amountRefunded: { currency: 'EUR', value: '10.50' },
    });
  });
});
