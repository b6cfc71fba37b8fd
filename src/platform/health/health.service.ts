import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Drain } from '../http/drain.js';
import { QueueHealth } from '../queue/queue-health.service.js';
import { withTimeout } from '../../shared/clock.js';

const BOUND_MS = 1_000;
const FRESH_MS = 1_000;

export type CheckResult = 'up' | 'down';

/**
 * One dependency's check, bounded to 1 s. A result counts for 1 s and callers at the same time share one check, so that
 * health checks cost a dependency the same however often they are asked for.
 */
export class Probe {
  private result: Promise<CheckResult> | undefined;
  private startedAt = -Infinity;

  constructor(
    readonly name: string,
    private readonly ping: () => Promise<unknown>,
  ) {}

  check(): Promise<CheckResult> {
    const now = performance.now();
    if (this.result === undefined || now - this.startedAt > FRESH_MS) {
      this.startedAt = now;
      this.result = bounded(this.ping);
    }
    return this.result;
  }
}

const bounded = (ping: () => Promise<unknown>): Promise<CheckResult> =>
  withTimeout(BOUND_MS, ping(), 'no answer').then(
    () => 'up',
    () => 'down',
  );

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
