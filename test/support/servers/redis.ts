import { RedisNode } from './redis-node.js';
import { temporaryFolder, testServers } from './servers.js';

/** The Redis that all test files share: use unique prefixes or queue names, and do not flush it. */
export const redisUrl = (): string => testServers().redisUrl;

export interface TestRedis {
  url: string;
  port: number;
  /** Removes all keys. */
  flush(): Promise<void>;
  /** SIGKILL: all data is lost. `restart` starts it again on its port. */
  kill(): Promise<void>;
  /** An empty server on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis only for this test, which may flush and kill it. */
export async function startRedis(): Promise<TestRedis> {
  const node = await RedisNode.start(await temporaryFolder());
  return {
    url: `redis://127.0.0.1:${node.port}`,
    port: node.port,
    kill: () => node.kill(),
    flush: async () => void (await node.call('FLUSHALL')),
    restart: () => node.restart(),
    stop: () => node.kill(),
  };
}
