import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { eventually } from '../../support/eventually.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';

/** A definition with assertions that use all allowed search steps: 20 switches, each between two shops. */
function longCheck(shopIds: number[]): object {
  const switches = Array.from({ length: 20 }, (_, index) => ({ [`metadata.on${index}`]: { equals: true } }));
  const use = (index: number) => ({ shops: [shopIds[index]], strategy: 'round_robin' });
  const rules = switches.flatMap((on, index) => [
    { when: on, use: use(2 * index) },
    { when: { not: on }, use: use(2 * index + 1) },
  ]);
  return {
    strategy: 'rules',
    shops: shopIds.map((shop_id) => ({ shop_id })),
    rules,
    default: use(0),
    assertions: [{ when: {}, at_least: 20 }],
  };
}

describe('the API under long calculations', () => {
  let api: TestApi;
  beforeAll(async () => {
    // creating the long flow takes 41 of the 60 permits; fewer permits return meanwhile than its check costs
    api = await startApi({ RATE_LIMIT_PER_SECOND: '30' });
  });
  afterAll(() => api.stop());

  async function aFlow(client: ApiClient, shops: number): Promise<{ id: number; shopIds: number[] }> {
    const merchant = new Merchant(client);
    const shopIds: number[] = [];
    while (shopIds.length < shops) shopIds.push((await merchant.createShop(`shop ${shopIds.length}`)).id);
    return { ...(await merchant.createFlow('checkout', shopIds.slice(0, 1))), shopIds };
  }

  it('answers while a long assertion check of another merchant is still running, and charges the check by its duration', async () => {
    const one = await api.loginAsAnotherMerchant();
    // a client each: on a busy machine a few simulations use up the permits of one
    const others: ApiClient[] = [];
    while (others.length < 3) others.push(await api.loginAsAnotherMerchant());
    await Promise.all(others.map((other) => aFlow(other, 2)));
    const { id, shopIds } = await aFlow(one, 40);
    const order: string[] = [];
    const check = one.patch(`/flows/${id}`, longCheck(shopIds));
    void check.then(({ status }) => order.push(`check ${status}`));
    for (const other of others) {
      const { status } = await other.post('/flows/simulate', { flow_name: 'checkout', count: 1_000, explain: true });
      order.push(`simulation ${status}`);
    }
    const { headers } = await check;
    expect(order).toEqual([...Array<string>(3).fill('simulation 200'), 'check 422']);
    expect(Number(headers.get('ratelimit-remaining'))).toBe(0);
  });

  it("keeps a slot for a merchant's backtest, for any number of backtests of another merchant", async () => {
    const [one, other] = [await api.loginAsAnotherMerchant(), await api.loginAsAnotherMerchant()];
    const flows = [await aFlow(one, 1), await aFlow(other, 1)];
    const connection = await api.database.pool.connect();
    await connection.query('BEGIN');
    await connection.query('LOCK TABLE payments IN ACCESS EXCLUSIVE MODE');
    const backtest = (client: ApiClient, flow: { id: number }) =>
      client.post(`/flows/${flow.id}/backtest`, { version: 1 });
    const greedy = Array.from({ length: 6 }, () => backtest(one, flows[0]!));
    const refused: number[] = [];
    for (const answer of greedy) void answer.then(({ status }) => refused.push(status));
    await eventually(() => expect(refused).toEqual([429, 429, 429, 429]));
    const mine = backtest(other, flows[1]!);
    await connection.query('ROLLBACK');
    connection.release();
    dataOf(await mine);
    const statuses = (await Promise.all(greedy)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 429, 429, 429, 429]);
  });
});
