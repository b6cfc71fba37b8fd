import { Logger } from '@nestjs/common';
import pg from 'pg';
import { connectionTo } from './connection.js';
import { servingConnection, type ServingOptions } from './data-source-options.js';
import { type Database, READ_TIMEOUT_MS, type Statement } from './database.js';
import { watchConnections } from './connection-watchdog.js';
import { PoolQueries } from './pool-queries.js';
import { ReplicaLag } from './replica-lag.js';
import { MaintenanceJob } from '../../shared/maintenance-job.js';

export interface ReplicaSettings {
  url: string;
  maxLagMs: number;
  poolSize: number;
  serving: ServingOptions;
}

const MAX_LOOK_MS = 1_000;
/** Of the lag that is allowed: what is known of it is a look old. */
const LOOKS_PER_LAG = 4;

const POSITION: Statement = {
  name: 'replica.primary_position',
  text: `SELECT (pg_current_wal_flush_lsn() - '0/0')::float8 AS position`,
};

/** One that is promoted is a primary of others: what it says of ours means nothing. */
const REPLAYED: Statement = {
  name: 'replica.replayed_position',
  text: `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::float8 END AS position`,
};

interface PositionRow {
  position: number | null;
}

/** A streaming standby that answers reads while it is near enough to its primary, which is looked at every second at most. */
export class Replica {
  readonly queries: PoolQueries;
  /** How far it is behind; `undefined`: it does not answer, or nobody knows. */
  lagMs: number | undefined;
  private readonly logger = new Logger(Replica.name);
  private readonly lag = new ReplicaLag();
  private readonly job: MaintenanceJob;
  private isTold = false;

  constructor(
    private readonly primary: Database,
    private readonly settings: ReplicaSettings,
  ) {
    const pool = new pg.Pool({
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      application_name: 'payment-orchestrator-reads',
      ...connectionTo(settings.url),
      max: settings.poolSize,
      ...servingConnection(settings.serving),
    });
    pool.on('error', () => undefined);
    watchConnections(pool, READ_TIMEOUT_MS);
    this.queries = new PoolQueries(pool);
    const everyMs = Math.min(MAX_LOOK_MS, settings.maxLagMs / LOOKS_PER_LAG);
    this.job = new MaintenanceJob({ name: 'replica lag', everyMs, run: () => this.look() }, this.logger);
  }

  get isFresh(): boolean {
    return this.lagMs !== undefined && this.lagMs <= this.settings.maxLagMs;
  }

  start(): void {
    this.job.start();
  }

  /** From then on it is not asked. */
  async stop(): Promise<void> {
    await this.job.stop();
    this.lagMs = undefined;
  }

  async close(): Promise<void> {
    await this.queries.pool.end();
  }

  /** After a read that failed: nobody asks it again before the next look. */
  markStale(): void {
    this.lagMs = undefined;
  }

  private async look(): Promise<void> {
    this.lagMs = await this.measure();
    if (this.isFresh) this.tell();
  }

  private async measure(): Promise<number | undefined> {
    const atMs = performance.now();
    const primary = await this.primary.query<PositionRow>(POSITION).catch(() => undefined);
    if (!primary) return undefined;
    this.lag.mark(atMs, primary[0]!.position!);
    try {
      const [replica] = await this.queries.query<PositionRow>(REPLAYED);
      const { position } = replica!;
      return position === null ? undefined : this.lag.behindMs(performance.now(), position);
    } catch (error) {
      this.tell(error);
      return undefined;
    }
  }

  /** Once when it is lost, and once when it is back. */
  private tell(error?: unknown): void {
    const isLost = error !== undefined;
    if (isLost === this.isTold) return;
    this.isTold = isLost;
    if (isLost) this.logger.warn({ msg: 'the replica does not answer, reads go to the primary', err: error });
    else this.logger.log({ msg: 'the replica answers again' });
  }
}
