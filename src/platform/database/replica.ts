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

const MAX_INTERVAL_MS = 1_000;
/** The lag is checked this often per allowed lag, because the last known value is as old as the last check. */
const CHECKS_PER_LAG = 4;

const POSITION: Statement = {
  name: 'replica.primary_position',
  text: `SELECT (pg_current_wal_flush_lsn() - '0/0')::float8 AS position`,
};

/** NULL from a promoted replica: it is a primary itself, and its position says nothing about our primary. */
const REPLAYED: Statement = {
  name: 'replica.replayed_position',
  text: `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::float8 END AS position`,
};

interface PositionRow {
  position: number | null;
}

/** A streaming standby that answers reads while its lag is small enough. The lag is checked at least every second. */
export class Replica {
  readonly queries: PoolQueries;
  /** How far it is behind its primary. `undefined`: it does not respond, or the lag is not known. */
  lagMs: number | undefined;
  private readonly logger = new Logger(Replica.name);
  private readonly lag = new ReplicaLag();
  private readonly job: MaintenanceJob;
  private isLostLogged = false;

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
    const everyMs = Math.min(MAX_INTERVAL_MS, settings.maxLagMs / CHECKS_PER_LAG);
    this.job = new MaintenanceJob({ name: 'replica lag', everyMs, run: () => this.check() }, this.logger);
  }

  get isFresh(): boolean {
    return this.lagMs !== undefined && this.lagMs <= this.settings.maxLagMs;
  }

  start(): void {
    this.job.start();
  }

  /** The replica gets no reads from now on. */
  async stop(): Promise<void> {
    await this.job.stop();
    this.lagMs = undefined;
  }

  async close(): Promise<void> {
    await this.queries.pool.end();
  }

  /** After a failed read: the replica gets no reads until the next check. */
  markStale(): void {
    this.lagMs = undefined;
  }

  private async check(): Promise<void> {
    this.lagMs = await this.measure();
    if (this.isFresh) this.logState();
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
      this.logState(error);
      return undefined;
    }
  }

  /** Logs once when the replica is lost, and once when it is back. */
  private logState(error?: unknown): void {
    const isLost = error !== undefined;
    if (isLost === this.isLostLogged) return;
    this.isLostLogged = isLost;
    if (isLost) this.logger.warn({ msg: 'the replica does not respond, reads go to the primary', err: error });
    else this.logger.log({ msg: 'the replica responds again' });
  }
}
