import { setTimeout as delay } from 'node:timers/promises';
import { readiness } from '../../src/cli/managed-process.js';
import { SLOTS, type Slot } from './schedule.js';
import type { World } from './world.js';

const EVERY_MS = 400;

/** What /health/ready of one process said. `null`: no answer within 3 s. Times are ms since 1970. */
export interface HealthSample {
  slot: string;
  askedAt: number;
  answeredAt: number;
  status: number | null;
}

/** Asks every process that runs whether it is ready, until it is stopped. */
export class HealthWatch {
  readonly samples: HealthSample[] = [];
  private stopped = false;
  private readonly ended: Promise<unknown>;

  constructor(private readonly world: World) {
    this.ended = Promise.all(SLOTS.map((slot) => this.watch(slot)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended;
  }

  private async watch(slot: Slot): Promise<void> {
    const process = this.world.processes[slot];
    for (; !this.stopped; await delay(EVERY_MS)) {
      if (!process.isUp) continue;
      const askedAt = Date.now();
      const status = await readiness(process.url);
      // killed or frozen meanwhile: its silence says nothing
      if (process.isUp) this.samples.push({ slot, askedAt, answeredAt: Date.now(), status });
    }
  }
}
