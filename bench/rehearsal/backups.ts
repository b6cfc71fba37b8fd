// The nightly backup of PostgreSQL and its restore: a copy of the data files of a running server, and the log that is
// archived afterwards (https://www.postgresql.org/docs/18/continuous-archiving.html). The embedded PostgreSQL has no
// pg_basebackup; this file does its steps with SQL and tar.
import { execFile } from 'node:child_process';
import { chown, cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { unprivilegedAccount } from '../../packages/embedded-postgres/src/program.js';
import { ChaosPostgres } from '../chaos/postgres.js';
import type { Cleanup } from '../support/cleanup.js';
import { stablePort } from '../support/ports.js';

const execute = promisify(execFile);
const RECOVERY_TIMEOUT_MS = 120_000;
const POLL_MS = 50;
/** The exit code of tar if a file changed while it was read. The log repairs the file. */
const FILES_CHANGED = 1;
/** Files that belong only to the running server. */
const LEFT_OUT = ['./pg_wal/*', './postmaster.pid', './postmaster.opts', './pg_replslot/*', './standby.signal'];

export interface Backup {
  file: string;
  bytes: number;
  /** Written by the server when the backup ended: the position in the log where recovery starts. */
  label: string;
}

/** A server whose data is lost. */
export interface LostServer {
  dataFolder: string;
  port: number;
  database: string;
}

export class Backups {
  private restores = 0;

  private constructor(
    private readonly folder: string,
    private readonly cleanup: Cleanup,
  ) {}

  static async open(folder: string, cleanup: Cleanup): Promise<Backups> {
    const own = join(folder, 'backups');
    await mkdir(join(own, 'wal'), { recursive: true });
    const account = await unprivilegedAccount();
    if (account) await chown(join(own, 'wal'), account.uid, account.gid);
    return new Backups(own, cleanup);
  }

  /** Settings with which a server archives its log here. */
  get archiving(): Record<string, string> {
    const wal = join(this.folder, 'wal');
    return { archive_mode: 'on', archive_command: `test ! -f ${wal}/%f && cp %p ${wal}/%f`, wal_level: 'replica' };
  }

  /** Backs up the server at `url`, which continues to run. */
  async take(url: string): Promise<Backup> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const file = join(this.folder, `nightly-${Date.now()}.tar`);
      const { rows } = await client.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
      await client.query(`SELECT pg_backup_start('nightly', fast => true)`);
      await archive(rows[0]!.folder, file);
      const stopped = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop()');
      return { file, bytes: (await stat(file)).size, label: stopped.rows[0]!.label };
    } finally {
      await client.end();
    }
  }

  /**
   * Restores into an empty folder. `last commit`: replays the whole log, both the archived part and the tail that the
   * lost server had not archived. `backup`: the state at the end of the backup. Resolves to the new server, on the port
   * of the lost one.
   */
  async restore({ file, label }: Backup, lost: LostServer, upTo: 'last commit' | 'backup'): Promise<ChaosPostgres> {
    const folder = join(this.folder, `restored-${++this.restores}`);
    const data = join(folder, 'postgres', 'data');
    await mkdir(data, { recursive: true });
    await execute('tar', ['-xpf', file, '-C', data]);
    await writeFile(join(data, 'backup_label'), label);
    await writeFile(join(data, 'recovery.signal'), '');
    if (upTo === 'last commit') await execute('cp', ['-a', `${lost.dataFolder}/pg_wal/.`, join(data, 'pg_wal')]);
    await cp(join(dirname(lost.dataFolder), 'password'), join(folder, 'postgres', 'password'));
    await changeOwner(lost.dataFolder, join(folder, 'postgres'));
    // PostgreSQL refuses the log if it has fewer connections than the lost server
    const settings = {
      max_connections: '400',
      ...this.archiving,
      restore_command: `cp ${join(this.folder, 'wal')}/%f %p`,
    };
    if (upTo === 'backup') Object.assign(settings, { recovery_target: 'immediate', recovery_target_action: 'promote' });
    const restored = await ChaosPostgres.open(folder, this.cleanup, { ...lost, settings });
    await waitUntilWritable(restored);
    return restored;
  }
}

/** Starts the data of a lost server on another port, to compare it with the restored server. */
export async function openLostServer(lost: LostServer, cleanup: Cleanup): Promise<ChaosPostgres> {
  const settings = { archive_mode: 'off' };
  const folder = dirname(dirname(lost.dataFolder));
  return ChaosPostgres.open(folder, cleanup, { ...lost, settings, port: await stablePort() });
}

async function archive(folder: string, file: string): Promise<void> {
  const quietly = ['--warning=no-file-changed', '--warning=no-file-removed'];
  const excluded = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);
  try {
    await execute('tar', [...quietly, ...excluded, '-C', folder, '-cf', file, '.']);
  } catch (error) {
    if ((error as { code?: unknown }).code !== FILES_CHANGED) throw error;
  }
}

/** PostgreSQL only starts as the owner of its data. */
async function changeOwner(like: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(like);
  await execute('chown', ['-R', `${uid}:${gid}`, folder]);
  await execute('chmod', ['700', join(folder, 'data')]);
}

async function waitUntilWritable(postgres: ChaosPostgres): Promise<void> {
  for (const deadline = Date.now() + RECOVERY_TIMEOUT_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const [row] = await postgres.query<{ recovers: boolean }>('SELECT pg_is_in_recovery() AS recovers').catch(() => []);
    if (row?.recovers === false) return;
  }
  throw new Error(`the restored PostgreSQL is not writable after ${RECOVERY_TIMEOUT_MS} ms`);
}
