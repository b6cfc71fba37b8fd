import type pg from 'pg';
import { ChaosPostgres } from '../chaos/postgres.js';
import type { Cleanup } from '../support/cleanup.js';
import type { HarnessDatabase } from '../support/harness-database.js';
import type { Backups, LostServer } from './backups.js';
import type { Say } from './step-key.js';

/** PostgreSQL in a rehearsal: a single server or a replicated pair. */
export interface Databases {
  /** Database settings of the processes. */
  readonly settings: Record<string, string>;
  /** URL of the writable server, not of a pooler. */
  url(): string;
  /** Runs a statement of the harness. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs statements of the harness in one transaction. */
  transaction: HarnessDatabase['transaction'];
  /** Kills the primary. Resolves when the database is writable again. */
  failOver(say: Say): Promise<void>;
  /** `undefined`: there is no pooler. */
  restartPooler: ((say: Say) => Promise<void>) | undefined;
  /** Destroys the writable server. */
  lose(): Promise<LostServer>;
  /** Replaces the lost server with the restored one. */
  replace(restored: ChaosPostgres): Promise<void>;
}

/** One PostgreSQL, started again after a crash as by a service manager. */
export class SingleDatabase implements Databases {
  readonly settings: Record<string, string>;
  readonly restartPooler = undefined;

  private constructor(private postgres: ChaosPostgres) {
    this.settings = { DATABASE_URL: postgres.url() };
  }

  /** `copied`: a folder with a cluster, of which a copy is used. */
  static async start(folder: string, cleanup: Cleanup, backups: Backups, copied?: string): Promise<SingleDatabase> {
    return new SingleDatabase(await ChaosPostgres.start(folder, cleanup, backups.archiving, copied));
  }

  url(): string {
    return this.postgres.url();
  }

  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.postgres.query<Row>(text, values);
  }

  transaction: HarnessDatabase['transaction'] = (work) => this.postgres.transaction(work);

  async failOver(say: Say): Promise<void> {
    await this.postgres.shutDown('SIGQUIT');
    say('PostgreSQL crashed (immediate shutdown)');
    await this.postgres.startServer();
    say('PostgreSQL was started and has recovered');
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
