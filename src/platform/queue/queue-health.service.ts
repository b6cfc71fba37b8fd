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

/** Watches over the queues of this process: their errors, whether they answer, how deep they are. */
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
      help: 'Whether the queue answers and takes jobs; 0: deliveries go on by what the reconciler finds, a second later',
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

  /** Takes a queue under watch, which is to be told how adding jobs went. Call it as soon as the queue exists: an error that nobody listens to is printed raw. */
  watch(queue: Queue): QueueWatch {
    const watch = new QueueWatch(queue);
    this.watches.set(queue.name, watch);
    this.queues.push(queue);
    return watch;
  }

  /**
   * Call it when the module starts. In PostgreSQL the queue's schema must exist, or this rejects and the start fails:
   * BullMQ would remember that failure for good. A Redis that is away is waited for, without holding up the start.
   */
  async start(queue: Queue): Promise<void> {
    if (this.backend.kind === 'redis') return;
    await withTimeout(START_TIMEOUT_MS, queue.waitUntilReady(), 'the queue in PostgreSQL does not answer');
  }

  /** Takes a worker of a watched queue under watch. */
  watchWorker(worker: EventEmitter & { name: string }): void {
    this.watches.get(worker.name)?.listenTo(worker);
  }

  /** Resolves when every queue answers within `timeoutMs`, rejects otherwise. For readiness. */
  async ping(timeoutMs = 1_000): Promise<void> {
    await Promise.all([...this.watches.values()].map((watch) => watch.ping(timeoutMs)));
  }

  /** Whether every queue answers and takes jobs, as it is logged when that changes. Never rejects, and takes a second at most. */
  async isUp(): Promise<boolean> {
    return (await Promise.all([...this.watches.values()].map((watch) => watch.isUp()))).every((isUp) => isUp);
  }

  /** Whether every queue answers, without a word of it in the log. */
  answers(): Promise<boolean> {
    return this.ping().then(
      () => true,
      () => false,
    );
  }

  /** Closing in good order takes an answer from the backend: a queue that is lost is dropped, or its `close` would hang or fail. */
  async beforeApplicationShutdown(): Promise<void> {
    if (await this.answers()) return;
    await Promise.all(this.queues.map((queue) => queue.getBackend().close(true)));
  }

  onApplicationShutdown(): void {
    for (const watch of this.watches.values()) watch.close();
  }

  /** Nothing of a queue that does not answer: a scrape must not hang. */
  private async depths(): Promise<{ queue: string; state: string; jobs: number }[]> {
    const counts = this.queues.map(async (queue) => {
      const byState = await withTimeout(COUNT_TIMEOUT_MS, queue.getJobCounts(...COUNTED_STATES), 'no answer');
      return COUNTED_STATES.map((state) => ({ queue: queue.name, state, jobs: byState[state] ?? 0 }));
    });
    return (await Promise.allSettled(counts)).flatMap((count) => (count.status === 'fulfilled' ? count.value : []));
  }
}
