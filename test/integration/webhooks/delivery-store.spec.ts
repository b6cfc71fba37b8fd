import { Database } from '../../../src/platform/database/database.js';
import { EndpointRotations } from '../../../src/webhooks/endpoint/secrets/endpoint-rotation.service.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/engine/postgres-delivery-store.js';
import { ReceiverSecrets } from '../../../src/webhooks/endpoint/secrets/receiver-secrets.service.js';
import { MemoryDeliveryStore } from '../../support/app/memory-delivery-store.js';
import { aStandingEndpoint } from '../../support/app/standing-endpoint.js';
import { behavesAsDeliveryStore, type StoreUnderTest } from './delivery-store-conformance.js';
import { EngineHarness } from './engine-harness.js';

behavesAsDeliveryStore('in PostgreSQL', openSql);
behavesAsDeliveryStore('in memory', openMemory);

async function openSql(): Promise<StoreUnderTest> {
  const harness = await EngineHarness.create('postgres');
  const producer = await harness.startProducer();
  const changeOf = new Map<number, Awaited<ReturnType<EngineHarness['deliveriesTo']>>>();
  let payments = 1_000_000;
  const shops = new Map<number, { merchantId: number; shopId: number }>();
  return {
    store: new PostgresDeliveryStore(producer.get(Database)),
    async aLane() {
      const shop = await harness.aShop(producer);
      const change = await harness.deliveriesTo(producer, shop, `http://127.0.0.1:${1_024 + changeOf.size}/`);
      const { laneId } = change();
      changeOf.set(laneId, change);
      shops.set(laneId, shop);
      return laneId;
    },
    async append(laneId, ...deliveries) {
      const before = new Set((await harness.deliveries()).map(({ id }) => id));
      const change = changeOf.get(laneId)!;
      const rows = deliveries.map(({ payment, body }) =>
        change({ paymentId: payment ?? ++payments, ...(body !== undefined && { requestBody: body }) }),
      );
      await producer.append(...rows);
      const after = (await harness.deliveries()).map(({ id }) => id);
      return after.filter((id) => !before.has(id));
    },
    async anEndpoint(laneId) {
      const { merchantId } = shops.get(laneId)!;
      const secrets = producer.get(ReceiverSecrets);
      return aStandingEndpoint(harness.database.pool, secrets, merchantId, 'http://127.0.0.1:1023/');
    },
    async rotateSecret(laneId, overlaps) {
      const { merchantId, shopId } = shops.get(laneId)!;
      await producer
        .get(EndpointRotations)
        .rotate({ kind: 'default', merchantId, id: shopId }, { overlapSeconds: overlaps ? 60 : 0 });
    },
    async outcome(deliveryId) {
      const row = (await harness.deliveries()).find(({ id }) => id === deliveryId)!;
      return { status: row.status, attempts: (await harness.attempts(deliveryId)).length };
    },
    timePasses: async (ms) => {
      const sooner = `UPDATE pending_deliveries SET due_at = due_at - $1 * interval '1 millisecond'`;
      await harness.database.pool.query(sooner, [ms]);
    },
    close: () => harness.stop(),
  };
}

function openMemory(): Promise<StoreUnderTest> {
  const store = new MemoryDeliveryStore();
  let [lanes, deliveryId, payments] = [0, 0, 1_000_000];
  const endpointsOf = new Map<number, { laneId: number; endpointId: number }[]>();
  return Promise.resolve({
    store,
    aLane() {
      const id = ++lanes;
      store.addLane({ id, shop_id: id, merchant_id: id, origin: `http://origin-${id}` });
      return Promise.resolve(id);
    },
    append(laneId, ...deliveries) {
      const targets = [{ laneId, endpointId: 0 }, ...(endpointsOf.get(laneId) ?? [])];
      const ids = deliveries.flatMap(({ payment, body = '{}' }) => {
        const fields = { paymentId: payment ?? ++payments, endpoint: 'http://origin/', body };
        return targets.map((target) => store.append({ id: ++deliveryId, ...target, ...fields }).id);
      });
      return Promise.resolve(ids);
    },
    anEndpoint(laneId) {
      const id = ++lanes;
      store.addLane({ id, shop_id: -id, merchant_id: laneId, origin: `http://origin-${id}` });
      endpointsOf.set(laneId, [{ laneId: id, endpointId: id }]);
      return Promise.resolve(id);
    },
    rotateSecret(laneId, overlaps) {
      store.rotateSecret(laneId, 'another secret', overlaps);
      return Promise.resolve();
    },
    outcome(id) {
      const { status, history } = store.deliveries.get(id)!;
      return Promise.resolve({ status, attempts: history.length });
    },
    timePasses(ms) {
      for (const each of store.deliveries.values()) if (each.dueAtMs !== null) each.dueAtMs -= ms;
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
}
