import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Drain } from '../http/drain.js';
import { QueueHealth } from '../queue/queue-health.service.js';
import { type CheckResult, Probe } from './probe.js';

export interface Readiness {
  ready: boolean;
  checks: Record<string, CheckResult>;
}

const PING = { name: 'health-ping', text: 'SELECT 1' };

@Injectable()
export class HealthService {
  private readonly probes: Probe[];

  constructor(
    database: Database,
    queue: QueueHealth,
    private readonly drain: Drain,
  ) {
    this.probes = [new Probe('database', () => database.query(PING)), new Probe('queue', () => queue.ping())];
  }

  /** Whether this process should be sent work: all dependencies answer within 1 s and it is not shutting down. */
  async readiness(): Promise<Readiness> {
    const results = await Promise.all(
      this.probes.map(async (probe): Promise<[string, CheckResult]> => [probe.name, await probe.check()]),
    );
    const ready = !this.drain.isDraining && results.every(([, result]) => result === 'up');
    return { ready, checks: Object.fromEntries(results) };
  }

  get isShuttingDown(): boolean {
    return this.drain.isDraining;
  }
}
