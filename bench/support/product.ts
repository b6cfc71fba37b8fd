import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootstrapClient, type ClientCredentials, SETTINGS } from '../../test/support/app/settings.js';
import type { Arguments } from './arguments.js';
import { startCommand } from './programs.js';
import { stablePort } from './ports.js';
import type { Supervisor } from './supervisor.js';

/** The client of every service that the bench and the chaos runs start; their data is thrown away. */
export const CLIENT = { id: 'bench', secret: 'secret-of-the-bench-client' };
const START_TIMEOUT_MS = 30_000;

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
    /** Before the names of its processes, where several builds run side by side. */
    private readonly prefix = '',
  ) {}

  /** Resolves when the process is ready to serve. */
  async start(role: 'api' | 'worker', options: ProductOptions): Promise<ProductProcess> {
    const name = `${this.prefix}${role}-${++this.started}`;
    const port = String(await stablePort());
    const startedAt = performance.timeOrigin + performance.now();
    const process = this.supervisor.spawn({
      name,
      args: [...this.profiling(name), ...startCommand(this.options.dist, role)],
      env: { ...productSettings(options), LOG_LEVEL: this.options.logLevel, PORT: port, WORKER_PORT: port },
      logFile: join(this.folder, `${name}.log`),
    });
    const url = `http://127.0.0.1:${port}`;
    await process.ready(START_TIMEOUT_MS, () => [url]); // whatever the log level, the port is known
    return { pid: process.pid, url, startedAt, stop: async () => void (await process.stop()) };
  }

  /** A client with all scopes of a merchant of its own, made with the product's command line. */
  async createClient(merchant: string, options: ProductOptions): Promise<ClientCredentials> {
    const command = [join(this.options.dist, 'cli', 'main.js'), 'client:create'];
    const args = [...command, '--merchant', merchant, '--name', 'bench', '--scopes', 'all', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: productSettings(options) });
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

/** The whole environment of a process of the product. */
export const productSettings = ({ databaseUrl, redisUrl, env }: ProductOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  ...SETTINGS,
  ...bootstrapClient(CLIENT),
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  WEBHOOK_REQUIRE_HTTPS: 'false',
  ...env,
});

/** An access token with all scopes. */
export async function accessToken(apiUrl: string, { id, secret }: ClientCredentials = CLIENT): Promise<string> {
  const response = await fetch(`${apiUrl}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  if (!response.ok) throw new Error(`POST /auth/token answers ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
