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
import { Replica, type ReplicaSettings } from './replica.js';

export const REPLICA = Symbol('ReplicaSettings');

/** SQLSTATE of a statement that took too long: it would again. */
const QUERY_CANCELED = '57014';

/**
 * Why not the replication of TypeORM: it knows no lag, and our statements do not go through its query runners.
 *
 * Reads that decide nothing and may be some seconds old: lists, reports, backtests. They go to the replica where there is one
 * that is near enough, and to the primary otherwise. Never what a payment, a delivery or a permission is decided by, and
 * never the answer to who has just written it.
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
      help: 'Reads that a replica may answer, by the server that was asked; a read that fails on the replica counts for both',
      labels: { server: ['primary', 'replica'] },
    });
    metrics.gauge({
      name: 'database_replica_lag_seconds',
      help: 'How old what the replica lacks is at most; absent: there is none, or it does not answer',
      collect() {
        if (replica?.lagMs === undefined) this.remove({});
        else this.set(replica.lagMs / 1_000);
      },
    });
  }

  onApplicationBootstrap(): void {
    this.replica?.start();
  }

  /** What is in flight ends on the primary, or where it is. */
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
        if ((error as { code?: unknown }).code === QUERY_CANCELED) throw error;
        this.replica.markStale();
      }
    }
    this.reads.inc({ server: 'primary' });
    return this.primary.query<Row>(statement, values);
  }

  /** As `Database.readOnly`. A server that fails once `work` has begun fails `work`: it may have taken something in. */
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
