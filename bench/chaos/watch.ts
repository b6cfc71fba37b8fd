import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from '../../src/platform/health/health.service.js';
import { SLOTS, type Slot } from './schedule.js';
import type { ChaosHarness } from './harness.js';

const EVERY_MS = 400;
const BOUND_MS = 3_000;

/** An answer of /health/ready of one process. Times are ms since 1970. */
export interface HealthSample {
  slot: string;
  askedAt: number;
  answeredAt: number;
  /** `null`: no answer within 3 s. */
  said: Readiness['status'] | null;
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
    for (; !this.stopped; await delay(EVERY_MS)) {
      if (!process.isUp) continue;
      const askedAt = Date.now();
      const said = await ask(process.url);
      // no sample if the process was killed or frozen meanwhile
      if (process.isUp) this.samples.push({ slot, askedAt, answeredAt: Date.now(), said });
    }
  }
}

async function ask(url: string): Promise<HealthSample['said']> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(BOUND_MS) });
    return ((await response.json()) as Pick<Readiness, 'status'>).status;
  } catch {
    return null;
  }
}
