import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../observability/metrics.js';
import { Database, type Queryable, type Statement, type Transaction } from './database.js';
import type { PoolQueries } from './pool-queries.js';
import { isQueryCanceled } from './postgres-errors.js';
import { Replica, type ReplicaSettings } from './replica.js';

export const REPLICA = Symbol('ReplicaSettings');

/**
 * Reads that may be a few seconds old and that no decision depends on: lists, reports, backtests. They go to the
 * replica while its lag is small enough, otherwise to the primary. Never reads that decide a payment, a delivery or a
 * permission, and never the response to a caller that has just written.
 *
 * Why not TypeORM's replication: it does not know the lag, and our statements do not use its query runners.
 */
@Injectable()
export class ReplicaReads
  implements Queryable, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly replica: Replica | undefined;
  private readonly reads: Counter<'server'>;

  constructor(
    private readonly primary: Database,
    metrics: Metrics,
    @Optional() @Inject(REPLICA) settings?: ReplicaSettings,
  ) {
    const replica = (this.replica = settings && new Replica(primary, settings));
    this.reads = metrics.counter({
      name: 'database_reads_total',
      help: 'Reads that a replica may answer, by the server that was asked; one that fails on the replica counts for both',
      labels: { server: ['primary', 'replica'] },
    });
    metrics.gauge({
      name: 'database_replica_lag_seconds',
      help: 'Lag of the replica, an upper bound; absent: there is no replica, or it does not respond',
      collect() {
        if (replica?.lagMs === undefined) this.remove({});
        else this.set(replica.lagMs / 1_000);
      },
    });
  }

  onApplicationBootstrap(): void {
    this.replica?.start();
  }

  /** Reads in flight finish; new ones go to the primary. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.replica?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.close();
  }

  async query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]> {
    if (this.replica?.isFresh) {
      this.reads.inc({ server: 'replica' });
      try {
        return await this.replica.queries.query<Row>(statement, values);
      } catch (error) {
        // it would take too long on the primary as well
        if (isQueryCanceled(error)) throw error;
        this.replica.markStale();
      }
    }
    this.reads.inc({ server: 'primary' });
    return this.primary.query<Row>(statement, values);
  }

  /**
   * Same contract as {@link Database.readOnly}. When a server fails after `work` has begun, `work` fails: it may
   * already have used a result.
   */
  async readOnly<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (!this.replica?.isFresh) return this.begin('primary', this.primary, work);
    let hasBegun = false;
    try {
      return await this.begin('replica', this.replica.queries, (transaction) => {
        hasBegun = true;
        return work(transaction);
      });
    } catch (error) {
      if (hasBegun) throw error;
      this.replica.markStale();
      return this.begin('primary', this.primary, work);
    }
  }

  private begin<T>(
    server: 'primary' | 'replica',
    queries: PoolQueries,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    this.reads.inc({ server });
    return queries.readOnly(work);
  }
}
