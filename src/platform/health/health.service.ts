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
 * Why not @nestjs/terminus: its indicators neither share nor keep a check, and it has no `degraded`.
 */
export class Probe {
  private result: Promise<CheckResult> | undefined;
  private startedAt = -Infinity;

  constructor(private readonly ping: () => Promise<unknown>) {}

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
  status: 'ok' | 'degraded' | 'shutting_down' | 'unavailable';
  checks: { database: CheckResult; queue: CheckResult };
}

const PING = { name: 'health-ping', text: 'SELECT 1' };

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
   * Whether this process should be sent work: the database answers within 1 s and it is not shutting down. Without the
   * queue it works on (`degraded`): a balancer that took all processes away for it would make an outage of one.
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
