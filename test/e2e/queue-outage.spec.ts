import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceInProcess } from '../support/app/in-process-service.js';
import { QueueHarness, READY, WITHOUT_QUEUE } from '../support/app/queue-harness.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/servers/database.js';
import { startTlsRedis, type TlsRedis } from '../support/servers/redis-tls.js';
import { documentedUser } from '../support/servers/redis-user.js';
import { temporaryFolder } from '../support/servers/servers.js';

/** A Redis that takes only TLS, and the user that docs/operate/redis.md tells operators to create. */
let redis: TlsRedis;
let env: Record<string, string>;
beforeAll(async () => {
  const user = documentedUser();
  redis = await startTlsRedis(await temporaryFolder(), user.line);
  const { caFile, clientCertFile, clientKeyFile } = redis.tlsFiles;
  const tls = { REDIS_TLS_CA_FILE: caFile, REDIS_TLS_CERT_FILE: clientCertFile, REDIS_TLS_KEY_FILE: clientKeyFile };
  env = { REDIS_URL: redis.url, ...user.env, ...tls };
});
afterAll(() => redis.node.kill());

const refusedCommands = () => redis.node.call('ACL', 'LOG');
const refuseWrites = (replicas: 0 | 1) => redis.node.call('CONFIG', 'SET', 'min-replicas-to-write', replicas);

describe('API and worker with their queue in Redis', () => {
  let harness: QueueHarness;
  afterEach(() => harness.destroy());

  const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text();
  const bothReport = (line: RegExp) =>
    eventually(async () => {
      for (const url of [harness.api.url, harness.worker.workerUrl]) expect(await metricsOf(url)).toMatch(line);
    });

  // one sequence, because each outage needs a running API and worker
  it('deliver with the documented user, also while Redis is away or refuses writes, and report it', async () => {
    await redis.node.call('ACL', 'LOG', 'RESET');
    harness = await QueueHarness.start(env);
    await harness.bothAre(READY);
    await harness.pay(5);
    await harness.allDelivered();
    // the worker's check for stalled jobs is its rarest command
    await eventually(async () => expect(await redis.node.call('EXISTS', 'bull:webhook-lanes:stalled-check')).toBe(1));
    // counts that take longer than a second are left out
    await bothReport(/^queue_jobs\{/m);
    expect(await refusedCommands()).toEqual([]);

    await redis.node.kill();
    await harness.bothAre(WITHOUT_QUEUE);
    await harness.pay(5);
    await harness.allDelivered();
    await harness.bothAre(WITHOUT_QUEUE);
    await bothReport(/^queue_up 0$/m);

    await redis.node.restart();
    await harness.bothAre(READY);
    await harness.pay();
    await harness.allDelivered();
    await eventually(() => {
      // both have lost it, as their readiness said: each logs one line
      expect([harness.logged('queue lost, waiting for it'), harness.logged('queue is back')]).toEqual([2, 2]);
    });

    // as with OOM and MISCONF, reads are answered; it is up again when it has accepted a job
    await refuseWrites(1);
    await harness.payDuring(harness.bothAre(WITHOUT_QUEUE));
    await harness.allDelivered();
    await refuseWrites(0);
    await harness.payDuring(harness.bothAre(READY));
    await harness.allDelivered();
    await harness.stopBoth();
    expect(await refusedCommands()).toEqual([]);
  });

  it('start without it, work, and connect when it is available', async () => {
    await redis.node.kill();
    harness = await QueueHarness.start(env);
    await harness.bothAre(WITHOUT_QUEUE);
    await harness.pay(3);
    await harness.allDelivered();
    await redis.node.restart();
    await harness.bothAre(READY);
    await harness.stopBoth();
  });
});

it.each([
  ['an untrusted certificate authority', 'self-signed certificate in certificate chain', { REDIS_TLS_CA_FILE: '' }],
  ['a wrong password', 'WRONGPASS', { REDIS_PASSWORD: 'wrong' }],
])('the log names %s when Redis refuses the connection of the API', async (_, reason, wrong) => {
  const database = await createTestDatabase();
  const api = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: { ...env, ...wrong } });
  await eventually(() => {
    const lost = api
      .logs()
      .split('\n')
      .filter((line) => line.includes('queue lost'));
    expect(lost).toEqual([expect.stringContaining(reason)]);
  });
  await api.stop();
  await database.drop();
});
