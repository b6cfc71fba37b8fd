import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EnvReader } from '../../../src/platform/config/env-reader.js';
import { redisSettings } from '../../../src/platform/config/redis-settings.js';
import { connectRedis, type RedisClient } from '../../../src/platform/redis/connect-redis.js';
import { eventually } from '../../support/eventually.js';
import { RedisNode } from '../../support/servers/redis-node.js';
import { createTlsFiles, TLS_HOST, type TlsFiles } from '../../support/servers/redis-tls.js';
import { freePort } from '../../support/servers/free-port.mjs';
import { temporaryFolder } from '../../support/servers/servers.js';

/** Servers that require TLS. Their certificate is valid for a name, so they have to announce that name. */
describe('connectRedis over TLS', () => {
  let folder: string;
  let tls: TlsFiles;
  const nodes: RedisNode[] = [];
  const clients: RedisClient[] = [];
  beforeAll(async () => {
    folder = await temporaryFolder();
    tls = await createTlsFiles(folder);
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await Promise.all(nodes.map((node) => node.kill()));
  });

  const start = async (...args: string[]): Promise<number> => {
    const port = await freePort();
    nodes.push(await RedisNode.start(folder, { args: [...tls.argsFor(port), ...args] }));
    return port;
  };

  /** Writes as soon as the connection is ready. */
  async function expectAnswerOf(env: Record<string, string>): Promise<void> {
    const files = {
      REDIS_TLS: 'true',
      REDIS_TLS_CA_FILE: tls.caFile,
      REDIS_TLS_CERT_FILE: tls.clientCertFile,
      REDIS_TLS_KEY_FILE: tls.clientKeyFile,
    };
    const client = connectRedis(redisSettings(new EnvReader({ ...env, ...files }))!, { patience: 'fail' });
    clients.push(client);
    client.on('error', () => undefined);
    await eventually(async () => expect(await client.set('key', 'value')).toBe('OK'));
  }

  it('connects to the nodes of a cluster by the name that they announce', async () => {
    const names = ['--cluster-announce-hostname', TLS_HOST, '--cluster-preferred-endpoint-type', 'hostname'];
    const port = await start(
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(await freePort()),
      '--tls-cluster',
      'yes',
      ...names,
    );
    await nodes.at(-1)!.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    await expectAnswerOf({ REDIS_CLUSTER_NODES: `${TLS_HOST}:${port}` });
  });

  it('connects to sentinels, and to the master by the name that they announce', async () => {
    const masterPort = await start();
    const configFile = join(await mkdtemp(join(folder, 'sentinel-')), 'sentinel.conf');
    const names = ['sentinel resolve-hostnames yes', 'sentinel announce-hostnames yes', 'tls-replication yes'];
    await writeFile(configFile, [...names, `sentinel monitor payments ${TLS_HOST} ${masterPort} 1`, ''].join('\n'));
    const port = await freePort();
    nodes.push(await RedisNode.start(folder, { configFile, args: [...tls.argsFor(port), '--sentinel'] }));
    await expectAnswerOf({ REDIS_SENTINELS: `${TLS_HOST}:${port}`, REDIS_SENTINEL_MASTER: 'payments' });
  });
});
