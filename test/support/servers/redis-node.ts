import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type RedisServerOptions, startRedisServer } from './redis-server.mjs';
import { forgetProcess, rememberProcess } from './servers.js';

export interface RedisNodeOptions extends RedisServerOptions {
  /** Password of the default user, for `call`; `args` must set it. */
  password?: string;
}

type Server = Awaited<ReturnType<typeof startRedisServer>>;

/** One redis-server, a Redis or a sentinel, on a free port of the loopback interface. A restart uses the same port. */
export class RedisNode {
  private constructor(
    private readonly folder: string,
    private readonly options: RedisNodeOptions,
    private server: Server,
  ) {
    rememberProcess(server.child.pid);
  }

  /** Its files are stored in a new folder inside `folder`. */
  static async start(folder: string, options: RedisNodeOptions = {}): Promise<RedisNode> {
    const own = await mkdtemp(join(folder, 'redis-'));
    return new RedisNode(own, options, await startRedisServer(own, 0, options));
  }

  get port(): number {
    return this.server.port;
  }

  get pid(): number {
    return this.server.child.pid!;
  }

  get isRunning(): boolean {
    return this.server.child.exitCode === null && this.server.child.signalCode === null;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.server.child, 'exit');
    this.server.child.kill('SIGKILL');
    await exited;
    forgetProcess(this.pid);
  }

  /** Starts again after SIGKILL, on the same port and with the same files. */
  async restart(): Promise<void> {
    await this.kill();
    this.server = await startRedisServer(this.folder, this.port, this.options);
    rememberProcess(this.pid);
  }

  /** Runs one command on a new connection. Rejects if the node is down. */
  async call(command: string, ...args: (string | number)[]): Promise<unknown> {
    const { password } = this.options;
    const client = new Redis(this.port, '127.0.0.1', {
      ...(password !== undefined && { password }),
      retryStrategy: () => null,
      enableReadyCheck: false,
    });
    client.on('error', () => undefined);
    try {
      return await client.call(command, ...args);
    } finally {
      client.disconnect();
    }
  }

  /** A line of INFO, such as `master_link_status`; `undefined`: no such line. */
  async info(name: string): Promise<string | undefined> {
    return lineOf(String(await this.call('INFO')), name);
  }
}

/** The value of `name` in lines such as `cluster_state:ok`, as in INFO and CLUSTER INFO. */
export const lineOf = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*)$`, 'm').exec(text)?.[1]?.trim();
