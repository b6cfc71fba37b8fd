import { setTimeout as delay } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/config.js';
import { Drain } from '../platform/http/drain.js';
import { createHttpServer } from '../platform/http/http-server.js';
import { listeningUrl, ManagementListener } from '../platform/http/management-listener.js';
import { httpOptions } from '../platform/http/server-limits.js';
import { Metrics } from '../platform/observability/metrics.js';
import { StartError } from '../platform/config/config-error.js';

export type Role = 'api' | 'worker';

export interface RunningApplication {
  role: Role;
  app: NestFastifyApplication;
  /** Base URL, such as `http://127.0.0.1:3000`. */
  address: string;
  /** Base URL of health and metrics, if they have a port of their own. */
  managementAddress?: string;
  management?: ManagementListener;
}

interface RoleParts {
  root: () => Promise<{ forRoot(config: Config, databaseUrl: string): DynamicModule }>;
  create: () => Promise<typeof createHttpServer>;
  portSetting: 'PORT' | 'WORKER_PORT';
  port: (config: Config) => number;
}

/** Loaded at the start, so that a worker does not load modules that only the API needs. */
const ROLES: Record<Role, RoleParts> = {
  api: {
    root: async () => (await import('./api.module.js')).ApiModule,
    create: async () => (await import('../platform/http/http-application.js')).createHttpApplication,
    portSetting: 'PORT',
    port: (config) => config.port,
  },
  worker: {
    root: async () => (await import('./worker.module.js')).WorkerModule,
    create: () => Promise.resolve(createHttpServer),
    portSetting: 'WORKER_PORT',
    port: (config) => config.workerPort,
  },
};

/** Starts the API or the worker and logs the address on which it listens (the worker: for health and metrics). */
export async function startApplication(
  role: Role,
  config: Config,
  databaseUrl: string,
  logger: Logger,
): Promise<RunningApplication> {
  const root = (await ROLES[role].root()).forRoot(config, databaseUrl);
  const create = await ROLES[role].create();
  const management = role === 'api' && config.managementPort !== undefined ? new ManagementListener() : undefined;
  const app = await create(root, logger, { ...httpOptions(config), ...(management && { management }) });
  app.get(Metrics).setProcess(role);
  app.get(Drain).attach();
  if (role === 'api') await serveDocuments(app);
  const { portSetting, port } = ROLES[role];
  await listening(app, portSetting, port(config), config, (at, host) => app.listen({ port: at, host }));
  const address = await app.getUrl();
  const managed = management && {
    management,
    managementAddress: await listening(app, 'MANAGEMENT_PORT', config.managementPort!, config, (at, host) =>
      management.listen(at, host),
    ),
  };
  const bound = listeningUrl(app.getHttpServer());
  logger.info({ address: bound, managementAddress: managed?.managementAddress, process: role }, 'listening');
  return { role, app, address, ...managed };
}

async function serveDocuments(app: NestFastifyApplication): Promise<void> {
  const [{ serveOpenApi }, { serveLlmsText }, { servePackages }, { DOCUMENT_PARTS }] = await Promise.all([
    import('../openapi/openapi.js'),
    import('../openapi/llms.js'),
    import('../platform/http/served-packages.js'),
    import('./document.js'),
  ]);
  serveOpenApi(app, DOCUMENT_PARTS);
  serveLlmsText(app);
  servePackages(app);
}

/** Loads the modules that `startApplication` needs. */
export const preload = async (roles: Role[]): Promise<void> => {
  for (const role of roles) await Promise.all([ROLES[role].root(), ROLES[role].create()]);
};

/** Returns the result of `listen`; when that fails, closes the application. */
async function listening<T>(
  app: NestFastifyApplication,
  setting: string,
  port: number,
  { host }: Config,
  listen: (port: number, host: string) => Promise<T>,
): Promise<T> {
  try {
    return await listen(port, host);
  } catch (error) {
    await app.close();
    throw listenFailure(error as NodeJS.ErrnoException, setting, port, host);
  }
}

function listenFailure(error: NodeJS.ErrnoException, setting: string, port: number, host: string): Error {
  const { code, syscall } = error;
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const line = `${setting}: got ${port} (${code} on ${host}), takes a free port, or 0 for any`;
    return new StartError(line, { cause: error });
  }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  return new StartError(`HOST: got ${host} (${code}), takes an address of this machine`, { cause: error });
}

/**
 * A stopping worker continues to deliver for this time. APIs that get the signal at the same time still finish
 * requests, and their webhooks would otherwise wait for the next worker. It is longer than `Drain.linger` and most
 * provider calls. Together with the 7.5 s for its last deliveries it stays within the 10 s of `ProcessLifecycle`.
 */
const WORKER_LINGER_MS = 1_500;

/**
 * Stops an application: it reports not ready, accepts no new connections, finishes jobs and requests in flight, then
 * closes the rest. Before that, both roles continue for a moment: the API for requests that clients have already sent,
 * the worker for deliveries that APIs commit meanwhile. The server is closed before Nest's own hooks, so that requests
 * finish while jobs do; Nest waits for it before it closes the database pool.
 */
export async function stopApplication({ role, app, management }: RunningApplication): Promise<void> {
  try {
    await Promise.all([app.get(Drain).linger(), role === 'worker' && delay(WORKER_LINGER_MS)]);
    await Promise.all([app.get(Drain).start(), app.close()]);
  } finally {
    // until here it reports that the process is stopping
    management?.close();
  }
}

/** Cuts off the requests that a stop waits for. */
export const abortRequests = ({ app }: RunningApplication): void => app.get(Drain).abort();
