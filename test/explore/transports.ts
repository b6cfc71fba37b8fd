import type { OutboundErrorCode, OutboundResult } from '../../src/platform/outbound/outbound-result.js';
import type { Owner, VirtualClock } from './virtual-clock.js';
import type { Reaction } from './receivers.js';

/** One HTTP exchange. */
export interface Exchange {
  /** The first byte is sent now. Returns what the receiver will do. */
  begin(): Reaction;
  /** The exchange is over for the sender, with or without an answer. */
  end(result: OutboundResult): void;
}

export interface Transport {
  post(origin: string, timeoutMs: number, exchange: Exchange): Promise<OutboundResult>;
}

/** A post begins at once: its caller has a free connection. */
export class DirectTransport implements Transport {
  constructor(
    private readonly clock: VirtualClock,
    private readonly owner: Owner,
  ) {}

  post(_origin: string, timeoutMs: number, exchange: Exchange): Promise<OutboundResult> {
    const startedMs = this.clock.nowMs;
    const startedAt = new Date();
    const reaction = exchange.begin();
    return new Promise((resolve) => {
      const settle = (answer: Reaction): void => {
        const result = resultOf(answer, startedAt, this.clock.nowMs - startedMs);
        exchange.end(result);
        resolve(result);
      };
      const isInTime = reaction.afterMs <= timeoutMs;
      const answer: Reaction = isInTime ? reaction : { afterMs: timeoutMs, error: 'timeout' };
      this.clock.after(answer.afterMs, this.owner, () => settle(answer));
    });
  }
}

interface QueuedPost {
  pool: Pool;
  stage: 'queued' | 'connecting' | 'open';
  deadlineTick: number;
  /** 0: it waits for its connection. */
  begunMs: number;
  exchange: Exchange;
  settle(reaction: Reaction): void;
  cancel(): void;
}

const CONNECTIONS = 32;
const TICK_MS = 25;
const DIAL_MS = 0.5;
const EXPIRED: Record<QueuedPost['stage'], OutboundErrorCode> = {
  queued: 'shutting_down', // requests that were never sent had a separate code
  connecting: 'connect_timeout',
  open: 'timeout',
};

interface Pool {
  size: number;
  idle: number;
  queue: Set<QueuedPost>;
}

/**
 * The outbound client up to commit 12e2b7b. A post beyond 32 per origin is queued while its timeout runs. Deadlines are
 * swept every 25 ms. A connection closed by a deadline is replaced by one for the next queued post, within the same
 * sweep.
 */
export class QueueingTransport implements Transport {
  private readonly pools = new Map<string, Pool>();
  private readonly posts = new Set<QueuedPost>();
  private isSweeping = false;

  constructor(
    private readonly clock: VirtualClock,
    private readonly owner: Owner,
  ) {}

  post(origin: string, timeoutMs: number, exchange: Exchange): Promise<OutboundResult> {
    const pool = this.poolOf(origin);
    const startedAt = new Date();
    const startedMs = this.clock.nowMs;
    const cancel = (): void => undefined;
    const deadlineTick = Math.ceil((startedMs + timeoutMs) / TICK_MS);
    return new Promise((resolve) => {
      const settle = (reaction: Reaction): void => {
        this.posts.delete(post);
        const result = resultOf(reaction, startedAt, this.clock.nowMs - startedMs);
        if (post.begunMs > 0) exchange.end(result);
        resolve(result);
      };
      const post: QueuedPost = { pool, stage: 'queued', deadlineTick, begunMs: 0, exchange, settle, cancel };
      this.posts.add(post);
      this.sweepLater();
      this.submit(pool, post);
    });
  }

  private poolOf(origin: string): Pool {
    const pool = this.pools.get(origin) ?? { size: 0, idle: 0, queue: new Set() };
    this.pools.set(origin, pool);
    return pool;
  }

  private submit(pool: Pool, post: QueuedPost): void {
    if (pool.idle > 0) {
      pool.idle -= 1;
      this.send(pool, post);
    } else if (pool.size < CONNECTIONS) this.open(pool, post);
    else pool.queue.add(post);
  }

  private open(pool: Pool, post: QueuedPost): void {
    pool.size += 1;
    post.stage = 'connecting';
    post.cancel = this.clock.after(DIAL_MS, this.owner, () => this.send(pool, post));
  }

  private send(pool: Pool, post: QueuedPost): void {
    post.stage = 'open';
    post.begunMs = this.clock.nowMs;
    const reaction = post.exchange.begin();
    if (reaction.afterMs === Infinity) return;
    post.cancel = this.clock.after(reaction.afterMs, this.owner, () => {
      post.settle(reaction);
      if ('error' in reaction) this.lost(pool);
      else this.freed(pool);
    });
  }

  private freed(pool: Pool): void {
    const next = nextIn(pool.queue);
    if (next === undefined) pool.idle += 1;
    else this.send(pool, next);
  }

  private lost(pool: Pool): void {
    pool.size -= 1;
    const next = nextIn(pool.queue);
    if (next !== undefined) this.open(pool, next);
  }

  private sweepLater(): void {
    if (this.isSweeping) return;
    this.isSweeping = true;
    this.clock.after(TICK_MS, this.owner, () => {
      this.isSweeping = false;
      this.sweep();
      if (this.posts.size > 0) this.sweepLater();
    });
  }

  private sweep(): void {
    const tick = Math.floor(this.clock.nowMs / TICK_MS);
    for (const post of this.posts) {
      if (post.deadlineTick > tick) continue;
      post.cancel();
      post.settle({ afterMs: 0, error: EXPIRED[post.stage] });
      if (!post.pool.queue.delete(post)) this.lost(post.pool);
    }
  }
}

function nextIn(queue: Set<QueuedPost>): QueuedPost | undefined {
  for (const post of queue) {
    queue.delete(post);
    return post;
  }
  return undefined;
}

const NOTHING = Buffer.alloc(0);

const resultOf = (reaction: Reaction, startedAt: Date, durationMs: number): OutboundResult => ({
  statusCode: 'statusCode' in reaction ? reaction.statusCode : null,
  error: 'error' in reaction ? reaction.error : null,
  startedAt,
  durationMs: Math.round(durationMs),
  retryAfter: 'statusCode' in reaction ? (reaction.retryAfter ?? null) : null,
  responseBody: NOTHING,
});
