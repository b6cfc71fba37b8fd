import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Job, Queue, Worker } from 'bullmq';
import pg from 'pg';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { postgresBackend } from '../../../src/platform/queue/postgres-backend.js';
import { QueueHealth } from '../../../src/platform/queue/queue-health.service.js';
import { hasPendingQueueMigrations, migrateQueue } from '../../../src/platform/queue/queue-migration.js';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, type Engine, EngineHarness, startEngine } from '../webhooks/engine-harness.js';

describe.each(BACKENDS)('QueueHealth with the queue in %s', (backend) => {
  let harness: EngineHarness;
  let engine: Engine;
  beforeAll(async () => {
    harness = await EngineHarness.create(backend);
    engine = await harness.startProducer();
  });
  afterAll(() => harness.stop());

  it('answers a ping', async () => {
    await engine.get(QueueHealth).ping();
  });

  it('reports the depth of the queue in the metrics', async () => {
    const shop = await harness.aShop(engine);
    await engine.deliver((await harness.deliveriesTo(engine, shop, 'http://127.0.0.1:1'))());
    const line = 'queue_jobs{queue="webhook-lanes",state="waiting"} 1';
    await eventually(async () => expect(await engine.get(Metrics).render()).toContain(line));
  });
});

describe('The queue in PostgreSQL', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  it('gets its schema once from concurrent migrations', async () => {
    expect(await hasPendingQueueMigrations(database.url)).toBe(true);
    await Promise.all([migrateQueue(database.url), migrateQueue(database.url), migrateQueue(database.url)]);
    expect(await hasPendingQueueMigrations(database.url)).toBe(false);
  });

  it('makes the start of a process fail without its schema, with an error that names it', async () => {
    const start = startEngine(WebhooksModule, database.url);
    await expect(start).rejects.toThrow('not initialized');
  });

  it('prepares the statements of a worker, asks for no delayed jobs and writes no events', async () => {
    await migrateQueue(database.url);
    const { factory, producer, consumer } = postgresBackend(database.url);
    const queue = new Queue('prepared', { connection: producer }, factory);
    const taken: string[] = [];
    const take = ({ name }: Job) => Promise.resolve(void taken.push(name));
    const worker = new Worker('prepared', take, { connection: consumer }, factory);
    const asked = jest.spyOn(pg.Client.prototype, 'query');
    try {
      for (const name of ['one', 'two', 'three']) {
        await queue.add(name, {}, { removeOnComplete: true });
        await eventually(() => expect(taken).toContain(name));
      }
      await eventually(async () => expect(await queue.getJobCounts()).toMatchObject({ waiting: 0, active: 0 }));
      const statements = asked.mock.calls.map(
        ([statement]) => statement as unknown as { name?: string; text?: string },
      );
      expect(statements.filter(({ text }) => /move_to_active|add_job|has_waiting/.test(text ?? ''))).not.toHaveLength(
        0,
      );
      expect(statements.filter(({ text }) => /next_signal|next_delay/.test(text ?? ''))).toHaveLength(0);
      expect(statements.filter(({ name, text }) => text !== undefined && name === undefined)).toHaveLength(0);
      expect((await database.pool.query('SELECT FROM bullmq.event')).rowCount).toBe(0);
    } finally {
      await worker.close();
      await queue.close();
    }
  });

  it('gives its first connection more time than later ones, because BullMQ never retries that one', async () => {
    await migrateQueue(database.url);
    const { factory, producer } = postgresBackend(database.url);
    // a millisecond is too short to connect
    const backend = factory('first-connection', { connection: { ...producer, connectionTimeoutMillis: 1 } }, {});
    backend.on('error', () => undefined); // of the connection that is ended below
    try {
      await backend.waitUntilReady();
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'payment-orchestrator-queue'`,
      );
      await eventually(() => expect(backend.getCounts(['wait'])).rejects.toThrow(/timeout/));
    } finally {
      await backend.close();
    }
  });
});
