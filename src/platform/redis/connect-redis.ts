import { Cluster, type ClusterOptions, Redis, type RedisOptions, SentinelConnector } from 'ioredis';
import { StandaloneConnector } from 'ioredis/built/connectors/index.js';
import type { RedisSentinelSettings, RedisServerSettings, RedisSettings } from '../config/redis-settings.js';

export type RedisClient = Redis | Cluster;

/**
 * `fail`: calls fail within seconds while Redis is down, so that no request hangs on them. `wait`: calls wait until it
 * is back.
 */
export type Patience = 'fail' | 'wait';

export interface RedisConnectOptions {
  patience: Patience;
  /** The client's name in CLIENT LIST. */
  connectionName?: string;
  /** Time-out of a call, in ms. */
  commandTimeout?: number;
  scripts?: Record<string, { lua: string }>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** `wait` is longer than BullMQ's longest blocking call, 10 s. */
const SOCKET_TIMEOUT_MS = { fail: 5_000, wait: 12_000 };
const KEEP_ALIVE_MS = 10_000;
const SENTINEL_TIMEOUT_MS = 2_000;
/** A replica of a cluster may be slow to return the slots; ioredis asks again after this time. */
const SLOTS_TIMEOUT_MS = 2_000;

/**
 * Without these limits ioredis waits up to 10 s for a Redis that is loading, and BullMQ's retry delay grows to 20 s.
 */
const MAX_RETRY_DELAY_MS = 1_000;
const MAX_LOADING_WAIT_MS = 500;
const retryDelayMs = (times: number): number => Math.min(times * 100, MAX_RETRY_DELAY_MS);

/**
 * Connects to Redis: to a server, to the master that sentinels name, or to a cluster. The client reconnects forever,
 * within a second of the server's return. `error` events need a listener. Why not ioredis's defaults: a call waits for
 * 20 reconnections, and a silent socket is never closed.
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

/** `socketTimeout` closes a connection on which a response is overdue, because the network dropped it silently. */
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
    Connector: ListeningConnector,
    // CLIENT SETINFO would need one more ACL right
    disableClientInfo: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS[patience],
    keepAlive: KEEP_ALIVE_MS,
    maxLoadingRetryTime: MAX_LOADING_WAIT_MS,
    maxRetriesPerRequest: patience === 'wait' ? null : 1,
    reconnectOnError: isReplicaError,
  };
}

/**
 * ioredis listens for one error of a connection. A TLS connection that is closed during its handshake may have a second
 * one, the server's alert, which would end the process.
 */
const ListeningConnector = function (options: RedisOptions) {
  const connector = options.sentinels ? listeningToSentinels(options) : new StandaloneConnector(options);
  const connect = connector.connect.bind(connector);
  connector.connect = async (report) => (await connect(report)).on('error', () => undefined);
  return connector;
} as unknown as NonNullable<RedisOptions['Connector']>;

interface SentinelClients {
  connectToSentinel: (sentinel: object, options?: RedisOptions) => unknown;
}

/** The clients of the sentinels get the connector as well: ioredis makes them with its own. */
function listeningToSentinels(options: RedisOptions): SentinelConnector {
  const connector = new SentinelConnector(options);
  const clients = connector as unknown as SentinelClients;
  const connectTo = clients.connectToSentinel.bind(connector);
  clients.connectToSentinel = (sentinel, more) => connectTo(sentinel, { ...more, Connector: ListeningConnector });
  return connector;
}

/**
 * Reconnects when a master has become a replica but keeps its clients; sentinels disconnect them, other tools do not.
 * 2: also resends the command, to the new master. Before Redis 7 the word is in the middle of a script's error message.
 */
const isReplicaError = ({ message }: Error): 2 | false => (message.includes('READONLY') ? 2 : false);

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

/** Host names are not resolved here: certificates are valid for names, not for the current addresses. */
const clusterOptions = (settings: RedisSettings, options: RedisConnectOptions): ClusterOptions => ({
  redisOptions: sharedOptions(settings, options),
  ...(options.scripts && { scripts: options.scripts }),
  dnsLookup: (name, callback) => callback(null, name),
  clusterRetryStrategy: retryDelayMs,
  slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
  enableOfflineQueue: options.patience === 'wait',
});

/**
 * Adds the reason to a cluster's error, which says only that no node responds: `lastNodeError` does not get into the
 * log.
 */
function withReasons(cluster: Cluster): Cluster {
  return cluster.on('error', (error: Error & { lastNodeError?: Error }) => {
    error.cause ??= error.lastNodeError;
  });
}

/**
 * A prefix for keys. In a cluster all keys with the same hash tag have the same slot, so that one script may use them
 * all. Elsewhere the name stays as it is: with another prefix, one version would not find what the other has stored.
 */
export const keyPrefix = ({ kind }: RedisSettings, name: string): string => (kind === 'cluster' ? `{${name}}` : name);
