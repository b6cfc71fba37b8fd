import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { RedisNode } from './redis-node.js';

const MASTER = 'payments';
const SENTINELS = 3;
const QUORUM = 2;
/** A master that does not answer for this long is replaced. */
const DOWN_AFTER_MS = 1_000;
/** A failover that has not finished after this time starts again. */
const FAILOVER_TIMEOUT_MS = 5_000;
/** Passwords of the Redis servers, and of the sentinels. */
const PASSWORDS = { data: 'password-of-the-redis-servers', sentinel: 'password-of-the-sentinels' };

export interface SentinelOptions {
  /** The folder for logs and data; processes write nowhere else. */
  folder: string;
  /** Default: 1. */
  replicas?: number;
}

/** A master with replicas, watched by three sentinels; servers and sentinels each require a password. */
export class RedisSentinels {
  private constructor(
    private readonly nodes: RedisNode[],
    private readonly sentinels: RedisNode[],
  ) {}

  /** Resolves when a failover would succeed: replicas are in sync, and the sentinels know them and each other. */
  static async start({ folder, replicas = 1 }: SentinelOptions): Promise<RedisSentinels> {
    const own = await mkdtemp(join(folder, 'redis-sentinel-'));
    const master = await startNode(own);
    const followers = await Promise.all(Array.from({ length: replicas }, () => startNode(own, master.port)));
    const running = new RedisSentinels([master, ...followers], []);
    try {
      await eventually(() => everyAsync(followers, (node) => isInStep(node)));
      for (let made = 0; made < SENTINELS; made++) running.sentinels.push(await startSentinel(own, master.port));
      await eventually(() => everyAsync(running.sentinels, (sentinel) => knows(sentinel, replicas)));
    } catch (error) {
      await running.stop();
      throw error;
    }
    return running;
  }

  /** The settings of API and worker. */
  get env(): Record<string, string> {
    return {
      REDIS_SENTINELS: this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
      REDIS_SENTINEL_MASTER: MASTER,
      REDIS_SENTINEL_PASSWORD: PASSWORDS.sentinel,
      REDIS_PASSWORD: PASSWORDS.data,
    };
  }

  /** All running processes. */
  get pids(): number[] {
    return [...this.nodes, ...this.sentinels].filter((node) => node.isRunning).map(({ pid }) => pid);
  }

  /**
   * The current master according to most sentinels: after a kill still the dead one, until they have elected another.
   */
  async master(): Promise<RedisNode> {
    const ports = await Promise.all(
      this.sentinels.map(async (sentinel) => {
        const address = await sentinel.call('SENTINEL', 'get-master-addr-by-name', MASTER);
        return Number((address as string[])[1]);
      }),
    );
    const port = ports.sort((one, other) => one - other)[Math.floor(ports.length / 2)];
    return this.nodes.find((node) => node.port === port)!;
  }

  /** SIGKILL. Resolves to the dead master at once, without waiting for another. */
  async killMaster(): Promise<RedisNode> {
    const master = await this.master();
    await master.kill();
    return master;
  }

  /** Resolves to the new master when all sentinels have one other than `former`, and it is writable. */
  failedOver(former: RedisNode): Promise<RedisNode> {
    return eventually(async () => {
      const master = await this.master();
      if (master === former || (await master.info('role')) !== 'master') throw new Error('no failover yet');
      return master;
    });
  }

  /** Starts the killed servers again. The sentinels make them replicas, about ten seconds later. */
  async restartKilled(): Promise<void> {
    await Promise.all(this.nodes.filter((node) => !node.isRunning).map((node) => node.restart()));
  }

  /**
   * Requests a failover like an operator, while the master is alive; refused until the previous failover has finished.
   */
  async failOverByHand(): Promise<void> {
    await eventually(() => this.sentinels[0]!.call('SENTINEL', 'FAILOVER', MASTER));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.nodes].map((node) => node.kill()));
  }
}

function startNode(folder: string, masterPort?: number): Promise<RedisNode> {
  const password = PASSWORDS.data;
  const follows = masterPort === undefined ? [] : ['--replicaof', '127.0.0.1', String(masterPort)];
  const args = ['--requirepass', password, '--masterauth', password, '--repl-diskless-sync-delay', '0', ...follows];
  return RedisNode.start(folder, { password, args });
}

/** A sentinel writes its state into its configuration file. */
async function startSentinel(folder: string, masterPort: number): Promise<RedisNode> {
  const configFile = join(await mkdtemp(join(folder, 'sentinel-')), 'sentinel.conf');
  const lines = [
    `requirepass ${PASSWORDS.sentinel}`,
    `sentinel sentinel-pass ${PASSWORDS.sentinel}`,
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} ${QUORUM}`,
    `sentinel auth-pass ${MASTER} ${PASSWORDS.data}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} ${FAILOVER_TIMEOUT_MS}`,
    `sentinel parallel-syncs ${MASTER} 1`,
  ];
  await writeFile(configFile, `${lines.join('\n')}\n`);
  return RedisNode.start(folder, { configFile, args: ['--sentinel'], password: PASSWORDS.sentinel });
}

const isInStep = async (node: RedisNode): Promise<boolean> => (await node.info('master_link_status')) === 'up';

async function knows(sentinel: RedisNode, replicas: number): Promise<boolean> {
  const flat = (await sentinel.call('SENTINEL', 'MASTER', MASTER)) as string[];
  const valueOf = (name: string) => Number(flat[flat.indexOf(name) + 1]);
  return valueOf('num-slaves') >= replicas && valueOf('num-other-sentinels') === SENTINELS - 1;
}

const everyAsync = async (nodes: RedisNode[], check: (node: RedisNode) => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(nodes.map(check))).every(Boolean);
