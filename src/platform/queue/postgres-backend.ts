import { type BackendFactory, createPostgresBackend, type IQueueBackend } from 'bullmq';
import pg from 'pg';
import { connectionTo, withOptions } from '../database/connection.js';
import { UNBOUNDED_OPTIONS } from '../database/session-settings.js';

/** The schema of BullMQ's tables: its default, which its migrations create. */
export const QUEUE_SCHEMA = 'bullmq';

const KEEP_ALIVE_MS = 10_000;

/** Time-out of the first connection: a starting process is busy, and BullMQ never retries that one. */
const FIRST_CONNECTION_MS = 10_000;

/**
 * Small pools next to TypeORM's, so that many processes fit: BullMQ runs one query after another. One connection of a
 * worker only listens.
 */
export function postgresBackend(databaseUrl: string) {
  const shared = {
    ...connectionTo(databaseUrl),
    application_name: 'payment-orchestrator-queue',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  return {
    kind: 'postgres' as const,
    // BullMQ's types of queues are those for Redis; each factory gets the options that were made for it
    factory: ownPoolBackend as unknown as BackendFactory<IQueueBackend>,
    producer: { ...shared, max: 1, connectionTimeoutMillis: 2_000, query_timeout: 5_000 },
    consumer: { ...shared, max: 3, connectionTimeoutMillis: 10_000, query_timeout: 20_000 },
  };
}

type PostgresBackendFactory = typeof createPostgresBackend;

/** Asks for delayed jobs and for a rate limit. Our queues have neither: half of an idle worker's statements ask for them. */
const ASKS_FOR_DELAYS = /\bnext_(?:signal|delay)\(/;
/** BullMQ's statements are few constant texts, which it does not prepare: planning them costs as much as running them. */
class QueuePool extends pg.Pool {
  private readonly names = new Map<string, string>();

  // BullMQ calls no other form
  override query = ((text: string, values?: unknown[]): Promise<pg.QueryResult> => {
    if (ASKS_FOR_DELAYS.test(text)) return Promise.resolve(NO_ROWS);
    const name = this.names.get(text) ?? `queue_${this.names.size}`;
    this.names.set(text, name);
    return super.query({ name, text, values });
  }) as pg.Pool['query'];
}

const NO_ROWS: pg.QueryResult = { command: 'SELECT', rowCount: 0, oid: 0, fields: [], rows: [] };

/**
 * A backend on a pool that we create and end. Why not BullMQ's own pool: it listens with a client of pg, which knows
 * only one host.
 */
const ownPoolBackend: PostgresBackendFactory = (name, opts, factoryOpts) => {
  const options = `-c search_path=${QUEUE_SCHEMA} ${UNBOUNDED_OPTIONS}`;
  const given = opts.connection as pg.PoolConfig;
  const pool = new QueuePool({ ...withOptions(given, options), connectionTimeoutMillis: FIRST_CONNECTION_MS });
  const backend = createPostgresBackend(name, { ...opts, connection: pool }, factoryOpts);
  const waitUntilReady = backend.waitUntilReady.bind(backend);
  // pg reads it for every new connection
  backend.waitUntilReady = () =>
    waitUntilReady().finally(() => (pool.options.connectionTimeoutMillis = given.connectionTimeoutMillis));
  const close = backend.close.bind(backend);
  let ended: Promise<void> | undefined;
  backend.close = async (force) => {
    await close(force);
    await (ended ??= pool.end());
  };
  return backend;
};
