import type { Server } from 'node:http';
import {
  abortRequests,
  type Role,
  type RunningApplication,
  startApplication,
  stopApplication,
} from '../../../src/bootstrap/start-application.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { testConfig } from '../../support/app/application.js';

export interface TestApplication extends RunningApplication {
  /** Status, headers and parsed body of a GET. */
  get(path: string): Promise<{ status: number; headers: Headers; body: Record<string, unknown>; text: string }>;
  stop(): Promise<void>;
  abort(): void;
  server: Server;
}

/** Starts the API or the worker like the mains, in this process, on a free port. */
export async function startRole(
  role: Role,
  databaseUrl: string,
  redisUrl?: string,
  env: Record<string, string | undefined> = {},
): Promise<TestApplication> {
  const config = testConfig({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, LOG_LEVEL: 'silent', ...env });
  const running = await startApplication(role, config, databaseUrl, createLogger(config.logLevel));
  let stopped: Promise<void> | undefined;
  return {
    ...running,
    get: async (path) => {
      const response = await fetch(running.address + path);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
      };
    },
    stop: () => (stopped ??= stopApplication(running)),
    abort: () => abortRequests(running),
    server: running.app.getHttpServer(),
  };
}
