import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReadSlotsModule } from '../../../src/access/read-slots.js';
import { type Config, loadConfig, type LogLevel } from '../../../src/platform/config/config.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { Database } from '../../../src/platform/database/database.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { EncryptionModule } from '../../../src/platform/encryption/encryption.js';
import { createHttpApplication } from '../../../src/platform/http/http-application.js';
import type { HttpOptions } from '../../../src/platform/http/server-limits.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { ObservabilityModule } from '../../../src/platform/observability/metrics.js';
import { SETTINGS } from './settings.js';

export type LogLine = Record<string, unknown> & { msg: string; level: string };

export interface Request {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a text unchanged. */
  body?: unknown;
}

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Parsed JSON; `undefined` for an empty body. */
  body: T;
}

export interface TestApplication {
  app: NestFastifyApplication;
  /** A provider of the application, by its class. */
  get: <T>(type: Type<T>) => T;
  /** Sends a request without a connection. */
  call: <T = Record<string, unknown>>(request: Request) => Promise<Answer<T>>;
  /**
   * All log lines since this application started, including those of other applications of the test file: they share
   * NestJS's logger.
   */
  lines: () => LogLine[];
  close: () => Promise<void>;
}

export interface ApplicationOptions {
  http?: HttpOptions | undefined;
  logLevel?: LogLevel;
  /** Listens on a free port of 127.0.0.1; otherwise only `call` reaches it. */
  listen?: boolean;
  /**
   * How long statements wait for a lock. By default longer than in production, where some of many requests for one row
   * are refused on a busy machine. `'as served'`: for tests of this.
   */
  lockTimeoutMs?: number | 'as served';
  /** Runs before the application starts. */
  prepare?: (app: NestFastifyApplication) => void;
}

/** The settings of a service under test; `undefined` removes a setting. */
export const testConfig = (env: Record<string, string | undefined>): Config => loadConfig({ ...SETTINGS, ...env });

/** Feature modules with the platform modules that all of them need. `imports` adds others. */
export function featuresModule(
  config: Config,
  databaseUrl: string,
  imports: (DynamicModule | Type)[],
  controllers: Type[] = [],
): DynamicModule {
  const platform = [
    ConfigModule.forRoot(config),
    ObservabilityModule,
    DatabaseModule.forRoot(databaseUrl, config.databasePoolSize),
    EncryptionModule,
    ReadSlotsModule,
  ];
  return { module: FeaturesModule, imports: [...platform, ...imports], controllers };
}

class FeaturesModule {}

/** Less than PostgreSQL's own time limit of a statement. */
const PATIENCE_MS = 8_000;
/** Time limit for connecting to a busy server. */
const CONNECT_TIMEOUT_MS = 60_000;

const logged: LogLine[] = [];
const destination = { write: (line: string) => void logged.push(JSON.parse(line) as LogLine) };

/** Starts the application with the module `root` in this process. */
export async function startApplication(
  root: DynamicModule | Type,
  { http, logLevel = 'info', listen, lockTimeoutMs = PATIENCE_MS, prepare }: ApplicationOptions = {},
): Promise<TestApplication> {
  const firstLine = logged.length;
  const app = await createHttpApplication(root, createLogger(logLevel, destination), http);
  prepare?.(app);
  if (listen) await app.listen({ port: 0, host: '127.0.0.1' });
  else await app.init();
  await app.getHttpAdapter().getInstance().ready();
  if (lockTimeoutMs !== 'as served') await extendTimeouts(app, lockTimeoutMs);
  return {
    app,
    get: <T>(type: Type<T>) => app.get<T>(type, { strict: false }),
    call: (request) => call(app, request),
    lines: () => logged.slice(firstLine),
    close: () => app.close(),
  };
}

async function extendTimeouts(app: NestFastifyApplication, timeoutMs: number): Promise<void> {
  const pool = poolOf(app);
  if (!pool) return;
  pool.options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
  const wait = `SET lock_timeout = ${timeoutMs}`;
  // sent before the first statement of the connection; if the connection is lost, that statement reports it
  pool.on('connect', (client) => void client.query(wait).catch(() => undefined));
  await Promise.all(Array.from({ length: pool.totalCount }, () => pool.query(wait)));
}

/** `undefined`: the application needs no database. */
function poolOf(app: NestFastifyApplication): Database['pool'] | undefined {
  try {
    return app.get(Database, { strict: false }).pool;
  } catch {
    return undefined;
  }
}

async function call<T>(
  app: NestFastifyApplication,
  { method = 'GET', url, headers = {}, body }: Request,
): Promise<Answer<T>> {
  const response = await app.inject({
    method,
    url,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    text: response.body,
    body: (response.body === '' ? undefined : JSON.parse(response.body)) as T,
  };
}
