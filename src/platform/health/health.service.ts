import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Drain } from '../http/drain.js';
import { QueueHealth } from '../queue/queue-health.service.js';
import { withTimeout } from '../../shared/clock.js';

const TIMEOUT_MS = 1_000;
const FRESH_MS = 1_000;

export type CheckResult = 'up' | 'down';

/**
 * Checks one dependency, within 1 s. A result is used for 1 s, and concurrent callers share one check. So the load on
 * the dependency does not depend on the number of health checks.
 *
 * Why not @nestjs/terminus: its indicators neither share nor reuse a check, and it has no `degraded`.
 */
export class Probe {
  private result: Promise<CheckResult> | undefined;
  private startedAt = -Infinity;

  constructor(private readonly ping: () => Promise<unknown>) {}

  check(): Promise<CheckResult> {
    const now = performance.now();
    if (this.result === undefined || now - this.startedAt > FRESH_MS) {
      this.startedAt = now;
      this.result = withinTimeout(this.ping);
    }
    return this.result;
  }
}

const withinTimeout = (ping: () => Promise<unknown>): Promise<CheckResult> =>
  withTimeout(TIMEOUT_MS, ping(), 'no answer').then(
    () => 'up',
    () => 'down',
  );

export interface Readiness {
  status: 'ok' | 'degraded' | 'shutting_down' | 'unavailable';
  checks: { database: CheckResult; queue: CheckResult };
}

const PING = { name: 'health.ping', text: 'SELECT 1' };

@Injectable()
export class HealthService {
  private readonly database: Probe;
  private readonly queue: Probe;

  constructor(
    database: Database,
    queue: QueueHealth,
    private readonly drain: Drain,
  ) {
    this.database = new Probe(() => database.query(PING));
    this.queue = new Probe(() => queue.isUp().then(orReject));
  }

  /**
   * Whether this process should get requests: the database responds within 1 s, and the process is not shutting down.
   * Without the queue it continues (`degraded`): if a load balancer removed all processes then, degraded service would
   * become an outage.
   */
  async readiness(): Promise<Readiness> {
    const [database, queue] = await Promise.all([this.database.check(), this.queue.check()]);
    return { status: this.statusBy(database, queue), checks: { database, queue } };
  }

  private statusBy(database: CheckResult, queue: CheckResult): Readiness['status'] {
    if (this.drain.isDraining) return 'shutting_down';
    if (database === 'down') return 'unavailable';
    return queue === 'down' ? 'degraded' : 'ok';
  }
}

function orReject(isUp: boolean): void {
  if (!isUp) throw new Error('down');
}
