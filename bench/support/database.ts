import pg from 'pg';
import { migrate } from '../../src/schema/upgrade/migrate.js';
import { migrateQueue } from '../../src/platform/queue/queue-migration.js';
import { CREATE_PLAIN_TABLES, PLAIN_TABLES } from './plain-tables.js';
import { type DeliveryTables, SERVICE_TABLES } from './delivery-tables.js';

// ids and counts are far below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Which tables store the deliveries: the service's, or the plain ones of a baseline. */
export type DatabaseOwner = 'service' | 'baseline';

/** A database of one system under test, with the product's schema and the bench's connection to it. */
export class BenchDatabase {
  private constructor(
    readonly url: string,
    readonly deliveries: DeliveryTables,
    private readonly pool: pg.Pool,
  ) {}

  static async create(serverUrl: string, name: string, owner: DatabaseOwner): Promise<BenchDatabase> {
    await onServer(serverUrl, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    const address = new URL(serverUrl);
    address.pathname = `/${name}`;
    const url = address.href;
    await migrate(url);
    await migrateQueue(url);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    pool.on('error', () => undefined); // the server is stopped at the end
    const query = async (text: string): Promise<unknown[]> => (await pool.query<pg.QueryResultRow>(text)).rows;
    if (owner === 'baseline') for (const statement of CREATE_PLAIN_TABLES) await query(statement);
    return new BenchDatabase(url, owner === 'baseline' ? PLAIN_TABLES : SERVICE_TABLES, pool);
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Runs statements on the one connection, each in its own transaction. */
  async run(...statements: string[]): Promise<void> {
    for (const statement of statements) await this.pool.query(statement);
  }

  async close(): Promise<void> {
    if (!this.pool.ended) await this.pool.end();
  }

  /** Frees the disk space, even if others are still connected. */
  async drop(serverUrl: string): Promise<void> {
    await this.close();
    await onServer(serverUrl, `DROP DATABASE ${pg.escapeIdentifier(new URL(this.url).pathname.slice(1))} WITH (FORCE)`);
  }
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(statement);
  await server.end();
}
