import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueueHarness, READY } from '../support/app/queue-harness.js';
import { startServiceInProcess } from '../support/app/in-process-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { startTlsRedis, type TlsRedis } from '../support/servers/redis-tls.js';
import { documentedUser } from '../support/servers/redis-user.js';
import { temporaryFolder } from '../support/servers/servers.js';

describe('API and worker with a Redis that takes TLS and ACL users', () => {
  const user = documentedUser();
  let redis: TlsRedis;
  let env: Record<string, string>;
  beforeAll(async () => {
    redis = await startTlsRedis(await temporaryFolder(), user.line);
    const { caFile, clientCertFile, clientKeyFile } = redis.tlsFiles;
    const tls = { REDIS_TLS_CA_FILE: caFile, REDIS_TLS_CERT_FILE: clientCertFile, REDIS_TLS_KEY_FILE: clientKeyFile };
    env = { REDIS_URL: redis.url, ...user.env, ...tls };
  });
  afterAll(() => redis.node.kill());

  it('deliver with the documented ACL user, and no command is refused', async () => {
    await redis.node.call('ACL', 'LOG', 'RESET');
    const harness = await QueueHarness.start(env);
    await harness.bothAre(READY);
    await harness.pay(20);
    await harness.allDelivered();
    // the worker's check for stalled jobs is its rarest command
    await eventually(async () => expect(await redis.node.call('EXISTS', 'bull:webhook-lanes:stalled-check')).toBe(1));
    for (const url of [harness.api.url, harness.worker.workerUrl]) {
      // counts that take longer than a second are left out
      await eventually(async () => expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^queue_jobs\{/m));
    }
    await harness.stopBoth();
    await harness.destroy();
    expect(await redis.node.call('ACL', 'LOG')).toEqual([]);
  });

  describe('when Redis refuses the connection of the API', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
    });
    afterAll(() => database.drop());

    it.each([
      ['an untrusted certificate authority', 'self-signed certificate in certificate chain', { REDIS_TLS_CA_FILE: '' }],
      ['a wrong password', 'WRONGPASS', { REDIS_PASSWORD: 'wrong' }],
    ])('the log names %s', async (_, reason, wrong) => {
      const api = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: { ...env, ...wrong } });
      await eventually(() => {
        const lost = api
          .logs()
          .split('\n')
          .filter((line) => line.includes('queue lost'));
        expect(lost).toEqual([expect.stringContaining(reason)]);
      });
      await api.stop();
    });
  });
});
