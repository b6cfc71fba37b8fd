import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, type Statement } from '../../../src/platform/database/database.js';
import { answerTimeClass } from '../../../src/webhooks/endpoint/health/answer-times.js';
import { type AttemptOutcome, EndpointOutcomes } from '../../../src/webhooks/endpoint/health/endpoint-outcomes.js';
import {
  DELIVERIES_BY_MINUTE,
  ENDPOINT_ANSWERS,
  ENDPOINT_ERRORS,
} from '../../../src/webhooks/endpoint/health/endpoint-counters.js';
import { tidy } from '../../../src/platform/counters/counter.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness, type TestShop } from './engine-harness.js';

let harness: EngineHarness;
let producer: Engine;
let shop: TestShop;
let laneId: number;

beforeAll(async () => {
  harness = await EngineHarness.create('postgres');
  producer = await harness.startProducer();
});
afterAll(() => harness.stop());

beforeEach(async () => {
  await harness.clear(producer);
  shop = await harness.aShop(producer);
  laneId = (await harness.deliveriesTo(producer, shop, 'http://127.0.0.1:9'))().laneId;
});

const rowsOf = async (sql: string, values: unknown[]) =>
  (await harness.database.pool.query<Record<string, number | string>>(sql, values)).rows;
const endpoint = (lane = laneId) =>
  rowsOf(
    `SELECT sum(attempts)::int AS attempts, sum(delivered)::int AS delivered, sum(failed)::int AS failed,
      (SELECT sum(t)::int FROM endpoint_hours h, unnest(h.answer_times) t WHERE h.lane_id = $1) AS answers
    FROM endpoint_hours WHERE lane_id = $1`,
    [lane],
  );
const minutes = () =>
  rowsOf(
    `SELECT sum(delivered)::int AS delivered, sum(retried)::int AS retried, sum(failed)::int AS failed
    FROM delivery_minutes WHERE merchant_id = $1`,
    [shop.merchantId],
  );
const errors = (lane = laneId) =>
  rowsOf('SELECT code, sum(attempts)::int AS attempts FROM endpoint_errors WHERE lane_id = $1 GROUP BY 1 ORDER BY 1', [
    lane,
  ]);

describe('a worker', () => {
  it('counts the results of its attempts, and writes the last counts when it stops', async () => {
    const [good, bad] = await Promise.all([startReceiver(200), startReceiver(500)]);
    const worker = await harness.startWorker();
    const toGood = await harness.deliveriesTo(producer, shop, good.url);
    const toBad = await harness.deliveriesTo(producer, shop, bad.url);
    const [first, second] = [toGood(), toBad()];
    await worker.deliver(first, toGood(), second);
    await eventually(async () =>
      expect((await harness.deliveries()).map(({ status }) => status).sort()).toEqual([
        'delivered',
        'delivered',
        'failed',
      ]),
    );
    await worker.stop();
    expect(await endpoint(first.laneId)).toEqual([{ attempts: 2, delivered: 2, failed: 0, answers: 2 }]);
    expect(await endpoint(second.laneId)).toEqual([{ attempts: 4, delivered: 0, failed: 1, answers: 4 }]);
    expect(await errors(second.laneId)).toEqual([{ code: '500', attempts: 4 }]);
    expect(await minutes()).toEqual([{ delivered: 2, retried: 3, failed: 1 }]);
    await Promise.all([good.stop(), bad.stop()]);
  });
});

/** The counter of a worker, with a database of the test. */
const outcomesOn = (database: Pick<Database, 'query'>): EndpointOutcomes => new EndpointOutcomes(database as Database);

const anAttempt = (fields: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  laneId,
  deliveryId: 1,
  status: 'delivered',
  statusCode: 200,
  error: null,
  startedAt: new Date(),
  durationMs: 12,
  ...fields,
});

