import pg from 'pg';

// ids and counts are far below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const CONNECT_TIMEOUT_MS = 10_000;

/** Runs statements of the harness, not through the links that faults cut. Calls `url` again after every `reset`. */
export class HarnessDatabase {
  private pool: pg.Pool | undefined;

  constructor(private readonly url: () => string) {}

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.pool ??= this.open();
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Reconnects, because the server has another address from now on. */
  async reset(): Promise<void> {
    const { pool } = this;
    this.pool = undefined;
    await pool?.end().catch(() => undefined);
  }

  private open(): pg.Pool {
    const options = { connectionString: this.url(), max: 2, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
    const pool = new pg.Pool(options);
    pool.on('error', () => undefined); // the server is shut down by a planned fault
    return pool;
  }
}
