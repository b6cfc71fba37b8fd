import { once } from 'node:events';
import { Redis } from 'ioredis';
import { startRedisServer } from './redis-server.mjs';
import { forgetProcess, rememberProcess, temporaryFolder, testServers } from './servers.js';

/** The Redis that all test files share: use a prefix or queue names of your own, and do not flush it. */
export const redisUrl = (): string => testServers().redisUrl;

export interface TestRedis {
  url: string;
  port: number;
  /** Removes all keys. */
  flush(): Promise<void>;
  /** SIGKILL: everything in it is lost. The instance can be started again on its port by `restart`. */
  kill(): Promise<void>;
  /** An empty server on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis of the test's own, to be flushed and killed at will. */
export async function startRedis(): Promise<TestRedis> {
  const folder = await temporaryFolder();
  let server = await startRedisServer(folder);
  rememberProcess(server.child.pid);
  const kill = async () => {
    if (server.child.exitCode !== null || server.child.signalCode !== null) return;
    const exited = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    await exited;
    forgetProcess(server.child.pid);
  };
  return {
    url: server.url,
    port: server.port,
    kill,
    flush: () => flush(server.url),
    restart: async () => {
      await kill();
      server = await startRedisServer(folder, server.port);
      rememberProcess(server.child.pid);
    },
    stop: kill,
  };
}

async function flush(url: string): Promise<void> {
  const client = new Redis(url);
  try {
    await client.flushall();
  } finally {
    client.disconnect();
  }
}
