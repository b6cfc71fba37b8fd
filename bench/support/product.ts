import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootstrapClient, type ClientCredentials, SETTINGS } from '../../test/support/app/settings.js';
import type { Arguments } from './arguments.js';
import { startCommand } from './programs.js';
import { stablePort } from './ports.js';
import { type PlaceOptions, ProductProcess } from './product-process.js';
import type { Supervisor } from './supervisor.js';

/** The client of every service that the bench and the chaos runs start; their data is deleted. */
export const CLIENT = { id: 'bench', secret: 'secret-of-the-bench-client' };
const START_TIMEOUT_MS = 30_000;

export interface ProductOptions {
  databaseUrl: string;
  /** Absent: the queue is in PostgreSQL. */
  redisUrl?: string | undefined;
  env?: Record<string, string>;
}

/** Settings of a process slot, in addition to the build's. */
interface Place extends Pick<PlaceOptions, 'slot' | 'port' | 'restarts'> {
  env: NodeJS.ProcessEnv;
  /** Node's flags before the default ones. */
  flags?: readonly string[];
}

/** Starts the product's processes and commands from the build named by the arguments. */
export class Product {
  private started = 0;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly options: Pick<Arguments, 'dist' | 'logLevel'> & Partial<Pick<Arguments, 'profiles'>>,
    private readonly folder: string,
    /** Prefix of process names, if several builds run at the same time. */
    private readonly prefix = '',
  ) {}

  /** A process that is not started yet. */
  place(role: 'api' | 'worker', { flags = [], env, ...place }: Place): ProductProcess {
    return new ProductProcess(this.supervisor, {
      ...place,
      args: [...flags, ...startCommand(this.options.dist, role)],
      env: { ...env, LOG_LEVEL: this.options.logLevel },
      folder: this.folder,
    });
  }

  /** Resolves when the process is ready; it is not restarted. */
  async start(role: 'api' | 'worker', options: ProductOptions): Promise<ProductProcess> {
    const slot = `${this.prefix}${role}-${++this.started}`;
    const port = await stablePort();
    const place = { slot, port, restarts: false, flags: this.profiling(slot), env: productSettings(options) };
    const process = this.place(role, place);
    await process.start(START_TIMEOUT_MS);
    return process;
  }

  /** Runs a CLI command of the service; resolves to its output. Rejects if it fails. */
  async cli(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
    const options = { cwd: this.folder, env, maxBuffer: 64 * 2 ** 20 };
    const command = [join(this.options.dist, 'cli', 'main.js'), ...args];
    return (await promisify(execFile)(process.execPath, command, options)).stdout;
  }

  /** Creates a client with all scopes and its own merchant. */
  async createClient(merchant: string, env: NodeJS.ProcessEnv): Promise<ClientCredentials> {
    const args = ['--merchant', merchant, '--name', 'bench', '--scopes', 'all', '--json'];
    const created = JSON.parse(await this.cli(env, 'client:create', ...args)) as {
      client_id: string;
      client_secret: string;
    };
    return { id: created.client_id, secret: created.client_secret };
  }

  private profiling(name: string): string[] {
    const { profiles } = this.options;
    return profiles === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}.cpuprofile`];
  }
}

/** The complete environment of a process of the product. */
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
