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

function bounded(ping: () => Promise<unknown>): Promise<CheckResult> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('down'), BOUND_MS);
    const settle = (result: CheckResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    ping().then(
      () => settle('up'),
      () => settle('down'),
    );
  });
}
