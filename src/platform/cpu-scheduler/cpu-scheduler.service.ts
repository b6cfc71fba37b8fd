// imported, because the global `performance` is a getter that costs time at each use
import { performance } from 'node:perf_hooks';
import { Injectable, Module } from '@nestjs/common';
import { pause } from '../../shared/clock.js';
import { Metrics } from '../observability/metrics.js';
import type { WorkOwner } from './work-owner.js';
import { MAX_COUNTED_MS, SHARE, type Steps, TimeSlicer } from './time-slicer.js';

/** Computing time per permit of the client's rate limit; the request's own permit pays for the first one. */
const MS_PER_PERMIT = 2;

const NOTHING: never[] = [];

/**
 * Runs all calculations of the API that take longer than a few milliseconds, in time slices: merchants are served round
 * robin, and pay for their time.
 */
@Injectable()
export class CpuScheduler {
  private readonly slicer: TimeSlicer;
  /** Not yet in the metric: updating it takes longer than a small calculation. */
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
      help: 'Time spent on simulations, flow assertions, backtests and redeliveries',
      collect() {
        this.inc(takeUnreported() / 1_000);
      },
    });
    metrics.gauge({
      name: 'fair_work_waiting',
      help: 'Simulations, flow assertions, backtests and redeliveries that are queued',
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

  /** Charges `ms` of work that was done for the owner elsewhere, such as in the database, and pauses. */
  async chargeAndPause(owner: WorkOwner, ms: number): Promise<void> {
    this.spend(owner, ms);
    await this.pauseAfter(ms);
  }

  /**
   * Pauses after `ms` of work elsewhere, as long as after a slice of that length. Charges no client, because the work
   * may have waited for others.
   */
  async pauseAfter(ms: number): Promise<void> {
    if (this.slicer.hasOtherRequests) await pause(Math.min(ms, MAX_COUNTED_MS) * (1 / SHARE - 1));
  }

  /** Resolves when the owner may do work that cannot be sliced and takes about `ms`. Problems: as {@link run}. */
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

  /** Sets the function that charges permits for requests that took longer than their own permit pays for. */
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
