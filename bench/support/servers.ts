import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import type { Cleanup } from './cleanup.js';
import type { SupervisedProcess, Supervisor } from './supervisor.js';

/** The PostgreSQL and the Redis of one run of the bench, both as durable as in production. */
export interface Servers {
  /** Logs and data; removed at the end. */
  folder: string;
  postgres: { url: string; pid: number };
  redis: { url: string; pid: number };
}

/** Durability on; memory and checkpoints as one would set them for a machine of this size. */
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
  // the moment of each commit, from which the flow's latency is measured
  track_commit_timestamp: 'on',
};

const REDIS_SETTINGS = [
  '--save',
  '',
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--maxmemory-policy',
  'noeviction',
];
const REDIS_START_MS = 10_000;

export async function startServers(supervisor: Supervisor, cleanup: Cleanup): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-orchestrator-bench-'));
  cleanup.tell({ folder });
  cleanup.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o711); // root's PostgreSQL runs as another account, which must be able to enter
  const [postgres, redis] = await Promise.all([startPostgres(folder, cleanup), startRedis(folder, supervisor)]);
  return { folder, postgres, redis };
}

async function startPostgres(folder: string, cleanup: Cleanup): Promise<Servers['postgres']> {
  const flags = Object.entries(POSTGRES_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, flags });
  const pidFile = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  const pid = Number(pidFile.split('\n')[0]);
  cleanup.tell({ born: pid });
  cleanup.add(async () => {
    // somebody may still be connected when a scenario has failed: then it does not stop by itself
    if (!(await postgres.stop())) process.kill(pid, 'SIGINT');
    await hasEnded(pid);
    cleanup.tell({ dead: pid });
  });
  return { url: postgres.url, pid };
}

async function hasEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await delay(20);
  }
}

async function startRedis(folder: string, supervisor: Supervisor): Promise<Servers['redis']> {
  const port = await freePort();
  const server = supervisor.spawn({
    name: 'redis-server',
    file: 'redis-server',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--databases', '64', ...REDIS_SETTINGS],
    logFile: join(folder, 'redis.log'),
  });
  await answersPing(server, port);
  return { url: `redis://127.0.0.1:${port}`, pid: server.pid };
}

async function answersPing(server: SupervisedProcess, port: number): Promise<void> {
  for (const deadline = Date.now() + REDIS_START_MS; Date.now() < deadline && !server.hasExited; await delay(20)) {
    if (await ping(port)) return;
  }
  throw new Error(`redis-server does not start:\n${server.lastLog()}`);
}

const ping = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
