import type { EventEmitter } from 'node:events';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Metrics } from '../observability/metrics.js';
import { InjectQueueBackend, type QueueBackend } from './queue-backend.js';
import { QueueWatch } from './queue-watch.js';
import { withTimeout } from '../../shared/clock.js';

const START_TIMEOUT_MS = 10_000;
const COUNT_TIMEOUT_MS = 1_000;
const COUNTED_STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Monitors the queues of this process: errors, availability and depth. */
@Injectable()
export class QueueHealth implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly watches = new Map<string, QueueWatch>();
  private readonly queues: Queue[] = [];

  constructor(
    @InjectQueueBackend() private readonly backend: QueueBackend,
    metrics: Metrics,
  ) {
    const isUp = () => this.isUp();
    metrics.gauge({
      name: 'queue_up',
      help: 'Whether the queue responds and accepts jobs; 0: the reconciler finds due deliveries, a second later',
      async collect() {
        this.set(Number(await isUp()));
      },
    });
    const depth = metrics.gauge({
      name: 'queue_jobs',
      help: 'Jobs in the queue by state',
      labels: { queue: { words: 'name of a queue', values: () => this.watches.keys() }, state: COUNTED_STATES },
      collect: async () => {
        depth.reset();
        for (const { queue, state, jobs } of await this.depths()) depth.set({ queue, state }, jobs);
      },
    });
  }

  /**
   * Monitors a queue; the caller reports to the result how adding jobs went. Call it as soon as the queue exists: an
   * error without a listener is printed without our log format.
   */
  watch(queue: Queue): QueueWatch {
    const watch = new QueueWatch(queue);
    this.watches.set(queue.name, watch);
    this.queues.push(queue);
    return watch;
  }

  /**
   * Call when the module starts. In PostgreSQL the queue's schema must exist, or this rejects and the start fails,
   * because BullMQ would keep that failure forever. The start does not wait for a Redis that is down.
   */
  async start(queue: Queue): Promise<void> {
    if (this.backend.kind === 'redis') return;
    await withTimeout(START_TIMEOUT_MS, queue.waitUntilReady(), 'the queue in PostgreSQL does not respond');
  }

  /** Monitors a worker of a monitored queue. */
  watchWorker(worker: EventEmitter & { name: string }): void {
    this.watches.get(worker.name)?.listenTo(worker);
  }

  /** Resolves when every queue responds within `timeoutMs`, rejects otherwise. For readiness. */
  async ping(timeoutMs = 1_000): Promise<void> {
    await Promise.all([...this.watches.values()].map((watch) => watch.ping(timeoutMs)));
  }

  /**
   * Whether every queue responds and accepts jobs; the log has each change. Never rejects, and takes at most a second.
   */
  async isUp(): Promise<boolean> {
    return (await Promise.all([...this.watches.values()].map((watch) => watch.isUp()))).every((isUp) => isUp);
  }

  /** Whether every queue responds. Logs nothing. */
  answers(): Promise<boolean> {
    return this.ping().then(
      () => true,
      () => false,
    );
  }

  /**
   * An orderly close needs a response of the backend. The connection of a lost queue is dropped, or its `close` would
   * hang or fail.
   */
  async beforeApplicationShutdown(): Promise<void> {
    if (await this.answers()) return;
    await Promise.all(this.queues.map((queue) => queue.getBackend().close(true)));
  }

  onApplicationShutdown(): void {
    for (const watch of this.watches.values()) watch.close();
  }

  /** Leaves out a queue that does not respond: a scrape must not hang. */
  private async depths(): Promise<{ queue: string; state: string; jobs: number }[]> {
    const counts = this.queues.map(async (queue) => {
      const byState = await withTimeout(COUNT_TIMEOUT_MS, queue.getJobCounts(...COUNTED_STATES), 'no answer');
      return COUNTED_STATES.map((state) => ({ queue: queue.name, state, jobs: byState[state] ?? 0 }));
    });
    return (await Promise.allSettled(counts)).flatMap((count) => (count.status === 'fulfilled' ? count.value : []));
  }
}
