import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { migrate } from '../../src/schema/upgrade/migrate.js';
import { migrateQueue } from '../../src/platform/queue/queue-migration.js';
import { ApiClient } from '../support/app/api-client.js';
import { dataOf, Merchant } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { bootstrapClient } from '../support/app/settings.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/servers/database.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/servers/receiver.js';
import { OLD_CLIENT, restoreOldDatabase } from '../support/upgrade/old-database.js';
import { OldProcesses } from '../support/upgrade/old-processes.js';

/** A request whose process was killed during it. Its key stays locked until its call must have ended. */
const CRASHED = { key: 'order-29', id: 29 };
const NOTIFICATION_SECRET = 'notification-secret-of-chaos';

interface Delivery {
  id: number;
  webhook_id: string;
  status: string;
}

let receiver: Receiver;
let database: TestDatabase;
let old: OldProcesses;
let merchant: Merchant;
let service: InProcessService | undefined;
/** Deliveries that had ended before the upgrade. */
let ended: number[];

beforeAll(async () => {
  receiver = await startReceiver(200);
  database = await restoreOldDatabase(receiver.url);
  ended = (await rows<{ id: number }>('SELECT id FROM webhook_deliveries')).map(({ id }) => id);
  old = new OldProcesses(database.pool, receiver.url);
  await eventually(() => old.payments.length > 20);
  await migrate(database.url);
  await migrateQueue(database.url);
  const { length } = old.payments;
  await eventually(() => old.payments.length > length + 20);
  await old.stop();
  const env = { ...bootstrapClient(OLD_CLIENT), PROVIDER_TIMEOUT_MS: '1000', WEBHOOK_TIMEOUT_MS: '60000' };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  merchant = new Merchant(await ApiClient.login(service.url, OLD_CLIENT.id, OLD_CLIENT.secret));
});

afterAll(async () => {
  await old?.stop().catch(() => undefined);
  await service?.stop();
  await receiver?.stop();
  await database?.drop();
});

const rows = async <Row extends object>(text: string): Promise<Row[]> => (await database.pool.query<Row>(text)).rows;

const deliveries = () =>
  rows<Delivery>('SELECT id, webhook_id(id, created_at) AS webhook_id, status FROM all_deliveries');

describe('an upgrade from 03ffeb28 while its processes serve', () => {
  it('lets the statements of the old processes continue', () => {
    const longest = [...old.longestMs].map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`);
    process.stdout.write(`longest old statements during the migrations: ${longest.join(', ')}\n`);
    expect([...old.longestMs.keys()].sort()).toEqual(
      ['claim', 'claim key', 'complete key', 'insert payment', 'record', 'write status'].sort(),
    );
  });

  it('delivers every pending delivery once', async () => {
    await eventually(async () =>
      expect((await deliveries()).filter(({ status }) => status !== 'delivered')).toEqual([]),
    );
    const theirs = new Set([...ended, ...old.delivered]);
    const expected = (await deliveries()).filter(({ id }) => !theirs.has(id)).map(({ webhook_id: id }) => id);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual(expected.sort());
  });

  it('signs with the old secrets', async () => {
    const secrets = new Map<string, string>();
    for (const id of [1, 2]) {
      const stats = dataOf<{ webhook_secret: string }>(await merchant.api.get(`/webhooks/shop/${id}/stats`));
      secrets.set(String(id), stats.webhook_secret);
    }
    const isSigned = ({ headers, body }: ReceivedRequest) =>
      createHmac('sha256', secrets.get(String(headers['webhook-shop-id']))!)
        .update(body)
        .digest('hex') === headers['signature'];
    await eventually(() => receiver.requests.length > 0);
    expect(receiver.requests.filter((request) => !isSigned(request))).toEqual([]);
  });

  it('records every status change with its delivery', async () => {
    const without = await rows(
      `SELECT c.payment_id, c.to_status FROM payment_status_changes c JOIN payments p ON p.id = c.payment_id
        WHERE p.webhook_endpoint IS NOT NULL AND c.from_status <> c.to_status
        EXCEPT SELECT payment_id, payment_status FROM all_deliveries`,
    );
    expect(without).toEqual([]);
  });

  it('reads every old payment', async () => {
    const ids = (await rows<{ id: number }>('SELECT id FROM payments')).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(old.payments.map(({ id }) => id)));
    for (const id of ids.slice(0, 40)) expect(await merchant.payment(id)).toMatchObject({ id });
  });

  it('answers an old idempotency key with its payment', async () => {
    const repeat = (amount: number, key: string) =>
      merchant.tryPay('checkout', request(amount, 'tok_success'), { 'idempotency-key': key });
    expect(dataOf(await repeat(25, 'order-6'))).toMatchObject({ id: 6, amount: 25 });
  });

  it('includes the counts of both versions', async () => {
    for (const id of [1, 2]) {
      const there =
        await rows(`SELECT count(*)::int AS total_payments, count(webhook_endpoint)::int AS payments_with_webhooks
        FROM payments WHERE shop_id = ${id}`);
      expect(dataOf(await merchant.api.get(`/webhooks/shop/${id}/stats`))).toMatchObject(there[0]!);
    }
  });

  it('accepts the notification for an old payment in processing', async () => {
    const [waiting] = await rows<{ id: number }>(`SELECT id FROM payments WHERE status = 'processing' ORDER BY id`);
    const payment = await merchant.payment(waiting!.id);
    expect((await merchant.notify(payment, { id: 'late', status: 'completed' }, NOTIFICATION_SECRET)).status).toBe(200);
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed' });
  });

  it('completes a request whose process was killed, under its key', async () => {
    const repeat = () => merchant.tryPay('checkout', request(20, 'tok_timeout'), { 'idempotency-key': CRASHED.key });
    await eventually(async () => expect(dataOf(await repeat())).toMatchObject({ id: CRASHED.id }));
  });
});

/** The request that was sent to the old version, byte by byte, because a key is answered for the same request only. */
const request = (amount: number, token: string) => ({
  flow_name: 'checkout',
  amount,
  currency: 'EUR',
  customer: { first_name: 'Somebody' },
  payment_method: { token },
  webhook_endpoint: 'http://127.0.0.1:12999/good',
});
