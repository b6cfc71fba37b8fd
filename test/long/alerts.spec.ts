// Provokes alerts about processes, PostgreSQL and Redis, on API and worker processes that run as in production. Their
// metrics are scraped and placed on a longer time axis, and Prometheus evaluates our rules over them. The other alerts
// are provoked in test/integration/observability/alerts.spec.ts.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PROVOKED_BY_PARTNERS } from '../support/observability/partners-story.js';
import { alerts } from '../support/observability/rule-files.js';
import { type Moment, scrape, seen } from '../support/observability/scrapes.js';
import { firedIn, type Story, stretched } from '../support/observability/stretched-story.js';
import { freezeFor, WatchedService } from '../support/observability/watched-service.js';
import { testServers } from '../support/servers/servers.js';

/** One second counts as ten minutes. */
const STRETCH = 600;
/**
 * One second counts as one minute: for an alert that fires soon, in a situation that would cause another alert if it
 * lasted.
 */
const SHORT_STRETCH = 60;
/**
 * One second counts as two minutes: a transaction of a frozen process must not count as old, and a scrape may take
 * seconds.
 */
const LONG_STRETCH = 120;

const WORKER = 'job="payment-worker"';
const API = 'job="payment-api",instance="api"';

let service: WatchedService;
const fired = new Map<string, string[]>();

beforeAll(async () => {
  service = await WatchedService.start();
});
afterAll(() => service.stop());

async function alertsIn(situation: string, story: Story): Promise<string[]> {
  const names = await firedIn(story);
  fired.set(situation, names);
  process.stdout.write(`${situation}: ${names.join(', ') || 'nothing fires'}\n`);
  return names;
}

const isAbove =
  (metric: string, bound: number, part = '') =>
  (moment: Moment): boolean =>
    (seen(moment, metric, part) ?? -1) > bound;

/** A request that waits while a connection is being opened does not count. */
const isPoolExhausted = (moment: Moment): boolean =>
  isAbove('database_pool_waiting', 0, API)(moment) &&
  isAbove('database_pool_connections', seen(moment, 'database_pool_limit', API)! - 1, `${API},state="busy"`)(moment);

const isDue = isAbove('webhook_oldest_due_seconds', 0);

const isDueUnknown = (moment: Moment): boolean =>
  seen(moment, 'webhook_oldest_due_seconds') === undefined &&
  seen(moment, 'database_oldest_snapshot_seconds') !== undefined;

