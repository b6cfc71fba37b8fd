// a getter looks the global one up at each use, which a request's first look at the clock pays for
import { performance } from 'node:perf_hooks';
import { Injectable, Module } from '@nestjs/common';
import { pause } from '../../shared/clock.js';
import { Metrics } from '../observability/metrics.js';
import type { WorkOwner } from './work-owner.js';
import { FairQueue, SHARE, type Steps } from './fair-queue.js';

/** What a permit of its client's rate limit pays for; the request's own permit pays for the first. */
const MS_PER_PERMIT = 2;

/** Whatever takes longer has waited: for a lock, or a database that is away. */
const MOST_RESTED_MS = 50;

const NOTHING: never[] = [];

/** The one place where the API computes for longer than a few milliseconds: by turns of merchants, at their cost. */
@Injectable()
export class FairWork {
  private readonly queue: FairQueue;
  /** Not in the metric yet: to count there takes longer than a small calculation's turn. */
  private unreportedMs = 0;
  private charge: (owner: WorkOwner, permits: number) => void = () => undefined;

  constructor(metrics: Metrics) {
    const idle = (): number => performance.eventLoopUtilization().idle;
    const clock = { now: () => performance.now(), idle, pause: callBack };
    this.queue = new FairQueue(clock, (owner, ms) => this.spend(owner, ms));
    const takeUnreported = (): number => {
      const ms = this.unreportedMs;
      this.unreportedMs = 0;
      return ms;
    };
    metrics.counter({
      name: 'fair_work_seconds_total',
      help: 'Time spent on simulations, proofs, backtests and redeliveries',
      collect() {
        this.inc(takeUnreported() / 1_000);
      },
    });
    metrics.gauge({
      name: 'fair_work_waiting',
      help: 'Simulations, proofs, backtests and redeliveries that wait for their turn',
      collect() {
        this.set(queue.size);
      },
    });
    const { queue } = this;
  }

  /** As `FairQueue.noteOthers`. */
  noteOthers(): void {
    this.queue.noteOthers();
  }

  /** As `FairQueue.run`. */
  run<T>(owner: WorkOwner, steps: Steps<T>): Promise<T> {
    return this.queue.run(owner, steps);
  }

  /** Charges what was done for the owner elsewhere, such as in the database, and rests. */
  async giveWay(owner: WorkOwner, ms: number): Promise<void> {
    this.spend(owner, ms);
    await this.rest(ms);
  }

  /** Pauses after what took `ms` elsewhere for as long as after a slice; charges nobody, as it may have waited for others. */
  async rest(ms: number): Promise<void> {
    if (this.queue.hasOthers) await pause(Math.min(ms, MOST_RESTED_MS) * (1 / SHARE - 1));
  }

  /** Resolves when it is the owner's turn to do what cannot be sliced and takes about `ms`. Problems: as `run`. */
  async turn(owner: WorkOwner, ms: number): Promise<void> {
    await this.queue.run(owner, NOTHING.values());
    this.queue.take(ms);
    this.spend(owner, ms);
  }

  private spend(owner: WorkOwner, ms: number): void {
    owner.spentMs += ms;
    this.unreportedMs += ms;
    const due = Math.floor(owner.spentMs / MS_PER_PERMIT);
    if (due <= owner.charged) return;
    this.charge(owner, due - owner.charged);
    owner.charged = due;
  }

  /** Who charges the permits of requests that took longer than theirs pays for. */
  chargeBy(charge: (owner: WorkOwner, permits: number) => void): void {
    this.charge = charge;
  }
}

function callBack(ms: number, then: () => void): void {
  if (ms > 0) setTimeout(then, ms);
  else setImmediate(then);
}

@Module({ providers: [FairWork], exports: [FairWork] })
export class FairWorkModule {}
