import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, openCluster, ROLE } from '../../src/platform/embedded-postgres/cluster.js';
import { findRunningServer, startServer, stopServer } from '../../src/platform/embedded-postgres/server.js';
import type { Cleanup } from '../support/cleanup.js';
import { stablePort } from '../support/ports.js';

// ids and counts are far below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Durable, as in production: what has been committed must outlive any shutdown. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_connections: '200',
};
const END_TIMEOUT_MS = 30_000;
const DATABASE = 'chaos';

/** A PostgreSQL that can be shut down at any moment and comes back on its port with what was committed. */
export class ChaosPostgres {
  private pid = 0;
  private pool: pg.Pool | undefined;
  /** Outages that overlap are one: it comes back when the last of them is over. */
  private outages = 0;
  private turn: Promise<void> = Promise.resolve();

  private constructor(
    private readonly cluster: Cluster,
    readonly port: number,
    private readonly cleanup: Cleanup,
  ) {}

  static async start(folder: string, cleanup: Cleanup): Promise<ChaosPostgres> {
    const postgres = new ChaosPostgres(await openCluster(folder), await stablePort(), cleanup);
    cleanup.add(() => postgres.end());
    await postgres.launch();
    const server = new pg.Client({ connectionString: postgres.url(postgres.port, 'postgres') });
    await server.connect();
    await server.query(`CREATE DATABASE ${DATABASE}`);
    await server.end();
    return postgres;
  }

  /** Of the product's database, by way of `port`. */
  url(port = this.port, database = DATABASE): string {
    return `postgres://${ROLE}:${this.cluster.password}@127.0.0.1:${port}/${database}`;
  }

  /** For the harness itself: not by way of the network that faults cut. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (!this.pool) {
      this.pool = new pg.Pool({ connectionString: this.url(), max: 2 });
      this.pool.on('error', () => undefined); // shut down under us, as planned
    }
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** `SIGINT`: PostgreSQL's fast shutdown. `SIGQUIT`: its immediate one, a crash that recovers at the next start. */
  shutDown(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    return this.inTurn(async () => {
      this.outages += 1;
      if (this.outages === 1) await this.terminate(signal);
    });
  }

  startServer(): Promise<void> {
    return this.inTurn(async () => {
      this.outages -= 1;
      if (this.outages === 0) await this.launch();
    });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
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
    const flags = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    await startServer(this.cluster, { port: this.port, flags });
    this.pid = (await findRunningServer(this.cluster))!.pid;
    this.cleanup.report({ started: this.pid });
  }

  private async end(): Promise<void> {
    await this.pool?.end().catch(() => undefined);
    if (await findRunningServer(this.cluster)) await stopServer(this.cluster);
    this.cleanup.report({ exited: this.pid });
  }
}
