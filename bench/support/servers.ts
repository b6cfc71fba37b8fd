import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import type { Cleanup } from './cleanup.js';
import { RedisServer } from './redis-server.js';
import type { Supervisor } from './supervisor.js';

/** The PostgreSQL and the Redis of one run of the bench, both as durable as in production. */
export interface Servers {
  /** Logs and data; removed at the end. */
  folder: string;
  postgres: { url: string; pid: number };
  redis: { url: string; pid: number };
}

/** Full durability; memory and checkpoints as recommended for a machine of this size. */
const POSTGRES_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  max_connections: '300',
  // the time of each commit, used for the flow's latency
  track_commit_timestamp: 'on',
};

/** `settings`: additional settings of PostgreSQL. */
export async function startServers(
  supervisor: Supervisor,
  cleanup: Cleanup,
  settings: Record<string, string> = {},
): Promise<Servers> {
  const folder = await cleanup.folder('bench');
  const [postgres, redis] = await Promise.all([
    startPostgres(folder, cleanup, settings),
    RedisServer.start(supervisor, folder),
  ]);
  return { folder, postgres, redis };
}

async function startPostgres(
  folder: string,
  cleanup: Cleanup,
  settings: Record<string, string>,
): Promise<Servers['postgres']> {
  const flags = Object.entries({ ...POSTGRES_SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, flags });
  const pidFile = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  const pid = Number(pidFile.split('\n')[0]);
  cleanup.report({ started: pid });
  cleanup.add(async () => {
    await postgres.stop();
    cleanup.report({ exited: pid });
  });
  return { url: postgres.url, pid };
}

/** One line that describes the machine. */
export async function describeMachine(servers: Servers): Promise<string> {
  const client = new pg.Client({ connectionString: servers.postgres.url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  const redis = /v=([\d.]+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' }))?.[1];
  const cores = cpus();
  return [
    `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown CPU'}`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${rows[0]?.server_version} (fsync and synchronous_commit on)`,
    `Redis ${redis} (AOF everysec)`,
  ].join(', ');
}
