import { setTimeout as delay } from 'node:timers/promises';
// Injects the faults of the plan into the service and its surroundings, and ends them.
import { FAULTY } from './receivers.js';
import { link, type ChaosHarness } from './harness.js';
import type { Fault, Slot } from './schedule.js';

/** Ms from the end of a storm until the refused deliveries fall due. */
const STORM_RETRY_AFTER_MS = 1_500;
const EMPTY_TIMEOUT_MS = 30_000;

/** Begins the fault. Resolves to a function that ends it, to be called after `durationMs`. */
export async function begin(harness: ChaosHarness, fault: Fault): Promise<() => Promise<unknown>> {
  const { postgres, redis, network, receivers, processes, relay } = harness;
  const hit = fault.slots.map((slot) => processes[slot]);
  switch (fault.kind) {
    case 'kill-worker':
    case 'kill-workers':
    case 'kill-api':
      await Promise.all(hit.map((process) => process.kill()));
      return () =>
        Promise.all(
          hit.map((process) => process.start().catch((error: unknown) => process.failures.push(String(error)))),
        );
    case 'freeze-worker':
      for (const process of hit) process.freeze();
      return () => Promise.resolve(hit.forEach((process) => process.thaw()));
    case 'queue-wipe':
      await (redis ? redis.flush() : emptyQueue(postgres));
      return () => Promise.resolve();
    case 'redis-restart':
      await redis!.stop(fault.signal!, fault.keepsData!);
      return () => redis!.start();
    case 'postgres-fast':
    case 'postgres-immediate':
      await postgres.shutDown(fault.kind === 'postgres-fast' ? 'SIGINT' : 'SIGQUIT');
      return () => postgres.startServer();
    case 'cut-postgres':
    case 'cut-redis': {
      const links = linksOf(fault);
      if (fault.cut === 'reset') await network.call('reset', links);
      else await network.call('change', links, { kind: fault.cut! });
      return () => network.call('change', links, { kind: 'pass' });
    }
    case 'slow-postgres':
    case 'slow-redis': {
      const links = linksOf(fault);
      await network.call('change', links, { kind: 'slow', latencyMs: fault.latencyMs! });
      return () => network.call('change', links, { kind: 'pass' });
    }
    case 'receivers': {
      const which = fault.receivers!.map((index) => FAULTY[index]!);
      await receivers.call('behave', which, fault.behaviour!);
      return () => receivers.call('behave', which, 'good');
    }
    case 'storm':
      await receivers.call('behave', FAULTY, 'storm', Date.now() + fault.durationMs + STORM_RETRY_AFTER_MS);
      return () => receivers.call('behave', FAULTY, 'good');
    case 'provider':
      await harness.setProviderFault(fault.provider!);
      return () => harness.setProviderFault('none');
    case 'notifications':
      relay.setFault(fault.notifications);
      return () => Promise.resolve(relay.setFault(undefined));
  }
}

/** Empties the queue like FLUSHALL. Retries if it deadlocks with a worker or if PostgreSQL is shutting down. */
async function emptyQueue(postgres: ChaosHarness['postgres']): Promise<void> {
  for (const deadline = Date.now() + EMPTY_TIMEOUT_MS; ; await delay(250)) {
    try {
      await postgres.query('TRUNCATE bullmq.job, bullmq.dedup CASCADE');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

const linksOf = (fault: Fault): string[] =>
  fault.slots.map((slot) => link(slot, fault.kind.endsWith('redis') ? 'redis' : 'postgres'));

/** The processes that are completely without the dependency while the fault lasts. */
export function slotsWithout(fault: Fault, all: readonly Slot[]): readonly Slot[] {
  switch (fault.kind) {
    case 'redis-restart':
    case 'postgres-fast':
    case 'postgres-immediate':
      return all;
    case 'cut-postgres':
    case 'cut-redis':
      return fault.cut === 'reset' ? [] : fault.slots;
    default:
      return [];
  }
}
