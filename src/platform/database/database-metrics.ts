import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Histogram } from 'prom-client';
import { Metrics } from '../observability/metrics.js';
import { Database, type Statement } from './database.js';
import { DatabaseGauges } from './database-gauges.js';

/**
 * Age of the oldest transaction, in any database of the server, prepared ones included; 0: there is none. It keeps dead
 * rows from being vacuumed, and holds back the events that readers get. Vacuum itself holds nothing back. PostgreSQL
 * shows transactions of other roles only to members of pg_monitor.
 */
const OLDEST_SNAPSHOT: Statement = {
  name: 'database.oldest_snapshot',
  text: `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8 AS seconds FROM (
      SELECT xact_start AS since FROM pg_stat_activity
      WHERE (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND pid <> pg_backend_pid()
        AND backend_type <> 'autovacuum worker'
      UNION ALL SELECT prepared FROM pg_prepared_xacts
    ) AS transactions`,
};

const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** Metrics of this process's connection pool, and of the oldest snapshot on the server. */
@Injectable()
export class DatabaseMetrics {
  constructor({ pool }: Database, metrics: Metrics, rows: DatabaseGauges) {
    metrics.gauge({
      name: 'database_pool_connections',
      help: 'Open connections to PostgreSQL of this process',
      labels: { state: ['idle', 'busy'] },
      collect() {
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      },
    });
    metrics
      .gauge({ name: 'database_pool_limit', help: 'Largest number of connections of the pool' })
      .set(pool.options.max);
    metrics.gauge({
      name: 'database_pool_waiting',
      help: 'Statements and transactions that wait for a connection from the pool',
      collect() {
        this.set(pool.waitingCount);
      },
    });
    const waits = {
      name: 'database_pool_wait_seconds',
      help: 'Time that statements and transactions waited for a connection from the pool',
    };
    timeWaits(pool, metrics.histogram({ ...waits, buckets: WAIT_BUCKETS }));
    rows.add<{ seconds: number }>(OLDEST_SNAPSHOT, [
      {
        name: 'database_oldest_snapshot_seconds',
        help: 'Age of the oldest transaction for which PostgreSQL keeps dead rows; it also holds back GET /events',
        value: ([row]) => row!.seconds,
      },
    ]);
  }
}

type Connected = Parameters<Parameters<Pool['connect']>[0]>;

/** Measures in `pool.connect`, which our code, TypeORM and `pool.query` all use. */
function timeWaits(pool: Pool, seconds: Histogram): void {
  const connect = pool.connect.bind(pool) as (callback: (...connected: Connected) => void) => void;
  const timed = (callback: (...connected: Connected) => void): void => {
    const askedAt = performance.now();
    connect((...connected) => {
      seconds.observe((performance.now() - askedAt) / 1_000);
      callback(...connected);
    });
  };
  pool.connect = ((callback?: (...connected: Connected) => void) =>
    callback
      ? timed(callback)
      : new Promise<Connected[1]>((resolve, reject) => {
          timed((error, client) => (client ? resolve(client) : reject(error!)));
        })) as Pool['connect'];
}
