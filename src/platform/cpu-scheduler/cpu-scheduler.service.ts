// a getter looks the global one up at each use, which a request's first look at the clock pays for
import { performance } from 'node:perf_hooks';
import { Injectable, Module } from '@nestjs/common';
import { pause } from '../../shared/clock.js';
import { Metrics } from '../observability/metrics.js';
import type { WorkOwner } from './work-owner.js';
import { MAX_COUNTED_MS, SHARE, type Steps, TimeSlicer } from './time-slicer.js';

/** What a permit of its client's rate limit pays for; the request's own permit pays for the first. */
const MS_PER_PERMIT = 2;

const NOTHING: never[] = [];

/** All calculations of the API that take longer than a few milliseconds: merchants take turns, and pay for their time. */
@Injectable()
export class CpuScheduler {
  private readonly slicer: TimeSlicer;
  /** Not in the metric yet: to count there takes longer than a small calculation's turn. */
  private unreportedMs = 0;
  private charge: (owner: WorkOwner, permits: number) => void = () => undefined;

  constructor(metrics: Metrics) {
    const clock = { now: () => performance.now(), pause: callBack };
    const slicer = new TimeSlicer(clock, (owner, ms) => this.spend(owner, ms));
    this.slicer = slicer;
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
        this.set(slicer.size);
      },
    });
  }

  /** Same contract as {@link TimeSlicer.noteRequest}. */
  noteRequest(): void {
    this.slicer.noteRequest();
  }

  /** Same contract as {@link TimeSlicer.run}. */
  run<T>(owner: WorkOwner, steps: Steps<T>): Promise<T> {
    return this.slicer.run(owner, steps);
  }

  /** Charges what was done for the owner elsewhere, such as in the database, and rests. */
  async chargeAndPause(owner: WorkOwner, ms: number): Promise<void> {
    this.spend(owner, ms);
    await this.pauseAfter(ms);
  }

  /** Pauses after what took `ms` elsewhere for as long as after a slice; charges nobody, as it may have waited for others. */
  async pauseAfter(ms: number): Promise<void> {
    if (this.slicer.hasOtherRequests) await pause(Math.min(ms, MAX_COUNTED_MS) * (1 / SHARE - 1));
  }

  /** Resolves when it is the owner's turn to do what cannot be sliced and takes about `ms`. Problems: as `run`. */
  async reserve(owner: WorkOwner, ms: number): Promise<void> {
    await this.slicer.run(owner, NOTHING.values());
    this.slicer.take(ms);
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
  onCharge(charge: (owner: WorkOwner, permits: number) => void): void {
    this.charge = charge;
  }
}

function callBack(ms: number, then: () => void): void {
  if (ms > 0) setTimeout(then, ms);
  else setImmediate(then);
}

@Module({ providers: [CpuScheduler], exports: [CpuScheduler] })
export class CpuSchedulerModule {}
