import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Role } from '../../../src/bootstrap/start-application.js';
import { ManagedProcess } from '../../../src/cli/demo/managed-process.js';
import { forgetProcess, rememberProcess, temporaryFolder } from '../servers/servers.js';
import { bootstrapClient, SETTINGS } from './settings.js';

export interface ServiceOptions {
  entry: 'api' | 'worker' | 'all';
  /** Absent: embedded PostgreSQL; then set DATA_DIR in `env`. */
  databaseUrl?: string;
  /** Absent: the queue is in PostgreSQL. */
  redisUrl?: string;
  /** Additional settings; `undefined` removes a default. */
  env?: Record<string, string | undefined>;
}

export interface RunningService {
  /** URL of the API; fails for entry `worker`. */
  readonly url: string;
  /** URL of the worker's health and metrics; fails for entry `api`. */
  readonly workerUrl: string;
  readonly pid: number;
  /** stdout and stderr so far. */
  logs(): string;
  /** Sends SIGTERM; resolves to the exit code. Rejects if the process takes longer than two minutes. */
  stop(): Promise<number>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** The first client of every service started here, with all scopes. */
export const BOOTSTRAP_CLIENT = { id: 'e2e', secret: 'e2e-secret-of-the-first-client' };

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** A file of the build, or of the build in the environment variable TEST_DIST. */
export const builtFile = (...path: string[]): string => join(process.env.TEST_DIST ?? join(root, 'dist'), ...path);
/** For `NODE_OPTIONS`: preloads a module of this folder. */
export const preloading = (module: string): string => `--import=${fileURLToPath(new URL(module, import.meta.url))}`;

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 120_000;

/**
 * Runs dist/main-<entry>.js on free ports and waits until it is ready. The environment variable TEST_DIST selects
 * another build, regardless of its age.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const main = builtFile(`main-${options.entry}.js`);
  if (process.env.TEST_DIST === undefined) requireFreshBuild(main);
  const { entry, databaseUrl, redisUrl, env } = options;
  const service = ManagedProcess.spawn({
    name: `main-${entry}`,
    args: [main],
    cwd: await temporaryFolder(), // not the project's folder, because tests must not read a developer's .env
    env: {
      ...SETTINGS,
      ...bootstrapClient(BOOTSTRAP_CLIENT),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      ...env,
    },
  });
  rememberProcess(service.pid);
  service.child.once('exit', () => forgetProcess(service.pid));
  try {
    await service.ready(START_TIMEOUT_MS, () => rolesOf(entry).map((role) => service.address(role)));
  } catch (error) {
    await service.kill();
    throw error;
  }
  return running(service);
}

export const rolesOf = (entry: ServiceOptions['entry']): readonly Role[] =>
  entry === 'all' ? ['api', 'worker'] : [entry];

function running(process: ManagedProcess): RunningService {
  const listening = (role: Role): string => {
    const address = process.address(role);
    if (address === undefined) throw new Error(`${process.name} has no ${role}`);
    return address;
  };
  return {
    get url() {
      return listening('api');
    },
    get workerUrl() {
      return listening('worker');
    },
    pid: process.pid,
    logs: () => process.log(),
    stop: async () => {
      const exitCode = await process.stop(STOP_TIMEOUT_MS);
      if (exitCode === null) throw new Error(`did not stop after SIGTERM:\n${process.log()}`);
      return exitCode;
    },
    kill: () => process.kill(),
  };
}

let checkedBuild = false;

/**
 * Fails if the build is older than the sources. Checked once per test file, because sources may change while tests run.
 */
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
