import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from '../../src/platform/health/health.service.js';
import { SLOTS, type Slot } from './schedule.js';
import type { ChaosHarness } from './harness.js';

const INTERVAL_MS = 400;
const TIMEOUT_MS = 3_000;

/** An answer of /health/ready of one process. Times are ms since 1970. */
export interface HealthSample {
  slot: string;
  askedAt: number;
  answeredAt: number;
  /** `null`: no answer within 3 s. */
  status: Readiness['status'] | null;
}

/** Asks every running process whether it is ready, until it is stopped. */
export class HealthWatch {
  readonly samples: HealthSample[] = [];
  private stopped = false;
  private readonly ended: Promise<unknown>;

  constructor(private readonly harness: ChaosHarness) {
    this.ended = Promise.all(SLOTS.map((slot) => this.watch(slot)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended;
  }

  private async watch(slot: Slot): Promise<void> {
    const process = this.harness.processes[slot];
    for (; !this.stopped; await delay(INTERVAL_MS)) {
      if (!process.isUp) continue;
      const askedAt = Date.now();
      const status = await ask(process.url);
      // no sample if the process was killed or frozen meanwhile
      if (process.isUp) this.samples.push({ slot, askedAt, answeredAt: Date.now(), status });
    }
  }
}

async function ask(url: string): Promise<HealthSample['status']> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return ((await response.json()) as Pick<Readiness, 'status'>).status;
  } catch {
    return null;
  }
}
