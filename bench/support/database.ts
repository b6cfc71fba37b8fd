import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { migrateQueue } from '../../src/platform/queue/queue-migration.js';

// ids and counts are far below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A database of its own for one contestant, with the product's schema and the bench's connection to it. */
export class BenchDatabase {
  hasOneTable = false;

  private constructor(
    readonly url: string,
    private readonly pool: pg.Pool,
  ) {}

  static async create(serverUrl: string, name: string): Promise<BenchDatabase> {
    const server = new pg.Client({ connectionString: serverUrl });
    await server.connect();
    await server.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    await server.end();
    const address = new URL(serverUrl);
    address.pathname = `/${name}`;
    const url = address.href;
    await migrate(url);
    await migrateQueue(url);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    pool.on('error', () => undefined); // the server goes away at the end
    return new BenchDatabase(url, pool);
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Several statements on the one connection, one after the other, each in a transaction of its own. */
  async run(...statements: string[]): Promise<void> {
    for (const statement of statements) await this.pool.query(statement);
  }

  /**
   * For baselines, which keep a delivery in one row of one table from its creation on: `webhook_deliveries` as the product
   * had it before its queue table.
   */
  async useOneTable(): Promise<void> {
    this.hasOneTable = true;
    await this.run(
      'ALTER TABLE webhook_deliveries DISABLE TRIGGER USER',
      'ALTER TABLE webhook_deliveries SET (fillfactor = 50)',
    );
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
