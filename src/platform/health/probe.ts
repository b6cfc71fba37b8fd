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
