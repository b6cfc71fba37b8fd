import { setTimeout as delay } from 'node:timers/promises';
import type { SystemUnderTest } from './systems.js';
import { cpuOf } from './systems.js';
import type { Context, Receiver } from './context.js';
import { cpuSeconds, cpuSecondsOfFamily, withCpu } from '../support/cpu.js';
import { vacuum, checkpoint, hasUntried, seedDeliveries, type SeededLanes } from '../support/seed.js';

const POLL_MS = 2;
const MIN_TIMEOUT_MS = 30_000;
/** A slower system is broken. */
const SLOWEST_PER_SECOND = 200;

export interface DrainFigures {
  /** Deliveries per second, from the first receipt to the last recorded attempt. */
  rate: number;
  /** CPU µs per delivery by process. */
  cpu: Record<'sender' | 'postgres' | 'redis' | 'receiver', number>;
  /** Requests beyond one per delivery. */
  duplicates: number;
}

export interface Drain {
  context: Context;
  receiver: Receiver;
  system: SystemUnderTest;
  lanes: SeededLanes;
  /** Deliveries; with standing endpoints two of each change. */
  count: number;
}

/**
 * Seeds `count` due deliveries while the system is held, releases it, and measures until all are recorded. The tables
 * are analysed before they are filled and keep the rows of earlier rounds, so the planner expects an empty queue.
 */
export async function drainOnce({ context, receiver, system, lanes, count }: Drain): Promise<DrainFigures> {
  const { database } = system;
  await system.hold();
  await vacuum(database);
  await checkpoint(database);
  const firstId = await seedDeliveries(database, lanes, lanes.standingLaneIds.length > 0 ? count / 2 : count, 'now');
  await system.announce(lanes, firstId, count);
  await receiver.call('reset');
  const { servers } = context;
  const sources = {
    sender: cpuOf(system),
    postgres: () => cpuSecondsOfFamily(servers.postgres.pid),
    redis: () => cpuSeconds(servers.redis.pid),
    receiver: () => cpuSeconds(receiver.pid),
  };
  const { result, cpu } = await withCpu(sources, async () => {
    const released = system.go();
    const timeoutMs = Math.max(MIN_TIMEOUT_MS, (count / SLOWEST_PER_SECOND) * 1_000);
    const received = receiver.call('waitFor', count, timeoutMs);
    const receipts = await Promise.race([received, released.then(() => received)]); // a failure of `go` ends the wait at once
    while (await hasUntried(database, firstId)) await delay(POLL_MS);
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
