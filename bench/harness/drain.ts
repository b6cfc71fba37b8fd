import { setTimeout as delay } from 'node:timers/promises';
import type { Contestant } from './contestants.js';
import { cpuOf } from './contestants.js';
import type { Context, Receiver } from './context.js';
import { cpuSeconds, cpuSecondsOfFamily, withCpu } from '../support/cpu.js';
import { vacuum, checkpoint, isOpen, seedDeliveries, type SeededLanes } from '../support/seed.js';

const POLL_MS = 2;
const MIN_TIMEOUT_MS = 30_000;
/** Whoever is slower than this is broken. */
const SLOWEST_PER_SECOND = 200;

export interface DrainFigures {
  /** Deliveries per second, from the first receipt to the last attempt on record. */
  rate: number;
  /** CPU µs per delivery by process. */
  cpu: Record<'sender' | 'postgres' | 'redis' | 'receiver', number>;
  /** Requests beyond one per delivery. */
  duplicates: number;
}

export interface Drain {
  context: Context;
  receiver: Receiver;
  contestant: Contestant;
  lanes: SeededLanes;
  count: number;
}

/**
 * Seeds `count` due deliveries while the contestant is held back, lets go, and measures until all are recorded. The tables
 * are analysed before they are filled, and keep what earlier rounds have left: the planner knows a queue that is empty.
 */
export async function drainOnce({ context, receiver, contestant, lanes, count }: Drain): Promise<DrainFigures> {
  const { database } = contestant;
  await contestant.hold();
  await vacuum(database);
  await checkpoint(database);
  const firstId = await seedDeliveries(database, lanes, count, 'now');
  await contestant.announce(lanes, firstId, count);
  await receiver.call('reset');
  const { servers } = context;
  const sources = {
    sender: cpuOf(contestant),
    postgres: () => cpuSecondsOfFamily(servers.postgres.pid),
    redis: () => cpuSeconds(servers.redis.pid),
    receiver: () => cpuSeconds(receiver.pid),
  };
  const { result, cpu } = await withCpu(sources, async () => {
    const gone = contestant.go();
    const timeoutMs = Math.max(MIN_TIMEOUT_MS, (count / SLOWEST_PER_SECOND) * 1_000);
    const received = receiver.call('waitFor', count, timeoutMs);
    const receipts = await Promise.race([received, gone.then(() => received)]); // or its failure, at once
    while (await isOpen(database, firstId)) await delay(POLL_MS);
    const endedAt = performance.timeOrigin + performance.now();
    return { receipts, endedAt };
  });
  const { receipts, endedAt } = result;
  return {
    rate: count / ((endedAt - receipts.firstAt) / 1_000),
    cpu: Object.fromEntries(
      Object.entries(cpu).map(([name, seconds]) => [name, (seconds * 1e6) / count]),
    ) as DrainFigures['cpu'],
    duplicates: receipts.received - receipts.unique,
  };
}
