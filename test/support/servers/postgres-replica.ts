import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Cluster, openCluster, ROLE } from '../../../packages/embedded-postgres/src/cluster.js';
import { findRunningServer, startServer, stopServer } from '../../../packages/embedded-postgres/src/server.js';
import { eventually } from '../eventually.js';
import { freePort } from './free-port.mjs';

const execute = promisify(execFile);
const SLOWLY_STARTING_MS = 60_000;

/** One of the two servers. Its port never changes. */
export interface PostgresServer {
  readonly port: number;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Sends SIGKILL to all of its processes at once, as if its machine were lost. */
  kill(): Promise<void>;
  /** Stops cleanly: all committed data is sent to the standby before the server ends. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface ReplicatedPostgres {
  readonly primary: PostgresServer;
  /** Streams from the primary and answers reads. */
  readonly standby: PostgresServer;
  /** URL of the database on these servers, in this order; by default the primary, then the standby. */
  url(servers?: PostgresServer[], parameters?: string): string;
  /** Resolves when the standby shows everything that the primary has committed by now. */
  caughtUp(): Promise<void>;
  /** Bytes of the log that the standby has not replayed yet. */
  lagBytes(): Promise<number>;
  /** Receives the log without replaying it until `resumeReplay`. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  killPrimary(): Promise<void>;
  /**
   * Makes the standby writable. The former primary must be dead by then, because nothing keeps it from accepting
   * writes.
   */
  promote(): Promise<void>;
  /** Stops the primary cleanly, promotes the standby and makes the old primary follow it: the two swap their roles. */
  switchOver(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReplicatedPostgresOptions {
  /** A commit is answered only after the standby has it, so that answered commits survive the loss of the primary. */
  isSynchronous?: boolean;
  /** Additional settings of both servers. */
  settings?: Record<string, string>;
}

/**
 * A PostgreSQL with a streaming standby, both of the embedded version and in `folder`. If the caller is root, the
 * account `postgres` must be able to enter the folder.
 */
export async function startReplicatedPostgres(
  folder: string,
  options: ReplicatedPostgresOptions = {},
): Promise<ReplicatedPostgres> {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const cluster = await openCluster(first);
  await mkdir(second);
  // before the first start: a copy of a server that has never run is equivalent to a base backup
  await execute('cp', ['-a', join(first, 'postgres'), second]);
  const primary = new Server(cluster, options);
  await primary.start();
  const standby = new Server(await openCluster(second), options);
  await standby.follow(primary);
  await standby.start();
  if (options.isSynchronous) await primary.waitForStandby();
  const pair = new Pair(primary, standby);
  // the standby does not have the database at first
  await pair.caughtUp();
  return pair;
}

class Pair implements ReplicatedPostgres {
  constructor(
    public primary: Server,
    public standby: Server,
  ) {}

  url(servers: PostgresServer[] = [this.primary, this.standby], parameters = ''): string {
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://${ROLE}:${this.primary.password}@${hosts}/${ROLE}${parameters}`;
  }

  async caughtUp(): Promise<void> {
    const [now] = await this.primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    await eventually(async () => (await this.bytesUntil(now!.lsn)) <= 0);
  }

  async lagBytes(): Promise<number> {
    const [now] = await this.primary.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
    return Math.max(0, await this.bytesUntil(now!.lsn));
  }

  private async bytesUntil(lsn: string): Promise<number> {
    const text = 'SELECT pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::float8 AS bytes';
    const [row] = await this.standby.query<{ bytes: number }>(text, [lsn]);
    return row!.bytes;
  }

  async pauseReplay(): Promise<void> {
    await this.standby.query('SELECT pg_wal_replay_pause()');
    await eventually(async () => {
      const [row] = await this.standby.query<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state');
      return row!.state === 'paused';
    });
  }

  async resumeReplay(): Promise<void> {
    await this.standby.query('SELECT pg_wal_replay_resume()');
  }

  killPrimary(): Promise<void> {
    return this.primary.kill();
  }

  async promote(): Promise<void> {
    await this.standby.query('SELECT pg_promote(true, 60)');
  }

  async switchOver(): Promise<void> {
    await this.primary.stop();
    await this.promote();
    await this.primary.follow(this.standby);
    await this.primary.start();
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.end(), this.standby.end()]);
  }
}

