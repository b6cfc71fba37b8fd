import { RedisServer } from '../support/redis-server.js';
import type { Supervisor } from '../support/supervisor.js';
import type { Say } from './steps/step.js';

/** Redis as the run has it, whatever it consists of. */
export interface Queue {
  /** What the processes are given. */
  readonly settings: Record<string, string>;
  /** The master is killed. Resolves when writes are taken again. */
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
