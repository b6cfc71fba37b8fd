import { cpus, totalmem } from 'node:os';
import pg from 'pg';
import { execFileSync } from 'node:child_process';
import type { Servers } from './servers.js';

/** One line on what the figures were measured on. */
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
