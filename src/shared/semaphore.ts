import { FairQueue } from './fair-queue.js';

export interface SemaphoreLimits {
  /** Maximum concurrent jobs. */
  maxRunning: number;
  /** Maximum concurrent jobs of one key. Default: `maxRunning`. */
  maxRunningPerKey?: number;
  /** Maximum waiting jobs. */
  maxQueued: number;
  /** Maximum waiting jobs of one key. Default: `maxQueued`. */
  maxQueuedPerKey?: number;
}

export interface JobOptions {
  /** Group of the job, such as its merchant. Groups get slots in round robin. Default: one group for all jobs. */
  key?: number;
  /** Returns whether no caller waits for the result. If so, a waiting job is refused; a running job continues. */
  isAbandoned?: () => boolean;
}

export type Refusal = 'queue_full' | 'key_queue_full' | 'abandoned';

export class SemaphoreRefused extends Error {
  constructor(readonly reason: Refusal) {
    super(`the semaphore refused the job: ${reason}`);
  }
}

interface Job {
  start(): void;
  refuse(): void;
  isAbandoned(): boolean;
}

interface Key {
  readonly id: number;
  running: number;
  queued: Job[];
}

const never = (): boolean => false;

/**
 * Limits the concurrent jobs, in total and per key. Further jobs wait in bounded queues.
 *
 *              a slot is free               ends
 *   run ─────────────────────────▶ running ──────▶ its slot goes to the next job
 *    │ no slot is free                ▲
 *    ▼          the key is served     │
 *   queued ───────────────────────────┘
 *    │ a queue is full (at once), or the job is abandoned (when it is first, or when a job of its key needs the place)
 *    ▼
 *   refused: `SemaphoreRefused`
 *
 * - Waiting keys are served in round robin; jobs of one key start in their order. A key whose slots are all in use is
 *   queued behind the other keys when one of its slots becomes free.
 * - `ready` contains a key if and only if the key has queued jobs and fewer than `maxRunningPerKey` running jobs.
 * - A job that fails releases its slot too.
 * Why not p-limit, async-mutex or bottleneck: they limit neither the queue nor each key, and have no round robin by key.
 */
export class Semaphore {
  private readonly keys = new Map<number, Key>();
  private readonly ready = new FairQueue<Key>();
  private running = 0;
  private queued = 0;
  private readonly limits: Required<SemaphoreLimits>;

  constructor(limits: SemaphoreLimits) {
    this.limits = { maxRunningPerKey: limits.maxRunning, maxQueuedPerKey: limits.maxQueued, ...limits };
  }

  /** Returns the result of `work`. Throws `SemaphoreRefused` if the job does not start. */
  async run<T>(work: () => Promise<T>, { key: id = 0, isAbandoned = never }: JobOptions = {}): Promise<T> {
    const key = this.keyOf(id);
    if (this.hasSlotFor(key)) this.take(key);
    else await this.wait(key, isAbandoned);
    try {
      return await work();
    } finally {
      this.release(key);
    }
  }

  private keyOf(id: number): Key {
    let key = this.keys.get(id);
    if (key === undefined) this.keys.set(id, (key = { id, running: 0, queued: [] }));
    return key;
  }

  private hasSlotFor(key: Key): boolean {
    return this.running < this.limits.maxRunning && this.mayRun(key);
  }

  private mayRun({ running }: Key): boolean {
    return running < this.limits.maxRunningPerKey;
  }

  private take(key: Key): void {
    this.running += 1;
    key.running += 1;
  }

  private wait(key: Key, isAbandoned: () => boolean): Promise<void> {
    this.dropAbandoned(key);
    const reason = this.fullQueueOf(key);
    if (reason !== undefined) {
      this.forgetUnused(key);
      return Promise.reject(new SemaphoreRefused(reason));
    }
    return new Promise((start, reject) => {
      key.queued.push({ start, refuse: () => reject(new SemaphoreRefused('abandoned')), isAbandoned });
      this.queued += 1;
      if (key.queued.length === 1) this.makeReady(key);
    });
  }

  private fullQueueOf({ queued }: Key): Refusal | undefined {
    if (queued.length >= this.limits.maxQueuedPerKey) return 'key_queue_full';
    return this.queued >= this.limits.maxQueued ? 'queue_full' : undefined;
  }

  /** Refuses abandoned jobs, so that a client that asks again at every keystroke does not fill the queue. */
  private dropAbandoned(key: Key): void {
    const abandoned = key.queued.filter((job) => job.isAbandoned());
    if (abandoned.length === 0) return;
    key.queued = key.queued.filter((job) => !abandoned.includes(job));
    this.queued -= abandoned.length;
    if (key.queued.length === 0) this.ready.remove([key.id]);
    for (const job of abandoned) job.refuse();
  }

  private makeReady(key: Key): void {
    if (key.queued.length > 0 && this.mayRun(key)) this.ready.enqueue([key.id], key);
  }

  private release(key: Key): void {
    const wasReady = this.mayRun(key);
    this.running -= 1;
    key.running -= 1;
    if (!wasReady) this.makeReady(key);
    this.startNext();
    this.forgetUnused(key);
  }

  private startNext(): void {
    while (this.running < this.limits.maxRunning) {
      const key = this.ready.dequeue();
      if (key === undefined) return;
      this.startOne(key);
      this.makeReady(key);
      this.forgetUnused(key);
    }
  }

  private startOne(key: Key): void {
    for (let job = key.queued.shift(); job; job = key.queued.shift()) {
      this.queued -= 1;
      if (!job.isAbandoned()) {
        this.take(key);
        job.start();
        return;
      }
      job.refuse();
    }
  }

  private forgetUnused({ id, running, queued }: Key): void {
    if (running === 0 && queued.length === 0) this.keys.delete(id);
  }
}
