import { RedisNode } from './redis-node.js';
import { temporaryFolder, testServers } from './servers.js';

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
