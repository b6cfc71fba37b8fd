import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import type { Arguments } from './arguments.js';
import { nodeFlags } from './node-flags.js';
import { freePort } from './servers.js';
import type { SupervisedProcess, Supervisor } from './supervisor.js';

/** The keys and the client of every service that the bench starts; its data is thrown away. */
export const ENCRYPTION_KEY = Buffer.from('an encryption key of the benches');
const CLIENT = { id: 'bench', secret: 'secret-of-the-bench-client' };
const START_TIMEOUT_MS = 30_000;

export interface Credentials {
  id: string;
  secret: string;
}

export interface ProductOptions {
  databaseUrl: string;
  /** Absent: the queue lives in PostgreSQL. */
  redisUrl?: string | undefined;
  env?: Record<string, string>;
}

/** A process of the product, started as in production. */
export interface ProductProcess {
  pid: number;
  url: string;
  /** When the process began, ms since 1970 with fractions. */
  startedAt: number;
  stop(): Promise<void>;
}

/** Starts the product's processes from the build that the arguments name. */
export class Product {
  private started = 0;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly options: Pick<Arguments, 'dist' | 'logLevel' | 'profiles'>,
    private readonly folder: string,
  ) {}

  /** Resolves when the process is ready to serve. */
  async start(role: 'api' | 'worker', options: ProductOptions): Promise<ProductProcess> {
    const name = `${role}-${++this.started}`;
    const port = String(await freePort());
    const startedAt = performance.timeOrigin + performance.now();
    const process = this.supervisor.spawn({
      name,
      file: globalThis.process.execPath,
      args: [
        ...nodeFlags(this.options.dist, role),
        ...this.profiling(name),
        join(this.options.dist, `main-${role}.js`),
      ],
      env: { ...environment(options), LOG_LEVEL: this.options.logLevel, PORT: port, WORKER_PORT: port },
      logFile: join(this.folder, `${name}.log`),
    });
    const url = `http://127.0.0.1:${port}`;
    await isReady(process, url);
    return { pid: process.pid, url, startedAt, stop: () => process.stop() };
  }

  /** A client with all scopes of a merchant of its own, made with the product's command line. */
  async createClient(merchant: string, options: ProductOptions): Promise<Credentials> {
    const command = [join(this.options.dist, 'cli', 'main.js'), 'client:create'];
    const args = [...command, '--merchant', merchant, '--name', 'bench', '--scopes', 'all', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment(options) });
    const { client_id: id, client_secret: secret } = JSON.parse(stdout) as { client_id: string; client_secret: string };
    return { id, secret };
  }

  private profiling(name: string): string[] {
    const { profiles } = this.options;
    return profiles === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}.cpuprofile`];
  }
}

function environment({ databaseUrl, redisUrl, env }: ProductOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    HOST: '127.0.0.1',
    JWT_SECRET: 'a secret of the bench that is long enough for HS256',
    ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
    BOOTSTRAP_CLIENT_ID: CLIENT.id,
    BOOTSTRAP_CLIENT_SECRET: CLIENT.secret,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_REQUIRE_HTTPS: 'false',
    // never reached, so that counting is part of what is measured
    RATE_LIMIT_PER_SECOND: '1000000',
    TOKEN_RATE_LIMIT_PER_MINUTE: '1000000',
    NOTIFICATION_RATE_LIMIT_PER_SECOND: '1000000',
    ...env,
  };
}

/** Whatever the log level, a process that is ready says so over HTTP. */
async function isReady(process: SupervisedProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline && !process.hasExited; await delay(50)) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
  }
  // one that has ended has shown its log already
  throw new Error(`${process.name} does not get ready${process.hasExited ? '' : `:\n${process.lastLog()}`}`);
}

/** An access token with all scopes. */
export async function accessToken(apiUrl: string, { id, secret }: Credentials = CLIENT): Promise<string> {
  const response = await fetch(`${apiUrl}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  if (!response.ok) throw new Error(`POST /auth/token answers ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
