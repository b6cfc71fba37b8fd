import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { type Cluster, openCluster, ROLE } from '../../packages/embedded-postgres/src/cluster.js';
import { findRunningServer, startServer, stopServer } from '../../packages/embedded-postgres/src/server.js';
import type { Cleanup } from '../support/cleanup.js';
import { HarnessDatabase } from '../support/harness-database.js';
import { stablePort } from '../support/ports.js';

/** Durable, as in production: committed data must survive any shutdown. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_connections: '200',
};
const END_TIMEOUT_MS = 30_000;
const DATABASE = 'chaos';

type Settings = Readonly<Record<string, string>>;

/** A PostgreSQL that can be shut down at any time and starts again on the same port with all committed data. */
export class ChaosPostgres {
  private pid = 0;
  private readonly harness = new HarnessDatabase(() => this.url());
  /** Overlapping outages count as one: the server starts when the last of them is over. */
  private outages = 0;
  private queue: Promise<void> = Promise.resolve();

  private constructor(
    private readonly cluster: Cluster,
    readonly port: number,
    private readonly cleanup: Cleanup,
    private readonly settings: Settings,
    readonly database = DATABASE,
  ) {}

  /**
   * Starts with a new cluster under `folder` and an empty database, or with a copy of an embedded PostgreSQL's folder.
   */
  static async start(folder: string, cleanup: Cleanup, settings = {}, copied?: string): Promise<ChaosPostgres> {
    const port = await stablePort();
    if (copied !== undefined) {
      await promisify(execFile)('cp', ['-a', join(copied, 'postgres'), folder]);
      return ChaosPostgres.open(folder, cleanup, { settings, port, database: ROLE });
    }
    const postgres = await ChaosPostgres.open(folder, cleanup, { settings, port });
    const server = new HarnessDatabase(() => postgres.url(postgres.port, 'postgres'));
    await server.query(`CREATE DATABASE ${DATABASE}`);
    await server.reset();
    return postgres;
  }

  /** Starts with the cluster in `folder`. */
  static async open(
    folder: string,
    cleanup: Cleanup,
    { settings, port, database }: { settings: Settings; port: number; database?: string },
  ): Promise<ChaosPostgres> {
    const postgres = new ChaosPostgres(await openCluster(folder), port, cleanup, settings, database);
    cleanup.add(() => postgres.end());
    await postgres.launch();
    return postgres;
  }

  /** URL of the product's database, through `port`. */
  url(port = this.port, database = this.database): string {
    return `postgres://${ROLE}:${this.cluster.password}@127.0.0.1:${port}/${database}`;
  }

  /** For the harness: not through the network that faults cut. */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.harness.query<Row>(text, values);
  }

  transaction: HarnessDatabase['transaction'] = (work) => this.harness.transaction(work);

  /**
   * `SIGINT` is PostgreSQL's fast shutdown. `SIGQUIT` is its immediate one, a crash with recovery at the next start.
   */
  shutDown(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    return this.serially(async () => {
      this.outages += 1;
      if (this.outages === 1) await this.terminate(signal);
    });
  }

  startServer(): Promise<void> {
    return this.serially(async () => {
      this.outages -= 1;
      if (this.outages === 0) await this.launch();
    });
  }

  private serially(work: () => Promise<void>): Promise<void> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async terminate(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    process.kill(this.pid, signal);
    for (const deadline = Date.now() + END_TIMEOUT_MS; await findRunningServer(this.cluster); await delay(20)) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not end within ${END_TIMEOUT_MS} ms of ${signal}`);
    }
    this.cleanup.report({ exited: this.pid });
  }

  private async launch(): Promise<void> {
    const flags = Object.entries({ ...SETTINGS, ...this.settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    await startServer(this.cluster, { port: this.port, flags });
    this.pid = (await findRunningServer(this.cluster))!.pid;
    this.cleanup.report({ started: this.pid });
  }

  private async end(): Promise<void> {
    await this.harness.reset();
    if (await findRunningServer(this.cluster)) await stopServer(this.cluster);
    this.cleanup.report({ exited: this.pid });
  }
}
