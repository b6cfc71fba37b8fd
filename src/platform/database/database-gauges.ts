import { Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { Metrics, type MetricDefinition } from '../observability/metrics.js';
import { withTimeout } from '../../shared/clock.js';
import { Database, type Statement } from './database.js';
import { isQueryCanceled } from './postgres-errors.js';

/** How long a result is reused, for all scrapes. */
const FRESH_MS = 3_000;
/** Slow statements run less often: at most a twentieth of the time is spent reading. */
const PAUSE_PER_WORK = 20;
const MAX_PAUSE_MS = 30_000;
/** Time limits: of the statement, and of a scrape that waits for it, which is less than Prometheus waits for us. */
const STATEMENT_TIMEOUT_MS = 2_000;
const ANSWER_MS = 2_500;

/** $1 ms, until the end of the transaction. */
const BOUND_STATEMENTS: Statement = {
  name: 'database_gauges.bound_statements',
  text: `SELECT set_config('statement_timeout', $1, true)`,
};

/** A gauge whose value comes from the rows of a statement. */
export interface DatabaseGauge<Row> extends MetricDefinition<string> {
  /** A value; `null` for no value; or one for each combination of labels. */
  value: (rows: Row[]) => number | null | { labels: Readonly<Record<string, string>>; value: number }[];
}

/**
 * Gauges whose values are read from the database when `/metrics` is requested. So every process reports the same
 * values, also about the work of another kind of process, which may be down.
 * - All gauges of a statement and all scrapes within a few seconds share one result, and one statement runs at a time.
 *   So the load on the database does not depend on the number of scrapes, and uses at most one connection of the pool.
 * - When a statement fails or takes too long, its gauges have no value, and the scrape is answered without them. An
 *   unknown value is absent; it is never the last value, and never 0.
 */
@Injectable()
export class DatabaseGauges {
  /** Settles when the current statement has ended. */
  private lastRun: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  /** Call once per statement, in a constructor. `values`: returns the parameters for each run. */
  add<Row>(statement: Statement, gauges: DatabaseGauge<Row>[], values: () => unknown[] = () => []): void {
    const result = new CachedResult<Row>(() => this.read<Row>(statement, values()), this.freshMs);
    for (const { value, ...definition } of gauges) {
      this.metrics.gauge<string>({
        ...definition,
        isFromDatabase: true,
        async collect() {
          const rows = await result.rows();
          show(this, rows === undefined ? null : value(rows));
        },
      });
    }
  }

  /** Shortest time for which a result is reused. */
  get freshMs(): number {
    return FRESH_MS;
  }

  private read<Row>(statement: Statement, values: unknown[]): Promise<ResultRows<Row>> {
    const found = this.lastRun.then(() =>
      this.database.readOnly(async (transaction) => {
        // after the wait for a connection, which costs the server nothing
        const startedAt = performance.now();
        await transaction.query(BOUND_STATEMENTS, [String(STATEMENT_TIMEOUT_MS)]);
        const rows = await transaction.query<Row>(statement, values);
        return { rows, tookMs: performance.now() - startedAt };
      }),
    );
    this.lastRun = found.catch(() => undefined);
    return found;
  }
}

interface ResultRows<Row> {
  rows: Row[];
  tookMs: number;
}

/** The last result of a statement, for as long as it is reused. */
class CachedResult<Row> {
  private last: Row[] | undefined;
  private pending: Promise<void> | undefined;
  private notBefore = -Infinity;

  constructor(
    private readonly read: () => Promise<ResultRows<Row>>,
    private readonly freshMs: number,
  ) {}

  /** `undefined`: not known now. Never rejects, and never takes longer than `ANSWER_MS`. */
  async rows(): Promise<Row[] | undefined> {
    if (performance.now() >= this.notBefore) this.pending ??= this.refresh();
    if (!this.pending) return this.last;
    return withTimeout(ANSWER_MS, this.pending, 'no answer').then(
      () => this.last,
      () => undefined,
    );
  }

  private async refresh(): Promise<void> {
    let pauseMs = this.freshMs;
    try {
      const { rows, tookMs } = await this.read();
      this.last = rows;
      pauseMs = Math.min(MAX_PAUSE_MS, Math.max(this.freshMs, tookMs * PAUSE_PER_WORK));
    } catch (error) {
      this.last = undefined;
      // an unavailable server needs no longer pause: asking it again costs it nothing
      if (isQueryCanceled(error)) pauseMs = MAX_PAUSE_MS;
    }
    this.notBefore = performance.now() + pauseMs;
    this.pending = undefined;
  }
}

function show(gauge: Gauge, value: ReturnType<DatabaseGauge<never>['value']>): void {
  gauge.reset();
  if (Array.isArray(value)) for (const one of value) gauge.set(one.labels, one.value);
  else if (value !== null) gauge.set(value);
  // without labels `reset` sets it to 0
  else gauge.remove({});
}
