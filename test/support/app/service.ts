import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Role } from '../../../src/bootstrap/start-application.js';
import { ManagedProcess } from '../../../src/cli/managed-process.js';
import { forgetProcess, rememberProcess, temporaryFolder } from '../servers/servers.js';
import { bootstrapClient, SETTINGS } from './settings.js';

export interface ServiceOptions {
  entry: 'api' | 'worker' | 'all';
  /** Absent: embedded PostgreSQL; then give DATA_DIR in `env`. */
  databaseUrl?: string;
  /** Absent: the queue lives in PostgreSQL. */
  redisUrl?: string;
  /** Further settings; `undefined` removes one of ours. */
  env?: Record<string, string | undefined>;
}

export interface RunningService {
  /** Of the API; fails for entry `worker`. */
  readonly url: string;
  /** Of the worker's health and metrics; fails for entry `api`. */
  readonly workerUrl: string;
  readonly pid: number;
  /** stdout and stderr so far. */
  logs(): string;
  /** SIGTERM; resolves to the exit code. Rejects when the process takes longer than two minutes: it hangs. */
  stop(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** The first client, with all scopes, of every service started here. */
export const BOOTSTRAP_CLIENT = { id: 'e2e', secret: 'e2e-secret-of-the-first-client' };

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** A file of the build, or of the one that the environment variable TEST_DIST names. */
export const builtFile = (...path: string[]): string => join(process.env.TEST_DIST ?? join(root, 'dist'), ...path);
/** For `NODE_OPTIONS`: a module beside this one, loaded before the program. */
export const preloading = (module: string): string => `--import=${fileURLToPath(new URL(module, import.meta.url))}`;

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 120_000;

/**
 * Runs dist/main-<entry>.js on free ports as a user would, and waits until it says that it is ready. The environment
 * variable TEST_DIST names another build, whatever its age.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const main = builtFile(`main-${options.entry}.js`);
  if (process.env.TEST_DIST === undefined) requireFreshBuild(main);
  const { entry, databaseUrl, redisUrl, env } = options;
  const service = ManagedProcess.spawn({
    name: `main-${entry}`,
    args: [main],
    cwd: await temporaryFolder(), // not the project's folder: a developer's .env there is not for tests
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
      if (exitCode === null) throw new Error(`did not stop by itself:\n${process.log()}`);
      return exitCode;
    },
    kill: () => process.kill(),
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