describe('counts of an endpoint', () => {
  it('stay exact when many workers write concurrently', async () => {
    const workers = Array.from({ length: 8 }, () => outcomesOn(producer.get(Database)));
    for (const worker of workers) {
      worker.add(anAttempt());
      worker.add(anAttempt({ status: 'pending', statusCode: null, error: 'timeout' }));
      worker.add(anAttempt({ status: 'failed', statusCode: 410 }));
    }
    await Promise.all(workers.map((worker) => worker.beforeApplicationShutdown()));
    expect(await endpoint()).toEqual([{ attempts: 24, delivered: 8, failed: 8, answers: 16 }]);
    expect(await minutes()).toEqual([{ delivered: 8, retried: 8, failed: 8 }]);
    expect(await errors()).toEqual([
      { code: '410', attempts: 8 },
      { code: 'timeout', attempts: 8 },
    ]);
  });

  it.each([
    ['fast answers', [2, 800]],
    ['slow answers', [800, 2]],
    ['unanswered attempts', [null, 2, 800]],
  ])('include answers of every speed when %s come first', async (_, times) => {
    const worker = outcomesOn(producer.get(Database));
    for (const durationMs of times) {
      const unanswered = { status: 'pending', statusCode: null, error: 'timeout' } as const;
      worker.add(anAttempt(durationMs === null ? unanswered : { durationMs }));
      await worker.beforeApplicationShutdown();
    }
    const counted = await rowsOf(
      `SELECT class::int - 1 AS class, sum(answers)::int AS answers
      FROM endpoint_hours, unnest(answer_times) WITH ORDINALITY t (answers, class)
      WHERE lane_id = $1 AND answers > 0 GROUP BY 1 ORDER BY 1`,
      [laneId],
    );
    expect(counted).toEqual([2, 800].map((ms) => ({ class: answerTimeClass(ms), answers: 1 })));
  });

  it('survive an outage of the database, and are written once', async () => {
    const database = producer.get(Database);
    let isDown = true;
    const query = <Row>(statement: Statement, values?: unknown[]): Promise<Row[]> =>
      isDown ? Promise.reject(new Error('down')) : database.query<Row>(statement, values);
    const worker = outcomesOn({ query });
    worker.add(anAttempt({ status: 'pending', statusCode: 503 }));
    await worker.beforeApplicationShutdown();
    worker.add(anAttempt({ status: 'pending', statusCode: 503 }));
    isDown = false;
    await worker.beforeApplicationShutdown();
    await worker.beforeApplicationShutdown();
    expect(await endpoint()).toEqual([{ attempts: 2, delivered: 0, failed: 0, answers: 2 }]);
    expect(await errors()).toEqual([{ code: '503', attempts: 2 }]);
  });

  it('skip a deleted shop, while others of the same write are kept', async () => {
    const worker = outcomesOn(producer.get(Database));
    worker.add(anAttempt({ laneId: 987_654 }));
    worker.add(anAttempt());
    await worker.beforeApplicationShutdown();
    expect(await endpoint()).toMatchObject([{ attempts: 1 }]);
    expect(await rowsOf('SELECT * FROM endpoint_hours WHERE lane_id = 987654', [])).toEqual([]);
  });

  it('expire after their retention period', async () => {
    const worker = outcomesOn(producer.get(Database));
    worker.add(anAttempt({ status: 'failed', statusCode: 410 }));
    await worker.beforeApplicationShutdown();
    const prunedAt = (days: number) =>
      Promise.all(
        [ENDPOINT_ANSWERS, ENDPOINT_ERRORS, DELIVERIES_BY_MINUTE].map((counter) =>
          tidy(producer.get(Database), counter, 500, new Date(Date.now() + days * 86_400_000)),
        ),
      );
    expect(await prunedAt(1)).toEqual([0, 0, 0]);
    expect((await prunedAt(3)).map((rows) => rows > 0)).toEqual([true, true, true]);
    expect(await prunedAt(3)).toEqual([0, 0, 0]);
  });
});
