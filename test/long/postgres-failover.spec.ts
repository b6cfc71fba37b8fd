import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/schema/upgrade/migrate.js';
import { migrateQueue } from '../../src/platform/queue/queue-migration.js';
import { ApiClient } from '../support/app/api-client.js';
import { Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { expectStatuses } from '../support/app/expected-statuses.js';
import { eventually } from '../support/eventually.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/servers/postgres-replica.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { temporaryFolder } from '../support/servers/servers.js';

const BOTH = '?target_session_attrs=read-write';

const LISTS = ['/payments', '/webhooks/deliveries', '/webhooks/endpoints', '/insights/overview', '/audit'];

describe('API and worker whose PostgreSQL has a standby', () => {
  let postgres: ReplicatedPostgres;
  let receiver: Receiver;
  let api: InProcessService;
  let worker: InProcessService;
  let merchant: Merchant;
  const statuses = new Set<number>();
  const paid: number[] = [];
  beforeAll(async () => {
    [postgres, receiver] = await Promise.all([
      temporaryFolder().then((folder) => startReplicatedPostgres(folder, { isSynchronous: true })),
      startReceiver(),
    ]);
    // the standby comes first: the role of a host counts, not its position
    const databaseUrl = postgres.url([postgres.standby, postgres.primary], BOTH);
    await migrate(databaseUrl);
    await migrateQueue(databaseUrl);
    const replicaUrl = postgres.url([postgres.primary, postgres.standby], '?target_session_attrs=standby');
    // the idempotency key of an interrupted payment stays locked for the provider timeout and ten seconds more
    const env = { PROVIDER_TIMEOUT_MS: '2000', DATABASE_REPLICA_URL: replicaUrl };
    api = await startServiceInProcess({ entry: 'api', databaseUrl, env });
    worker = await startServiceInProcess({ entry: 'worker', databaseUrl });
    merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    await merchant.createFlow('main', [(await merchant.createShop('one')).id]);
  });
  afterAll(async () => {
    await Promise.all([api, worker].map((service) => service?.stop()));
    await Promise.all([postgres.stop(), receiver.stop()]);
  });

  const pay = async (key: string): Promise<number> => {
    const body = { webhook_endpoint: `${receiver.url}/hook` };
    const { status, body: answer } = await merchant.tryPay('main', body, { 'idempotency-key': key });
    statuses.add(status);
    if (status === 201) paid.push((answer as { data: PaymentAnswer }).data.id);
    return status;
  };
  /** Pays in `count` threads until `until` is settled. Each payment is repeated until it is made. */
  const payDuring = async (until: Promise<unknown>, count: number): Promise<void> => {
    let isOver = false;
    const over = until.finally(() => (isOver = true));
    const thread = async (_: unknown, index: number) => {
      for (let n = 0; !isOver && n < 10_000; n += 1) {
        await eventually(async () => (await pay(`payment-${index}-${n}`)) === 201);
      }
    };
    await Promise.all([over, ...Array.from({ length: count }, thread)]);
  };
  const readiness = async ({ url }: { url: string }) => (await fetch(`${url}/health/ready`)).status;
  const bothAre = (status: number) =>
    eventually(async () => {
      expect(await Promise.all([readiness(api), readiness({ url: worker.workerUrl })])).toEqual([status, status]);
    });

  const readsOf = async (server: string): Promise<number> => {
    const text = await (await fetch(`${api.url}/metrics`)).text();
    return Number(new RegExp(`^database_reads_total\\{server="${server}"\\} (\\d+)$`, 'm').exec(text)![1]);
  };

  it('read lists and reports from the standby, and new payments from the primary', async () => {
    const payment = await merchant.pay('main');
    expect(await merchant.payment(payment.id)).toMatchObject({ id: payment.id });
    // on a busy machine the replica may answer late and is then not used until it has caught up
    await eventually(async () => {
      const [before, fromPrimary] = [await readsOf('replica'), await readsOf('primary')];
      for (const path of LISTS) expect([path, (await merchant.api.get(path)).status]).toEqual([path, 200]);
      expect((await readsOf('replica')) - before).toBeGreaterThanOrEqual(LISTS.length);
      expect(await readsOf('primary')).toBe(fromPrimary);
    });
  });

  it('lose no answered payment when the primary is killed, and continue with the standby', async () => {
    const failover = async () => {
      await eventually(() => paid.length > 20);
      await postgres.killPrimary();
      await bothAre(503);
      await eventually(() => statuses.has(503));
      await postgres.promote();
      await bothAre(200);
      const { length } = paid;
      await eventually(() => paid.length > length + 20);
    };
    await payDuring(failover(), 4);
    // 409: the key of an interrupted payment is still locked
    expect([...statuses].filter((status) => ![201, 409, 503].includes(status))).toEqual([]);
    expect(new Set(paid).size).toBe(paid.length);
    const { standby } = postgres;
    const kept = await standby.query<{ id: number }>('SELECT id::int FROM payments WHERE id = ANY($1)', [paid]);
    expect(kept).toHaveLength(paid.length);
    await expectStatuses(receiver, paid);
  });

  it('charge each payment once', async () => {
    const { standby } = postgres;
    const [count] = await standby.query<{ payments: number; charged: number }>(
      `SELECT (SELECT count(*) FROM payments)::int AS payments, (SELECT count(*) FROM sandbox_transactions)::int AS charged`,
    );
    expect(count).toEqual({ payments: paid.length + 1, charged: paid.length + 1 });
  });
});
