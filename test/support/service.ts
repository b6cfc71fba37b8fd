import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import { HIGH_LIMITS } from './high-limits.js';
import { forgetProcess, rememberProcess, temporaryFolder } from './servers.js';

export interface ServiceOptions {
  entry: 'api' | 'worker' | 'all';
  /** Absent: embedded PostgreSQL; then give DATA_DIR in `env`. */
  databaseUrl?: string;
  /** Absent: the queue lives in PostgreSQL. */
  redisUrl?: string;
  /** Further settings; `undefined` removes one of ours. */
  env?: Record<string, string | undefined>;
  startTimeoutMs?: number;
}

export interface RunningService {
  /** Of the API; fails for entry `worker`. */
  readonly url: string;
  /** Of the worker's health and metrics; fails for entry `api`. */
  readonly workerUrl: string;
  readonly pid: number;
  /** stdout and stderr so far. */
  logs(): string;
  /** SIGTERM; resolves to the exit code. Rejects when the process takes longer than 30 s. */
  stop(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** The first client, with all scopes, of every service started here. */
export const BOOTSTRAP_CLIENT = { id: 'e2e', secret: 'e2e-secret-of-the-first-client' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const STOP_TIMEOUT_MS = 30_000;

/**
 * Runs dist/main-<entry>.js on free ports as a user would, and waits until it says that it is ready. The environment
 * variable TEST_DIST names another build, whatever its age.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const main = join(process.env.TEST_DIST ?? join(root, 'dist'), `main-${options.entry}.js`);
  if (process.env.TEST_DIST === undefined) requireFreshBuild(main);
  // not the project's folder: a developer's .env there is not for tests
  const child = spawn(process.execPath, [main], {
    cwd: await temporaryFolder(),
    env: environment(options),
    stdio: 'pipe',
  });
  rememberProcess(child.pid);
  child.once('exit', () => forgetProcess(child.pid));
  const service = new ServiceProcess(child);
  try {
    await service.ready(options);
    return service;
  } catch (error) {
    await service.kill();
    throw new Error(`${options.entry} does not get ready: ${String(error)}\n${service.logs()}`, { cause: error });
  }
}

class ServiceProcess implements RunningService {
  private output = '';
  private readonly exited: Promise<unknown>;

  constructor(private readonly child: ChildProcess) {
    this.exited = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  get url(): string {
    return this.address('api');
  }

  get workerUrl(): string {
    return this.address('worker');
  }

  get pid(): number {
    return this.child.pid!;
  }

  logs(): string {
    return this.output;
  }

  async ready({ entry, startTimeoutMs: timeoutMs }: ServiceOptions): Promise<void> {
    const processes = entry === 'all' ? (['api', 'worker'] as const) : [entry];
    const ready = async () => {
      if (this.hasExited()) return 'exited';
      for (const name of processes) {
        const response = await fetch(`${this.address(name)}/health/ready`);
        assert.equal(
          response.status,
          200,
          `${name}: /health/ready answers ${response.status} ${await response.text()}`,
        );
      }
      return 'ready';
    };
    assert.equal(await eventually(ready, { timeoutMs }), 'ready', 'the process has ended');
  }

  async stop(): Promise<number> {
    if (!this.hasExited()) this.child.kill('SIGTERM');
    const impatience = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(impatience);
    const { exitCode, signalCode } = this.child;
    if (exitCode === null) throw new Error(`did not stop by itself (${signalCode}):\n${this.output}`);
    return exitCode;
  }

  async kill(): Promise<void> {
    if (!this.hasExited()) this.child.kill('SIGKILL');
    await this.exited;
  }

  private hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** From the log line `{"msg":"listening","process":"api","address":"http://127.0.0.1:43121"}`. */
  private address(name: 'api' | 'worker'): string {
    for (const line of this.output.split('\n')) {
      if (!line.startsWith('{') || !line.includes('"listening"') || !line.endsWith('}')) continue;
      const entry = JSON.parse(line) as { msg?: string; process?: string; address?: string };
      if (entry.msg === 'listening' && entry.process === name && entry.address) return entry.address;
    }
    throw new Error(`${name} does not listen`);
  }
}

function environment({ databaseUrl, redisUrl, env }: ServiceOptions): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    WORKER_PORT: '0',
    JWT_SECRET: 'e2e-jwt-secret-that-is-long-enough-for-hs256',
    ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
    BOOTSTRAP_CLIENT_ID: BOOTSTRAP_CLIENT.id,
    BOOTSTRAP_CLIENT_SECRET: BOOTSTRAP_CLIENT.secret,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    ...HIGH_LIMITS,
    ...env,
  };
}

let checkedBuild = false;

/** An old build would test yesterday's code. Once per test file: sources may change while tests run. */
function requireFreshBuild(main: string): void {
  if (checkedBuild) return;
  const built = existsSync(main) ? statSync(main).mtimeMs : 0;
  const changed = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .find((name) => statSync(join(root, 'src', name)).mtimeMs > built);
  if (changed !== undefined) {
    throw new Error(built ? `dist is older than src/${changed}: npm run build` : `no ${main}: npm run build`);
  }
  checkedBuild = true;
}
