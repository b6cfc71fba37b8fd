import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type PgBouncer, startPgBouncer } from '../../test/support/servers/pgbouncer.js';
import {
  type PostgresServer,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../../test/support/servers/postgres-replica.js';
import type { ChaosPostgres } from '../chaos/postgres.js';
import type { Cleanup } from '../support/cleanup.js';
import { HarnessDatabase } from '../support/harness-database.js';
import type { Backups, LostServer } from './backups.js';
import type { Databases } from './databases.js';
import type { Say } from './step-key.js';

/** Durable, as in production. */
const SETTINGS = { fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB', max_connections: '400' };
/** The database that the helper creates. */
const DATABASE = 'app';

/**
 * A primary with a synchronous standby, behind PgBouncer in transaction mode. The operator promotes the standby and
 * points the pooler to the writable server; the settings of the processes do not change.
 */
export class ReplicatedDatabase implements Databases {
  readonly settings: Record<string, string>;
  private readonly database = new HarnessDatabase(() => this.url());
  private writable: PostgresServer;
  private restored: ChaosPostgres | undefined;

  private constructor(
    private readonly pair: ReplicatedPostgres,
    private readonly pooler: PgBouncer,
    private readonly cleanup: Cleanup,
  ) {
    this.writable = pair.primary;
    this.settings = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: pair.url(undefined, '?target_session_attrs=read-write'),
      DATABASE_REPLICA_URL: pair.url([pair.standby]),
    };
  }

  static async start(folder: string, cleanup: Cleanup, backups: Backups): Promise<ReplicatedDatabase> {
    const [servers, pooling] = [join(folder, 'replicated'), join(folder, 'pgbouncer')];
    for (const own of [servers, pooling]) {
      await mkdir(own);
      await chmod(own, 0o711); // for the accounts of the servers
    }
    const pair = await startReplicatedPostgres(servers, {
      isSynchronous: true,
      settings: { ...SETTINGS, ...backups.archiving },
    });
    cleanup.add(() => pair.stop());
    await pair.caughtUp(); // before that the standby may not have the database
    await reportServers(pair, cleanup);
    const pooler = await startPgBouncer({
      folder: pooling,
      databaseUrl: pair.url([pair.primary]),
      settings: { default_pool_size: '40' },
      onStart: (pid) => cleanup.report({ started: pid }),
      onExit: (pid) => cleanup.report({ exited: pid }),
    });
    cleanup.add(() => pooler.stop());
    return new ReplicatedDatabase(pair, pooler, cleanup);
  }

  url(): string {
    return this.pair.url([this.writable]);
  }

  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.query<Row>(text, values);
  }

  transaction: HarnessDatabase['transaction'] = (work) => this.database.transaction(work);

  readonly restartPooler = async (say: Say): Promise<void> => {
    await this.pooler.restart();
    say('PgBouncer was killed and started again on its port');
  };

  async failOver(say: Say): Promise<void> {
    const pid = await postmasterOf(this.pair.primary);
    await this.pair.killPrimary();
    this.cleanup.report({ exited: pid });
    say('the primary was killed');
    await this.pair.promote();
    say('its standby was promoted');
    this.writable = this.pair.standby;
    await this.pooler.pointTo(this.url());
    await this.database.reset();
    say('PgBouncer now points to it');
  }

  async lose(): Promise<LostServer> {
    const lost = { dataFolder: await dataFolderOf(this), port: this.writable.port, database: DATABASE };
    if (this.restored) {
      await this.restored.shutDown('SIGQUIT');
      return lost;
    }
    const pid = await postmasterOf(this.writable);
    await this.writable.kill();
    this.cleanup.report({ exited: pid });
    return lost;
  }

  /** Uses the port of the lost server, so that no setting changes. */
  async replace(restored: ChaosPostgres): Promise<void> {
    if (restored.port !== this.writable.port) throw new Error('the restored server is at another address');
    this.restored = restored;
    await this.database.reset();
  }
}

async function reportServers({ primary, standby }: ReplicatedPostgres, cleanup: Cleanup): Promise<void> {
  for (const server of [primary, standby]) cleanup.report({ started: await postmasterOf(server) });
}

async function dataFolderOf(server: Pick<PostgresServer, 'query'>): Promise<string> {
  const [row] = await server.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
  return row!.folder;
}

/** The process reaper kills it at once if the run itself is killed. */
async function postmasterOf(server: Pick<PostgresServer, 'query'>): Promise<number> {
  const file = await readFile(join(await dataFolderOf(server), 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}