describe('alert rules', () => {
  it('fire nothing while the service is healthy', async () => {
    const before = await service.calm();
    await service.payWithWebhook(10);
    // a metric is some seconds old, so deliveries that were due at that time may still be shown
    const areDelivered = isAbove('webhook_attempts_total', 9, 'outcome="delivered"');
    const moments = await service.watch((moment) => areDelivered(moment) && !isDue(moment), 1_500);
    expect(await alertsIn('payments and their webhooks', stretched(before, moments, STRETCH))).toEqual([]);
  });

  it('QueueDown fires when Redis is killed', async () => {
    const before = await service.calm();
    await service.redis.kill();
    const moments = await service.watch((moment) => seen(moment, 'queue_up') === 0, 500);
    await service.redis.restart();
    expect(await alertsIn('Redis is killed', stretched(before, moments, STRETCH))).toEqual(['QueueDown']);
  });

  it('DatabaseSnapshotOld fires when a transaction stays open', async () => {
    const before = await service.calm();
    const moments = await service.withinTransaction(
      ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT FROM payments'],
      () => service.watch(isAbove('database_oldest_snapshot_seconds', 2), 1_000),
    );
    const story = { ...stretched(before, moments, STRETCH), about: 'database_oldest_snapshot_seconds' };
    expect(await alertsIn('a transaction stays open', story)).toEqual(['DatabaseSnapshotOld']);
  });

  it('DatabasePoolExhausted fires when all connections of the API wait for a lock', async () => {
    const before = await service.calm();
    const held = ['BEGIN', 'LOCK TABLE payments IN ACCESS EXCLUSIVE MODE'];
    const moments = await service.withinTransaction(held, () =>
      service.whileReading(20, () => service.watch(isPoolExhausted, 1_250)),
    );
    const story = { ...stretched(before, moments, LONG_STRETCH), about: 'database_pool_waiting' };
    expect(await alertsIn('the table payments is locked', story)).toEqual(['DatabasePoolExhausted']);
  });

  it('EventLoopBlocked fires when a worker freezes repeatedly', async () => {
    const before = await service.calm();
    let over = false;
    const pulses = (async () => {
      while (!over) await freezeFor(service.worker.pid, 400);
    })();
    const moments = await service.watch(isAbove('nodejs_eventloop_lag_p99_seconds', 0.25, WORKER), 3_000);
    over = true;
    await pulses;
    const story = { ...stretched(before, moments, LONG_STRETCH), about: 'nodejs_eventloop_lag_p99_seconds' };
    expect(await alertsIn('a worker freezes repeatedly', story)).toEqual(['EventLoopBlocked']);
  });

  it('ApprovalRateFalling fires when shops decline what they approved the day before', async () => {
    const before = await service.calm();
    await service.pay(210);
    const [dayBefore] = await service.watch(isAbove('payment_attempts_total', 209, 'outcome="approved"'), 0);
    await service.pay(60, 'declining');
    const now = (await service.watch(isAbove('payment_attempts_total', 59, 'outcome="declined"'), 0)).at(-1)!;
    const scenes = [before, dayBefore!, now].map((moment, index) => ({ minute: index * 12 * 60, moment }));
    const story = { scenes, stretch: 1, endMinute: 24 * 60 + 20 };
    expect(await alertsIn('shops decline', story)).toEqual(['ApprovalRateFalling']);
  });

  it('WebhookLeaseChurn fires when results arrive after their lease, and ProcessDown when one of two workers is killed', async () => {
    const before = await service.calm();
    service.receiver.respondWith({ misbehaviour: 'hang' });
    const frozen = service.worker;
    await service.payWithWebhook(12);
    await eventually(() => service.receiver.maxInFlight() >= 6);
    process.kill(frozen.pid, 'SIGSTOP');
    service.receiver.respondWith(200);
    await service.startWorker('worker-2');
    await eventually(async () => (await service.execute('SELECT FROM pending_deliveries')) === 0);
    process.kill(frozen.pid, 'SIGCONT');
    const moments = await service.watch(isAbove('webhook_results_too_late_total', 5), 0);
    const story = stretched(before, [moments.at(-1)!], SHORT_STRETCH);
    expect(await alertsIn('a worker was frozen for longer than its leases', story)).toEqual(['WebhookLeaseChurn']);

    const twoAlive = await service.calm();
    await frozen.kill();
    const oneAlive = await service.watch((moment) => seen(moment, 'up', 'worker-1') === 0, 1_000);
    expect(await alertsIn('one of two workers is killed', stretched(twoAlive, oneAlive, STRETCH))).toEqual([
      'ProcessDown',
    ]);
    service.forget('worker-1');
  });

  it('NoWorkerAlive, WebhookDeliveryStopped and WebhooksOverdue fire from the metrics of the API when no worker is alive', async () => {
    const before = await service.calm();
    await service.worker.kill();
    await service.payWithWebhook(3);
    const moments = await service.watch(isAbove('webhook_oldest_due_seconds', 0.2), 1_000);
    service.forget('worker-2');
    await service.startWorker('worker-3');
    const expected = ['NoWorkerAlive', 'WebhookDeliveryStopped', 'WebhooksOverdue'];
    expect(await alertsIn('the worker is killed', stretched(before, moments, STRETCH))).toEqual(expected);
  });

  it('ClocksDiffer fires when the clock of a worker is an hour ahead', async () => {
    const before = await service.calm();
    await service.startWorker('worker-4', 3_600_000);
    const moments = await service.watch(isAbove('clock_ahead_seconds', 1, 'worker-4'), 500);
    await service.worker.kill();
    service.forget('worker-4');
    expect(await alertsIn('a clock is ahead', stretched(before, moments, STRETCH))).toEqual(['ClocksDiffer']);
  });

  it('DatabaseDown fires when PostgreSQL refuses all connections', async () => {
    const before = await service.calm();
    const moments = await withoutConnections(() =>
      service.watch((moment) => seen(moment, 'database_oldest_snapshot_seconds') === undefined, 500),
    );
    expect(await alertsIn('PostgreSQL refuses connections', stretched(before, moments, STRETCH))).toEqual([
      'DatabaseDown',
    ]);
  });

  it('NoApiAlive fires when the only API is killed', async () => {
    const before = await service.calm();
    await service.api.kill();
    const moments = await service.watch((moment) => seen(moment, 'up', 'payment-api') === 0, 500);
    expect(await alertsIn('the API is killed', stretched(before, moments, STRETCH))).toEqual(['NoApiAlive']);
  });

  it('WebhookBacklogUnknown and WebhookReconcilerBehind fire when no process can read the pending deliveries', async () => {
    const before = await scrape(service.targets);
    const held = ['BEGIN', 'LOCK TABLE pending_deliveries IN ACCESS EXCLUSIVE MODE'];
    const moments = await service.withinTransaction(held, () => service.watch(isDueUnknown, 2_500));
    const story = {
      ...stretched(before, moments, LONG_STRETCH),
      about: 'webhook_reconciler_last_look_timestamp_seconds',
    };
    const expected = ['NoApiAlive', 'WebhookBacklogUnknown', 'WebhookReconcilerBehind'];
    expect(await alertsIn('the table pending_deliveries is locked', story)).toEqual(expected);
  });

  it('each fire here, or because of receivers and providers', () => {
    expect([...new Set([...PROVOKED_BY_PARTNERS, ...[...fired.values()].flat()])].sort()).toEqual(
      alerts()
        .map(({ alert }) => alert)
        .sort(),
    );
  });
});

/** Refuses all connections to the database meanwhile. Only the superuser is connected, to another database. */
async function withoutConnections<T>(during: () => Promise<T>): Promise<T> {
  const name = new URL(service.database.url).pathname.slice(1);
  const administrator = new pg.Client({ connectionString: testServers().databaseUrl });
  await administrator.connect();
  try {
    await administrator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await administrator.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    return await during();
  } finally {
    await administrator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await administrator.end();
  }
}
