import { Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { Metrics, type MetricDefinition } from '../observability/metrics.js';
import { withTimeout } from '../../shared/clock.js';
import { Database, type Statement } from './database.js';

/** For so long what was read counts, for all scrapes together. */
const FRESH_MS = 3_000;
/** What takes long is read seldom: at most a twentieth of the time goes into reading. */
const REST_PER_WORK = 20;
const MAX_REST_MS = 30_000;
/** How long the server may take; and how long a scrape waits for it, less than Prometheus waits for us. */
const STATEMENT_TIMEOUT_MS = 2_000;
const ANSWER_MS = 2_500;

/** SQLSTATE of a statement that took too long. */
const QUERY_CANCELED = '57014';

/** $1 ms, until the end of the transaction. */
const BOUND_STATEMENTS: Statement = {
  name: 'database_gauges.bound_statements',
  text: `SELECT set_config('statement_timeout', $1, true)`,
};

/** A gauge of what a statement has read. */
export interface DatabaseGauge<Row> extends MetricDefinition<string> {
  /** A value, `null` for none; or one for each combination of labels. */
  value: (rows: Row[]) => number | null | { labels: Readonly<Record<string, string>>; value: number }[];
}

/**
 * Gauges whose values are read from rows when `/metrics` is asked for, so that every process tells the same truth, also of
 * what another kind of process does, which may be dead.
 * - All gauges of one statement and all scrapes within some seconds share one reading, and one statement runs at a time: a
 *   scrape costs the database the same however often it is asked for, and takes one connection of the pool at most.
 * - A reading that fails or takes too long leaves its gauges without a value, and the scrape answers: a value that is not
 *   known is absent, and never the last one or 0.
 */
@Injectable()
export class DatabaseGauges {
  /** Settles when the statement under way has ended. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  /** Once per statement, in a constructor. `values`: of its parameters, made anew for each reading. */
  add<Row>(statement: Statement, gauges: DatabaseGauge<Row>[], values: () => unknown[] = () => []): void {
    const reading = new Reading<Row>(() => this.read<Row>(statement, values()), this.freshMs);
    for (const { value, ...definition } of gauges) {
      this.metrics.gauge<string>({
        ...definition,
        isFromDatabase: true,
        async collect() {
          const rows = await reading.rows();
          show(this, rows === undefined ? null : value(rows));
        },
      });
    }
  }

  /** At least for so long what was read counts. */
  get freshMs(): number {
    return FRESH_MS;
  }

  private read<Row>(statement: Statement, values: unknown[]): Promise<Found<Row>> {
    const found = this.turn.then(() =>
      this.database.readOnly(async (transaction) => {
        // a wait for a connection costs the server nothing
        const startedAt = performance.now();
        await transaction.query(BOUND_STATEMENTS, [String(STATEMENT_TIMEOUT_MS)]);
        const rows = await transaction.query<Row>(statement, values);
        return { rows, tookMs: performance.now() - startedAt };
      }),
    );
    this.turn = found.catch(() => undefined);
    return found;
  }
}

interface Found<Row> {
  rows: Row[];
  tookMs: number;
}

/** What a statement read last, for as long as it counts. */
class Reading<Row> {
  private last: Row[] | undefined;
  private underWay: Promise<void> | undefined;
  private notBefore = -Infinity;

  constructor(
    private readonly read: () => Promise<Found<Row>>,
    private readonly freshMs: number,
  ) {}

  /** `undefined`: not known now. Never rejects, never takes longer than `ANSWER_MS`. */
  async rows(): Promise<Row[] | undefined> {
    if (performance.now() >= this.notBefore) this.underWay ??= this.readAnew();
    if (!this.underWay) return this.last;
    return withTimeout(ANSWER_MS, this.underWay, 'no answer').then(
      () => this.last,
      () => undefined,
    );
  }

  private async readAnew(): Promise<void> {
    let restMs = this.freshMs;
    try {
      const { rows, tookMs } = await this.read();
      this.last = rows;
      restMs = Math.min(MAX_REST_MS, Math.max(this.freshMs, tookMs * REST_PER_WORK));
    } catch (error) {
      this.last = undefined;
      // a server that is away costs it nothing to ask again
      if ((error as { code?: unknown }).code === QUERY_CANCELED) restMs = MAX_REST_MS;
    }
    this.notBefore = performance.now() + restMs;
    this.underWay = undefined;
  }
}

function show(gauge: Gauge, value: ReturnType<DatabaseGauge<never>['value']>): void {
  gauge.reset();
  if (Array.isArray(value)) for (const one of value) gauge.set(one.labels, one.value);
  else if (value !== null) gauge.set(value);
  // without labels `reset` makes it 0
  else gauge.remove({});
}
