import { Logger } from '@nestjs/common';
import pg from 'pg';
import { withOptions } from '../database/connection.js';
import { COMMON_OPTIONS } from '../database/session-settings.js';
import { PermitStore, type Spending } from './sync-loop.js';

const TIMEOUT_MS = 1_000;
const CLEAN_UP_INTERVAL_MS = 60_000;
const CLEAN_UP_ROWS = 10_000;

/**
 * $1 keys, $2 ms. Sorted, so that processes lock rows in the same order. `EXCLUDED.full_at - now()` is the spent time.
 * A row from the future was written before the clock was set back, and moves back with it. The tolerance of a second is
 * for concurrent transactions, which begin at most that far apart.
 */
const SPEND = {
  name: 'rate_limits.spend',
  text: `INSERT INTO rate_limits AS known (key, full_at, spent_at)
    SELECT key, now() + sum(ms) * interval '1 millisecond', now()
    FROM unnest($1::text[], $2::float8[]) AS spent (key, ms)
    GROUP BY key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      full_at = greatest(known.full_at - greatest(known.spent_at - now() - interval '1 s', interval '0'), now())
        + (EXCLUDED.full_at - now()),
      spent_at = EXCLUDED.spent_at
    RETURNING key, greatest(extract(epoch FROM full_at - now()), 0)::float8 * 1000 AS ms`,
};

/** Deletes buckets that are full again. Never waits for a row that another process spends from. */
const CLEAN_UP = {
  name: 'rate_limits.clean_up',
  text: `DELETE FROM rate_limits WHERE key IN (
    SELECT key FROM rate_limits WHERE full_at <= now() LIMIT ${CLEAN_UP_ROWS} FOR UPDATE SKIP LOCKED)`,
};

/**
 * Token buckets in an unlogged table: spending writes no WAL and does not wait for the disk. After a crash of
 * PostgreSQL all buckets are full.
 */
export class PostgresPermitStore extends PermitStore {
  private readonly logger = new Logger(PostgresPermitStore.name);
  private readonly pool: pg.Pool;
  private cleanUpAt = 0;

  /** Uses its own connection: requests that wait for the shared pool must not delay the limits, nor the limits them. */
  constructor(connection: pg.PoolConfig) {
    super();
    this.pool = new pg.Pool({
      ...withOptions(connection, COMMON_OPTIONS),
      max: 1,
      application_name: 'payment-orchestrator-limits',
      connectionTimeoutMillis: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      query_timeout: 2 * TIMEOUT_MS,
    });
    // a lost connection emits an error, which would end the process; the next statement opens another connection
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async spend(spendings: Spending[]): Promise<number[]> {
    const values = [spendings.map(({ key }) => key), spendings.map(({ ms }) => ms)];
    const { rows } = await this.pool.query<Spending>({ values, ...SPEND });
    const left = new Map(rows.map(({ key, ms }) => [key, ms]));
    this.cleanUpIfDue();
    return spendings.map(({ key }) => left.get(key) ?? 0);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** Every process does it, rarely and after a write: no timer is needed, and an unused limit costs nothing. */
  private cleanUpIfDue(): void {
    const now = performance.now();
    if (now < this.cleanUpAt) return;
    this.cleanUpAt = now + CLEAN_UP_INTERVAL_MS;
    this.pool.query(CLEAN_UP).catch((error: unknown) => {
      this.logger.warn({ msg: 'could not clean up rate limits', err: error });
    });
  }
}
