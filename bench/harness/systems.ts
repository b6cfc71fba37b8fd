import { Queue } from 'bullmq';
import type { ClaimPostRecordMethods } from '../baselines/claim-post-record.js';
import type { JobPerDeliveryMethods } from '../baselines/job-per-delivery.js';
import { EnvReader } from '../../src/platform/config/env-reader.js';
import { redisSettings } from '../../src/platform/config/redis-settings.js';
import { queueBackend } from '../../src/platform/queue/queue-backend.js';
import { LANE_QUEUE, wakeJob } from '../../src/webhooks/outbox/lane-notifier.js';
import type { Context } from './context.js';
import { cpuSeconds } from '../support/cpu.js';
import type { BenchDatabase } from '../support/database.js';
import { nodeFlags } from '../support/programs.js';
import type { QueueKind } from './payment-services.js';
import { Remote } from '../support/remote.js';
import { type SeededLanes, WEBHOOK_SECRET } from '../support/seed.js';

/** A system that delivers the due webhooks of its own database. */
export interface SystemUnderTest {
  database: BenchDatabase;
  /** Its processes, whose CPU time is counted. */
  pids: number[];
  /** Called before deliveries are seeded: nothing is delivered until `go`. */
  hold(): Promise<void>;
  /** Announces `count` seeded deliveries from `firstId` on, as their creator would. */
  announce(lanes: SeededLanes, firstId: number, count: number): Promise<void>;
  go(): Promise<void>;
  stop(): Promise<void>;
}

export const cpuOf =
  ({ pids }: SystemUnderTest) =>
  (): number =>
    pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);

const WAKE_AT_ONCE = 500;

/** The product's worker, with the Redis of its queue. */
export interface ProductSystem extends SystemUnderTest {
  redisUrl: string | undefined;
}

/** The product's worker. SIGSTOP holds the whole process, so that it is warm when the round begins. */
export async function startProduct(context: Context, kind: QueueKind): Promise<ProductSystem> {
  const database = await context.database();
  const redisUrl = kind === 'redis' ? context.redisUrl() : undefined;
  const worker = await context.product.start('worker', { databaseUrl: database.url, redisUrl });
  const waker = await openLaneWaker(context, database, redisUrl);
  return {
    database,
    redisUrl,
    pids: [worker.pid],
    hold: () => Promise.resolve(void process.kill(worker.pid, 'SIGSTOP')),
    announce: ({ laneIds, standingLaneIds }) => waker.wake([...laneIds, ...standingLaneIds]),
    go: () => Promise.resolve(void process.kill(worker.pid, 'SIGCONT')),
    stop: async () => {
      process.kill(worker.pid, 'SIGCONT');
      await waker.close();
      await worker.stop();
    },
  };
}

/** Wakes lanes as the API does. */
export interface LaneWaker {
  wake(laneIds: number[]): Promise<void>;
  close(): Promise<void>;
}

export async function openLaneWaker(
  { cleanup }: Context,
  { url: databaseUrl }: BenchDatabase,
  redisUrl: string | undefined,
): Promise<LaneWaker> {
  const { factory, producer } = queueBackend({
    redis: redisSettings(new EnvReader({ REDIS_URL: redisUrl })),
    databaseUrl,
  });
  const queue = new Queue(LANE_QUEUE, { connection: producer }, factory as never);
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  cleanup.add(() => queue.close());
  return {
    wake: async (laneIds) => {
      for (let at = 0; at < laneIds.length; at += WAKE_AT_ONCE) {
        const { name, data, opts } = wakeJob(laneIds.slice(at, at + WAKE_AT_ONCE));
        await queue.add(name, data, opts);
      }
    },
    close: () => queue.close(),
  };
}

/** The upper bound: bench/baselines/claim-post-record.ts. */
export async function startUpperBound(context: Context, database?: BenchDatabase): Promise<SystemUnderTest> {
  database ??= await context.database('baseline');
  const remote = await Remote.start<ClaimPostRecordMethods>(
    context.supervisor,
    'baselines/claim-post-record',
    nodeFlags(context.args.dist, 'worker'),
  );
  await remote.call('start', { databaseUrl: database.url, secret: WEBHOOK_SECRET });
  return {
    database,
    pids: [remote.pid],
    hold: () => Promise.resolve(),
    announce: () => Promise.resolve(),
    go: () => remote.call('drain'),
    stop: () => remote.stop(),
  };
}

/** The reference design: bench/baselines/job-per-delivery.ts. */
export async function startReference(context: Context, kind: QueueKind): Promise<SystemUnderTest> {
  const database = await context.database('baseline');
  const redisUrl = kind === 'redis' ? context.redisUrl() : undefined;
  const remote = await Remote.start<JobPerDeliveryMethods>(
    context.supervisor,
    'baselines/job-per-delivery',
    nodeFlags(context.args.dist, 'worker'),
  );
  await remote.call('start', { databaseUrl: database.url, redisUrl, secret: WEBHOOK_SECRET });
  return {
    database,
    pids: [remote.pid],
    hold: () => Promise.resolve(),
    announce: (_lanes, firstId, count) => remote.call('enqueue', firstId, count),
    go: () => remote.call('resume'),
    stop: () => remote.stop(),
  };
}
