import pg from 'pg';

// ids and counts are far below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const CONNECT_TIMEOUT_MS = 10_000;
const ignored = (): void => undefined;

/** Runs statements of the harness, not through the links that faults cut. Calls `url` again after every `reset`. */
export class HarnessDatabase {
  private pool: pg.Pool | undefined;

  constructor(private readonly url: () => string) {}

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.pool ??= this.open();
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Runs `work` in one transaction, which is rolled back if it rejects. */
  async transaction<T>(work: (on: Pick<HarnessDatabase, 'query'>) => Promise<T>): Promise<T> {
    this.pool ??= this.open();
    const client = await this.pool.connect();
    const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows;
    let failure: Error | undefined;
    try {
      await query('BEGIN');
      const result = await work({ query });
      await query('COMMIT');
      return result;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure); // the server rolls back when the connection is closed
    }
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
    // the server is shut down by a planned fault: a statement reports it
    pool.on('error', ignored);
    // at once, because the shutdown may arrive together with the end of the login
    pool.on('connect', (client) => client.on('error', ignored));
    return pool;
  }
}
