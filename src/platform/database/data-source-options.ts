import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { connectionTo, withOptions } from './connection.js';
import { configureSession } from './connection-watchdog.js';
import { adaptToPooler } from './pooled-client.js';
import { BOUNDS, UNBOUNDED_OPTIONS } from './session-settings.js';

/** How the processes that serve use their connections. */
export interface ServingOptions {
  /** Whether the URL is that of a pooler in transaction mode. */
  isPooled: boolean;
  /** 0: no limit. */
  maxLifetimeSeconds: number;
}

interface ServingConnection extends Partial<typeof BOUNDS> {
  maxLifetimeSeconds: number;
  /** The pool waits for this promise. */
  onConnect: (client: ClientBase) => Promise<void>;
}

/** Connections with time-outs, to the server or to a pooler in front of it. */
export const servingConnection = ({ isPooled, maxLifetimeSeconds }: ServingOptions): ServingConnection => ({
  maxLifetimeSeconds,
  ...(isPooled ? { onConnect: adaptToPooler } : { ...BOUNDS, onConnect: configureSession }),
});

/** TypeORM's settings for serving processes. */
export function boundedDataSourceOptions(
  databaseUrl: string,
  poolSize: number,
  serving: ServingOptions = { isPooled: false, maxLifetimeSeconds: 0 },
): DataSourceOptions {
  return optionsOf(poolSize, { ...connectionTo(databaseUrl), ...servingConnection(serving) });
}

/**
 * TypeORM's settings for `databaseUrl`, without time-outs, because migrations take the time they need. Never
 * `synchronize`: only migrations change the schema.
 */
export const dataSourceOptions = (databaseUrl: string, poolSize: number): DataSourceOptions =>
  optionsOf(poolSize, withOptions(connectionTo(databaseUrl), UNBOUNDED_OPTIONS));

function optionsOf(poolSize: number, connection: object): DataSourceOptions {
  return {
    type: 'postgres',
    poolSize,
    parseInt8: true,
    synchronize: false,
    applicationName: 'payment-orchestrator',
    connectTimeoutMS: 5_000,
    extra: { idleTimeoutMillis: 30_000, keepAlive: true, ...connection },
  };
}