/** The standby's name for the primary, which waits for it if replication is synchronous. */
const STANDBY = 'standby';

class Server implements PostgresServer {
  port = 0;
  private pool: pg.Pool | undefined;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ReplicatedPostgresOptions,
  ) {}

  get password(): string {
    return this.cluster.password;
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (!this.pool) {
      const connectionString = `postgres://${ROLE}:${this.password}@127.0.0.1:${this.port}/${ROLE}`;
      this.pool = new pg.Pool({ connectionString, max: 2, idleTimeoutMillis: 1_000 });
      // errors after the server was killed on purpose
      this.pool.on('error', () => undefined);
    }
    return (await this.pool.query<Row>(text, values)).rows;
  }

  async start(): Promise<void> {
    const settings = {
      fsync: 'off',
      full_page_writes: 'off',
      shared_buffers: '64MB',
      wal_keep_size: '512MB',
      hot_standby: 'on',
      // a promotion waits for the next attempt to reach the lost primary
      wal_retrieve_retry_interval: '100ms',
      // the same on both servers: a standby may not have fewer than its primary
      max_connections: '300',
      ...this.options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.port ||= await freePort();
    await startServer(this.cluster, { port: this.port, flags });
    await this.ensureDatabase();
  }

  private async ensureDatabase(): Promise<void> {
    const connectionString = `postgres://${ROLE}:${this.password}@127.0.0.1:${this.port}/postgres`;
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      const { rows } = await client.query<{ standby: boolean; known: boolean }>(
        `SELECT pg_is_in_recovery() AS standby, EXISTS (SELECT FROM pg_database WHERE datname = '${ROLE}') AS known`,
      );
      if (!rows[0]!.standby && !rows[0]!.known) await client.query(`CREATE DATABASE ${ROLE}`);
    } finally {
      await client.end();
    }
  }

  /** Call only while this server is stopped. */
  async follow(primary: Server): Promise<void> {
    const { dataFolder, account } = this.cluster;
    const login = `user=${ROLE} password=${this.password} application_name=${STANDBY}`;
    const line = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} ${login}'\n`;
    await appendFile(join(dataFolder, 'postgresql.auto.conf'), `${line}synchronous_standby_names = ''\n`);
    const signal = join(dataFolder, 'standby.signal');
    await writeFile(signal, '');
    if (account) await execute('chown', [`${account.uid}:${account.gid}`, signal]);
  }

  /**
   * Makes commits wait for the standby from now on. Called late, because the first commits would wait for a standby
   * that does not run yet.
   */
  async waitForStandby(): Promise<void> {
    await eventually(async () => (await this.query('SELECT FROM pg_stat_replication')).length > 0, {
      timeoutMs: SLOWLY_STARTING_MS,
    });
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
    await this.query('SELECT pg_reload_conf()');
    await eventually(async () => {
      const [row] = await this.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
      return row?.sync_state === 'sync';
    });
  }

  async kill(): Promise<void> {
    const server = await findRunningServer(this.cluster);
    if (!server) return;
    // its processes have their own groups, and would survive until they notice
    const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').catch(() => '');
    for (const pid of [server.pid, ...children.trim().split(' ').map(Number)]) signal(pid);
    await eventually(async () => (await findRunningServer(this.cluster)) === undefined);
    await this.forgetConnections();
  }

  async stop(): Promise<void> {
    await this.forgetConnections();
    if (await findRunningServer(this.cluster)) await stopServer(this.cluster);
  }

  async end(): Promise<void> {
    await this.forgetConnections();
    await this.kill();
  }

  private async forgetConnections(): Promise<void> {
    const pool = this.pool;
    this.pool = undefined;
    await pool?.end().catch(() => undefined);
  }
}

function signal(pid: number): void {
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // it has already ended
  }
}
