import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../src/schema/upgrade/migrate.js';
import { migrateQueue } from '../../src/platform/queue/queue-migration.js';
import { startServiceInProcess } from '../support/app/in-process-service.js';
import { eventually } from '../support/eventually.js';
import { startDebianPostgres } from '../support/servers/debian-postgres.mjs';
import { startRedis, type TestRedis } from '../support/servers/redis.js';
import { temporaryFolder } from '../support/servers/servers.js';

// Debian's PostgreSQL with its defaults, compiler included, and nothing else on it than one API and one worker.

const MINUTE_MS = 60_000;
/** The test fails if each of so many minutes costs more. */
const MINUTES = 4;
/** Connections open, statements are prepared, and every job has run once. */
const SETTLE_MS = 10_000;
/** A hundredth of one core for a minute, in the unit of /proc: hundredths of a second. */
const ONE_PERCENT = 60;

/** CPU time of a process, and of those that it has waited for, in hundredths of a second. */
interface CpuTime {
  parent: number;
  own: number;
  ended: number;
}

function cpuTimeOf(pid: string): CpuTime {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // the name of the process, in brackets, may contain spaces
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
}

/** `undefined`: the process has ended. */
function cpuTimeIfAlive(pid: string): CpuTime | undefined {
  try {
    return cpuTimeOf(pid);
  } catch {
    return undefined;
  }
}

/** CPU time of a server: of its backends and auxiliary processes, also of those that ended. */
function cpuTimeOfServer(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = processes.map(cpuTimeIfAlive).filter((time) => time?.parent === pid);
  const { own, ended } = cpuTimeOf(String(pid));
  return children.reduce((sum, time) => sum + time!.own, own + ended);
}

interface Server {
  url: string;
  pid: number;
}

async function startServer(): Promise<Server> {
  const server = await startDebianPostgres({ folder: await temporaryFolder() });
  await migrate(server.url);
  await migrateQueue(server.url);
  return server;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe("an idle API and worker on Debian's PostgreSQL with its defaults", () => {
  let redis: TestRedis;
  const servers: Server[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    for (let index = 0; index < 2; index++) servers.push(await startServer());
  });
  afterAll(async () => {
    await redis.stop();
    for (const { pid } of servers) process.kill(pid, 'SIGQUIT');
  });

  it('counts what a backend computes, also after its end', async () => {
    const [{ url, pid }] = servers as [Server];
    const before = cpuTimeOfServer(pid);
    const compute = 'SELECT sum(n) FROM generate_series(1, 5000000) n';
    const during = await withClient(url, async (client) => {
      expect((await client.query<{ jit: string }>('SHOW jit')).rows).toEqual([{ jit: 'on' }]);
      await client.query(compute);
      return cpuTimeOfServer(pid);
    });
    expect(during).toBeGreaterThan(before + 10);
    await eventually(() => expect(cpuTimeOf(String(pid)).ended).toBeGreaterThan(10));
    expect(cpuTimeOfServer(pid)).toBeGreaterThanOrEqual(during);
  });

  it('costs it less than a hundredth of a core, with the queue in Redis and in PostgreSQL', async () => {
    const [first, second] = servers as [Server, Server];
    const services = [
      await startServiceInProcess({ entry: 'all', databaseUrl: first.url, redisUrl: redis.url }),
      await startServiceInProcess({ entry: 'all', databaseUrl: second.url }),
    ];
    try {
      await delay(SETTLE_MS);
      const least = servers.map(() => Number.POSITIVE_INFINITY);
      // other work on the machine makes the same statements more expensive, never cheaper
      for (let minute = 0; minute < MINUTES && Math.max(...least) >= ONE_PERCENT; minute++) {
        const before = servers.map(({ pid }) => cpuTimeOfServer(pid));
        await delay(MINUTE_MS);
        for (const [index, { pid }] of servers.entries())
          least[index] = Math.min(least[index]!, cpuTimeOfServer(pid) - before[index]!);
      }
      const [redisQueue, ownQueue] = least;
      expect(redisQueue).toBeLessThan(ONE_PERCENT);
      expect(ownQueue).toBeLessThan(ONE_PERCENT);
    } finally {
      for (const service of services) await service.stop();
    }
  }, 400_000);
});
