import { mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ManagedProcess } from '../../src/cli/demo/managed-process.js';
import type { Supervisor } from './supervisor.js';
import { stablePort } from './ports.js';

const START_TIMEOUT_MS = 20_000;
const SETTINGS = Object.entries({
  save: '',
  appendonly: 'yes',
  appendfsync: 'everysec',
  'maxmemory-policy': 'noeviction',
  databases: '64',
}).flatMap(([name, value]) => [`--${name}`, value]);

/**
 * A Redis with an append-only file, as durable as in production. It can be stopped, killed, emptied and restarted on
 * its port.
 */
export class RedisServer {
  private server: ManagedProcess | undefined;

  private constructor(
    private readonly supervisor: Supervisor,
    private readonly folder: string,
    private readonly logFile: string,
    readonly port: number,
  ) {}

  static async start(supervisor: Supervisor, folder: string): Promise<RedisServer> {
    const redis = new RedisServer(supervisor, join(folder, 'redis'), join(folder, 'redis.log'), await stablePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.server!.pid;
  }

  async start(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, ...SETTINGS];
    const { logFile } = this;
    const server = this.supervisor.spawn({ name: 'redis-server', file: 'redis-server', args, logFile });
    this.server = server;
    for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline && !server.hasExited; await delay(20)) {
      if ((await this.ask('PING').catch(() => '')).startsWith('+PONG')) return;
    }
    throw new Error(`redis-server does not start:\n${server.lastLog()}`);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL', keepsData: boolean): Promise<void> {
    await (signal === 'SIGTERM' ? this.server?.stop() : this.server?.kill());
    if (!keepsData) await rm(this.folder, { recursive: true, force: true });
  }

  async flush(): Promise<void> {
    const answer = await this.ask('FLUSHALL');
    if (!answer.startsWith('+OK')) throw new Error(`FLUSHALL: ${answer}`);
  }

  private ask(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${command}\r\n`));
      socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }
}
