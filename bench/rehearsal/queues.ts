// The Redis servers of a rehearsal: a single one, a cluster, or a master with sentinels. The last two are those of the
// tests.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RedisCluster } from '../../test/support/servers/redis-cluster.js';
import { RedisSentinels } from '../../test/support/servers/redis-sentinel.js';
import type { Cleanup } from '../support/cleanup.js';
import { RedisServer } from '../support/redis-server.js';
import type { Supervisor } from '../support/supervisor.js';
import type { Say } from './step-key.js';

/** Redis in a rehearsal. */
export interface Queue {
  /** Queue settings of the processes. */
  readonly settings: Record<string, string>;
  /** Kills the master. Resolves when Redis is writable again. */
  failOver(say: Say): Promise<void>;
}

/** One Redis that is started again after it was killed. */
export class SingleRedis implements Queue {
  readonly settings: Record<string, string>;

  private constructor(private readonly redis: RedisServer) {
    this.settings = { REDIS_URL: redis.url };
  }

  static async start(supervisor: Supervisor, folder: string): Promise<SingleRedis> {
    return new SingleRedis(await RedisServer.start(supervisor, folder));
  }

  async failOver(say: Say): Promise<void> {
    await this.redis.stop('SIGKILL', true);
    say('Redis was killed');
    await this.redis.start();
    say('Redis was started again');
  }
}

/** Three masters with one replica each. */
export class ClusteredRedis implements Queue {
  private constructor(
    private readonly cluster: RedisCluster,
    private readonly cleanup: Cleanup,
  ) {}

  static async start(folder: string, cleanup: Cleanup): Promise<ClusteredRedis> {
    const cluster = await RedisCluster.start({ folder: await ownFolder(folder), replicas: 1 });
    cleanup.add(() => cluster.stop());
    for (const pid of cluster.pids) cleanup.report({ started: pid });
    return new ClusteredRedis(cluster, cleanup);
  }

  get settings(): Record<string, string> {
    return this.cluster.env;
  }

  /** Kills the master with the most keys, which are those of the queue and of rate limits. */
  async failOver(say: Say): Promise<void> {
    const { node: master, keys, slot } = await this.busiestMaster();
    await master.kill();
    this.cleanup.report({ exited: master.pid });
    say(`the master with the most keys (${keys}) was killed`);
    await this.cluster.failedOver(slot, master);
    say('its replica has taken over');
    await this.cluster.restartKilled();
    this.cleanup.report({ started: master.pid });
    say('the former master was started again, as a replica');
  }

  private async busiestMaster() {
    const masters = await Promise.all(
      MASTER_SLOTS.map(async (slot) => {
        const node = await this.cluster.masterOf(slot);
        return { node, slot, keys: Number(await node.call('DBSIZE')) };
      }),
    );
    return masters.reduce((busiest, one) => (one.keys > busiest.keys ? one : busiest));
  }
}

/** A hash slot of each of the three masters. */
const MASTER_SLOTS = [0, 8_000, 16_000];

/** A master, a replica and three sentinels. */
export class WatchedRedis implements Queue {
  private constructor(
    private readonly servers: RedisSentinels,
    private readonly cleanup: Cleanup,
  ) {}

  static async start(folder: string, cleanup: Cleanup): Promise<WatchedRedis> {
    const servers = await RedisSentinels.start({ folder: await ownFolder(folder) });
    cleanup.add(() => servers.stop());
    for (const pid of servers.pids) cleanup.report({ started: pid });
    return new WatchedRedis(servers, cleanup);
  }

  get settings(): Record<string, string> {
    return this.servers.env;
  }

  async failOver(say: Say): Promise<void> {
    const master = await this.servers.killMaster();
    this.cleanup.report({ exited: master.pid });
    say('the master was killed');
    await this.servers.failedOver(master);
    say('the sentinels have promoted its replica');
    await this.servers.restartKilled();
    this.cleanup.report({ started: master.pid });
    say('the former master was started again, as a replica');
  }
}

/**
 * The test helpers record their processes in this folder, for the reaper of the tests. They are reported to our reaper,
 * too.
 */
async function ownFolder(folder: string): Promise<string> {
  const own = join(folder, 'redis');
  await mkdir(join(own, 'processes'), { recursive: true });
  process.env.TEST_SERVERS = JSON.stringify({ folder: own });
  return own;
}
