import type pg from 'pg';
import { ChaosPostgres } from '../chaos/postgres.js';
import type { Cleanup } from '../support/cleanup.js';
import type { Backups, LostServer } from './backups.js';
import type { Say } from './step-key.js';

/** PostgreSQL as the run has it, whatever it consists of. */
export interface Databases {
  /** What the processes are given. */
  readonly settings: Record<string, string>;
  /** Of the server that takes writes, and not by way of a pooler. */
  url(): string;
  /** For the harness itself. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The primary is killed. Resolves when writes are taken again. */
  failOver(say: Say): Promise<void>;
  /** `undefined`: there is no pooler. */
  restartPooler: ((say: Say) => Promise<void>) | undefined;
  /** The server that takes writes is gone for good. */
  lose(): Promise<LostServer>;
  /** What was restored takes the place of what was lost. */
  replace(restored: ChaosPostgres): Promise<void>;
}

/** One PostgreSQL that comes back by itself, as a service manager starts it again. */
export class SingleDatabase implements Databases {
  readonly settings: Record<string, string>;
  readonly restartPooler = undefined;

  private constructor(private postgres: ChaosPostgres) {
    this.settings = { DATABASE_URL: postgres.url() };
  }

  /** `copied`: a folder with a cluster to start from a copy of. */
  static async start(folder: string, cleanup: Cleanup, backups: Backups, copied?: string): Promise<SingleDatabase> {
    return new SingleDatabase(await ChaosPostgres.start(folder, cleanup, backups.archiving, copied));
  }

  url(): string {
    return this.postgres.url();
  }

  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.postgres.query<Row>(text, values);
  }

  async failOver(say: Say): Promise<void> {
    await this.postgres.shutDown('SIGQUIT');
    say('PostgreSQL was shut down at once, as by a crash');
    await this.postgres.startServer();
    say('PostgreSQL was started again and has recovered');
  }

  async lose(): Promise<LostServer> {
    const [row] = await this.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
    const { port, database } = this.postgres;
    await this.postgres.shutDown('SIGQUIT');
    return { dataFolder: row!.folder, port, database };
  }

  replace(restored: ChaosPostgres): Promise<void> {
    this.postgres = restored;
    return Promise.resolve();
  }
}
