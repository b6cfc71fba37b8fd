import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { verify } from '../../packages/receiver/src/verify.js';
import { ApiClient } from '../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';

const RealDate = Date;
/** Tolerance of a machine's clock, including the latency to PostgreSQL. */
const NEAR_MS = 2_000;

/** Sets the clock of this process ahead. Timers and `performance.now` do not change. */
function setAhead(ms: number): void {
  const now = (): number => RealDate.now() + ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length > 0 ? given : [now()], newTarget) as object,
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)) as unknown,
  });
}

// clocks that change, with several processes that freeze: test/long/clocks.spec.ts
describe('a service whose clock is wrong', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let service: InProcessService | undefined;

  beforeAll(async () => {
    [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  });
  afterEach(async () => {
    globalThis.Date = RealDate;
    await service?.stop();
    receiver.requests.length = 0;
  });
  afterAll(async () => {
    await receiver.stop();
    await database.drop();
  });

  it.each([3_600, -3_600])('uses that of PostgreSQL when it is %i s ahead', async (aheadS) => {
    setAhead(aheadS * 1_000);
    service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url });
    const merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    const shop = await merchant.createShop(`shop ${aheadS}`);
    const flow = await merchant.createFlow(`flow ${aheadS}`, [shop.id]);
    const askedAt = RealDate.now();
    const fields = { payment_method: { token: 'tok_pending' }, webhook_endpoint: receiver.url, expires_in: 60 };
    const { id, created_at: createdAt } = await merchant.pay(flow.name, fields);
    const isFresh = (at: string): boolean =>
      Math.abs(RealDate.parse(at) - askedAt) < NEAR_MS + RealDate.now() - askedAt;
    const { body, headers } = await eventually(() => receiver.requests[0] ?? false);
    await verify(body, headers, shop.webhook_secret, { now: () => RealDate.now() });
    expect(isFresh(createdAt)).toBe(true);
    const history = await merchant.history(id);
    expect(history.map(({ to, at }) => [to, isFresh(at)])).toEqual(history.map(({ to }) => [to, true]));
    const span = `from=${new RealDate(askedAt - NEAR_MS).toISOString()}&to=${new RealDate(askedAt + 60_000).toISOString()}`;
    const listed = dataOf<PaymentAnswer[]>(await merchant.api.get(`/payments?shop_id=${shop.id}&${span}`));
    expect(listed).toMatchObject([{ id, status: 'processing' }]);
  });
});
