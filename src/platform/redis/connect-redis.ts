import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { RedisSentinelSettings, RedisServerSettings, RedisSettings } from '../config/redis-settings.js';

export type RedisClient = Redis | Cluster;

/**
 * `fail`: calls fail within seconds while Redis is away, so that no request hangs on them. `wait`: calls wait until it is
 * back.
 */
export type Patience = 'fail' | 'wait';

export interface RedisConnectOptions {
  patience: Patience;
  /** As Redis lists its clients. */
  connectionName?: string;
  /** Ms after which a call fails. */
  commandTimeout?: number;
  scripts?: Record<string, { lua: string }>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Of `wait`: longer than BullMQ ever blocks, which is 10 s. */
const SOCKET_TIMEOUT_MS = { fail: 5_000, wait: 12_000 };
const KEEP_ALIVE_MS = 10_000;
const SENTINEL_TIMEOUT_MS = 2_000;
/** A replica of a cluster's node may be slow to tell where the slots are; it is asked anew until then. */
const SLOTS_TIMEOUT_MS = 2_000;

/** ioredis waits up to 10 s when it reconnects to a Redis that is loading, and BullMQ's own retry delay grows to 20 s. */
const MAX_RETRY_DELAY_MS = 1_000;
const MAX_LOADING_WAIT_MS = 500;
const retryDelayMs = (times: number): number => Math.min(times * 100, MAX_RETRY_DELAY_MS);

/**
 * The one way to Redis: a server, the master that sentinels name, or a cluster. The client reconnects by itself for ever,
 * within a second of the server's return. `error` events need a listener.
 * Why not ioredis's defaults: a call waits for 20 reconnections, and a silent socket is never closed.
 */
export function connectRedis(settings: RedisSettings, options: RedisConnectOptions): RedisClient {
  return settings.kind === 'cluster'
    ? withReasons(new Cluster(settings.nodes, clusterOptions(settings, options)))
    : new Redis({
        ...(settings.kind === 'server' ? serverOptions(settings) : sentinelOptions(settings)),
        ...sharedOptions(settings, options),
        ...(options.scripts && { scripts: options.scripts }),
        retryStrategy: retryDelayMs,
        enableOfflineQueue: options.patience === 'wait',
      });
}

/** `socketTimeout` finds a connection that was cut without a word: an answer that is overdue ends it. */
function sharedOptions(
  { username, password, tls }: RedisSettings,
  { patience, connectionName, commandTimeout }: RedisConnectOptions,
): RedisOptions {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    ...(connectionName !== undefined && { connectionName }),
    ...(commandTimeout !== undefined && { commandTimeout }),
    // CLIENT SETINFO would be one right more
    disableClientInfo: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS[patience],
    keepAlive: KEEP_ALIVE_MS,
    maxLoadingRetryTime: MAX_LOADING_WAIT_MS,
    maxRetriesPerRequest: patience === 'wait' ? null : 1,
    reconnectOnError: isOfReplica,
  };
}

/**
 * A master that was made a replica and lets its clients stay: a sentinel ends them, others do not. 2: the command goes to
 * the new master. A script's error has the word in its middle before Redis 7.
 */
const isOfReplica = ({ message }: Error): 2 | false => (message.includes('READONLY') ? 2 : false);

const serverOptions = ({ host, port, db }: RedisServerSettings): RedisOptions => ({ host, port, db });

const sentinelOptions = ({ sentinels, master, db, sentinel, tls }: RedisSentinelSettings): RedisOptions => ({
  sentinels,
  name: master,
  db,
  ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
  ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
  ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
});

/** Names stay names: a certificate is valid for them, and not for the addresses that they have now. */
const clusterOptions = (settings: RedisSettings, options: RedisConnectOptions): ClusterOptions => ({
  redisOptions: sharedOptions(settings, options),
  ...(options.scripts && { scripts: options.scripts }),
  dnsLookup: (name, callback) => callback(null, name),
  clusterRetryStrategy: retryDelayMs,
  slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
  enableOfflineQueue: options.patience === 'wait',
});

/** A cluster's error says that no node answers; why is in a property that does not get into the log. */
function withReasons(cluster: Cluster): Cluster {
  return cluster.on('error', (error: Error & { lastNodeError?: Error }) => {
    error.cause ??= error.lastNodeError;
  });
}

/**
 * A name as the beginning of keys. In a cluster all keys with the same hash tag have the same slot, where one script may
 * touch them all. Elsewhere it stays as it is: another name would hide from one version what the other has stored.
 */
export const keyPrefix = ({ kind }: RedisSettings, name: string): string => (kind === 'cluster' ? `{${name}}` : name);
