import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Cluster, Redis } from 'ioredis';
import type { RedisSettings } from '../config/redis-settings.js';
import { connectRedis, keyPrefix, type RedisClient, type RedisConnectOptions } from './connect-redis.js';

const TLS = { ca: 'an authority', cert: undefined, key: undefined };
const SHARED = { username: 'app', password: 'secret', tls: TLS };
/** Nothing listens there. */
const AT = { host: '127.0.0.1', port: 1 };
const SERVER: RedisSettings = { kind: 'server', ...AT, db: 3, ...SHARED };
const SENTINEL: RedisSettings = {
  kind: 'sentinel',
  sentinels: [AT],
  master: 'payments',
  db: 2,
  ...SHARED,
  sentinel: { username: 'watcher', password: 'of-the-sentinels' },
};
const CLUSTER: RedisSettings = { kind: 'cluster', nodes: [AT], ...SHARED };
const SCRIPTS = { take: { lua: 'return 1' } };

/** The part of a connector that makes the clients of the sentinels. */
interface SentinelClients {
  connectToSentinel: (sentinel: object, options: object) => Redis;
}

const clients: RedisClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

function connected(settings: RedisSettings, options: RedisConnectOptions): RedisClient {
  const client = connectRedis(settings, options);
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}
const optionsOf = (settings: RedisSettings, options: RedisConnectOptions) =>
  (connected(settings, options) as Redis).options;

const LIMITS = { connectTimeout: 5_000, keepAlive: 10_000, maxLoadingRetryTime: 500, disableClientInfo: true };
const CREDENTIALS = { username: 'app', password: 'secret', tls: TLS };
const FAILS = { maxRetriesPerRequest: 1, socketTimeout: 5_000 };
const WAITS = { maxRetriesPerRequest: null, socketTimeout: 12_000 };

describe('connectRedis', () => {
  it.each([
    ['fail', { ...FAILS, enableOfflineQueue: false }],
    ['wait', { ...WAITS, enableOfflineQueue: true }],
  ] as const)('passes the server, the credentials and the limits of a client that should %s', (patience, expected) => {
    const options = optionsOf(SERVER, { patience, connectionName: 'named', commandTimeout: 700, scripts: SCRIPTS });
    expect(options).toMatchObject({ ...AT, db: 3, ...CREDENTIALS, ...LIMITS, ...expected });
    expect(options).toMatchObject({ connectionName: 'named', commandTimeout: 700, scripts: SCRIPTS });
  });

  it('passes sentinels, their own credentials and TLS for both', () => {
    expect(optionsOf(SENTINEL, { patience: 'fail' })).toMatchObject({
      sentinels: [AT],
      name: 'payments',
      db: 2,
      ...CREDENTIALS,
      ...LIMITS,
      ...FAILS,
      sentinelUsername: 'watcher',
      sentinelPassword: 'of-the-sentinels',
      sentinelTLS: TLS,
      enableTLSForSentinelMode: true,
      sentinelCommandTimeout: 2_000,
    });
  });

  it('passes the nodes of a cluster, whose names it does not resolve', () => {
    const cluster = connected(CLUSTER, { patience: 'wait', scripts: SCRIPTS }) as Cluster;
    expect(cluster.isCluster).toBe(true);
    const { redisOptions, dnsLookup, ...options } = cluster.options;
    expect(redisOptions).toMatchObject({ ...CREDENTIALS, ...LIMITS, ...WAITS });
    expect(options).toMatchObject({ slotsRefreshTimeout: 2_000, enableOfflineQueue: true, scripts: SCRIPTS });
    let resolved: unknown;
    dnsLookup!('node.redis', (_error, address) => (resolved = address));
    expect(resolved).toBe('node.redis');
  });

  it.each([
    ['a server', (port: number) => connected({ ...SERVER, port, tls: undefined }, { patience: 'fail' }) as Redis],
    [
      'a sentinel',
      (port: number) => {
        const client = connected(SENTINEL, { patience: 'fail' }) as unknown as { connector: SentinelClients };
        const sentinel = client.connector.connectToSentinel({ ...AT, port }, { tls: undefined, lazyConnect: false });
        clients.push(sentinel.on('error', () => undefined));
        return sentinel;
      },
    ],
  ] as const)('survives a second error of a connection to %s', async (_, connect) => {
    const server = createServer().listen(0, AT.host);
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port);
    await once(client, 'connect');
    client.stream.emit('error', new Error('refused'));
    expect(() => client.stream.emit('error', new Error('alert'))).not.toThrow();
    client.disconnect();
    server.close();
  });

  it('reconnects within a second, regardless of how long the server was away', () => {
    const { retryStrategy } = optionsOf(SERVER, { patience: 'fail' });
    const { clusterRetryStrategy } = (connected(CLUSTER, { patience: 'fail' }) as Cluster).options;
    for (const delays of [retryStrategy!, clusterRetryStrategy!])
      expect([1, 5, 500].map((times) => delays(times))).toEqual([100, 500, 1_000]);
  });

  it('reconnects, and repeats the command, after the refusal of a master that has become a replica', () => {
    const { reconnectOnError } = optionsOf(SENTINEL, { patience: 'wait' });
    const messages = ["READONLY You can't write against a read only replica.", 'ERR script: -READONLY', 'OOM command'];
    expect(messages.map((message) => reconnectOnError!(new Error(message)))).toEqual([2, 2, false]);
  });

  it('adds the reason to the error of a cluster of which no node answers', () => {
    const cluster = connected(CLUSTER, { patience: 'fail' });
    const [reason, own] = [new Error('WRONGPASS'), new Error('its own')];
    const errors = [{}, { cause: own }].map((more) =>
      Object.assign(new Error('none'), { lastNodeError: reason }, more),
    );
    for (const error of errors) cluster.emit('error', error);
    expect(errors.map(({ cause }) => cause)).toEqual([reason, own]);
  });
});

it('keyPrefix puts all keys of a cluster into one slot, and leaves the name elsewhere', () => {
  expect([SERVER, SENTINEL, CLUSTER].map((settings) => keyPrefix(settings, 'bull'))).toEqual([
    'bull',
    'bull',
    '{bull}',
  ]);
});
