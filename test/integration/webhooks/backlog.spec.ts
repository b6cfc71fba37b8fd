import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { Database } from '../../../src/platform/database/database.js';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import { DatabaseGauges } from '../../../src/platform/database/database-gauges.js';
import { WebhookBacklog } from '../../../src/webhooks/outbox/webhook-backlog.js';
import { COUNT_PENDING, READ_DUE } from '../../../src/webhooks/outbox/backlog.queries.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness } from './engine-harness.js';
import { explained } from './explained.js';

let harness: EngineHarness;
let producer: Engine;
beforeAll(async () => {
  harness = await EngineHarness.create('postgres');
  producer = await harness.startProducer();
});
afterAll(() => harness.stop());

/** Metrics of a process that delivers nothing, such as the API. A new one each time, because values are cached for seconds. */
function aProcess(): Metrics {
  const metrics = new Metrics();
  new WebhookBacklog(new DatabaseGauges(producer.get(Database), metrics));
  return metrics;
}
async function valueOf(name: string, metrics = aProcess()): Promise<number | null> {
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.render()) ?? [];
  return value === undefined ? null : Number(value);
}
const becomes = (name: string, isRight: (value: number) => boolean): Promise<number> =>
  eventually<number | null>(async () => {
    const value = await valueOf(name);
    return value !== null && isRight(value) ? value : null;
  });

describe('the backlog, exported by a process that delivers nothing', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());

  it('grows while no worker runs, and ends when a worker has delivered', async () => {
    const change = await harness.deliveriesTo(producer, await harness.aShop(producer), receiver.url);
    for (const name of ['webhook_oldest_due_seconds', 'webhook_deliveries_pending', 'webhook_lanes_due'])
      expect([name, await valueOf(name, producer.get(Metrics))]).toEqual([name, 0]);
    expect(await valueOf('webhook_reconciler_last_look_timestamp_seconds')).toBeNull();
    await producer.deliver(change(), change());
    const due = await becomes('webhook_oldest_due_seconds', (value) => value > 0);
    await becomes('webhook_oldest_due_seconds', (value) => value > due + 1);
    expect([await valueOf('webhook_deliveries_pending'), await valueOf('webhook_lanes_due')]).toEqual([2, 1]);

    await harness.startWorker();
    await becomes('webhook_deliveries_pending', (value) => value === 0);
    await becomes('webhook_oldest_due_seconds', (value) => value === 0);
    await becomes('webhook_lanes_due', (value) => value === 0);
    const at = await becomes('webhook_reconciler_last_look_timestamp_seconds', (value) => value > 0);
    expect(Math.abs(at - Date.now() / 1_000)).toBeLessThan(600);
    await harness.clear(producer);
  });

  it('includes the number of endpoints that were announced as failing', async () => {
    const mark = (lane: number, announced: string) =>
      harness.database.pool.query(
        `INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, origin, failing_since, announced_at)
         VALUES ($1, 1, 1, 'https://a.example', now(), ${announced})`,
        [lane],
      );
    await mark(1, 'now()');
    await mark(2, 'NULL');
    await becomes('webhook_endpoints_failing', (value) => value === 1);
  });
});

describe('the queries of the backlog', () => {
  const LATER = 100_000;
  const fill = (from: number, count: number, due: string) =>
    `INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
      event, payment_status, webhook_endpoint) SELECT n, ${due}, n, n, 1, 1, now(), now()::date, 9, 'e', 'completed',
      'https://shop.example/' FROM generate_series(${from}, ${from + count - 1}) n`;
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: harness.database.url });
    await client.connect();
    await configureSession(client);
    await client.query('TRUNCATE pending_deliveries');
    await client.query(fill(1, LATER, `now() + interval '1 hour'`));
    await client.query(fill(LATER + 1, 5, `now() - interval '1 minute'`));
    await client.query('VACUUM pending_deliveries');
  });
  afterAll(async () => {
    await client.query('TRUNCATE pending_deliveries');
    await client.end();
  });
  beforeEach(() => client.query('BEGIN'));
  afterEach(() => client.query('ROLLBACK'));

  it.each(['generic', 'custom'] as const)('read no retry that is due later, with a %s plan', async (kind) => {
    const { reads, rows } = await explained(client, READ_DUE, [], kind);
    expect(reads).toEqual(['pending_deliveries by pending_deliveries_due_at_id']);
    expect(rows).toBeLessThanOrEqual(10);
  });

  it('count pending deliveries by an index', async () => {
    const { reads } = await explained(client, COUNT_PENDING, [], 'generic');
    const byIndex = expect.stringMatching(/^pending_deliveries by /);
    expect(reads).toEqual([byIndex, byIndex]);
  });
});
