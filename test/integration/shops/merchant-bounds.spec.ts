import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FlowsService } from '../../../src/flows/management/flows.service.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { replaceSettings } from '../../support/providers/shared-provider-api.js';

const MOST = 5;

let api: TestApi;
let putBack: (() => void)[];
beforeAll(async () => {
  api = await sharedApi();
  putBack = [
    replaceSettings(api.get(ShopsService), { maxShopsPerMerchant: MOST }),
    replaceSettings(api.get(FlowsService), { maxFlowsPerMerchant: MOST }),
  ];
});
afterAll(() => {
  for (const each of putBack) each();
  return api.stop();
});

/** A merchant that already has a shop, for its flows. */
async function aMerchant(): Promise<{ client: ApiClient; shopId: number }> {
  const client = await api.loginAsAnotherMerchant();
  return { client, shopId: (await new Merchant(client).createShop('First')).id };
}

const createShop = (client: ApiClient, name: string) => client.post('/shops', { name });
const createFlow = (client: ApiClient, name: string, shopId: number) =>
  client.post('/flows', { name, strategy: 'round_robin', shops: [{ shop_id: shopId }] });
const many = <T>(count: number, create: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => create(n)));
const statuses = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).sort();
const pageSize = async (client: ApiClient, path: string): Promise<number> =>
  dataOf<unknown[]>(await client.get(`${path}?limit=100`)).length;

describe('shops of a merchant', () => {
  it('stop at the configured maximum, also when created concurrently', async () => {
    const { client } = await aMerchant();
    const answers = await many(12, (n) => createShop(client, `Shop ${n}`));
    expect(statuses(answers)).toEqual([...Array<number>(MOST - 1).fill(201), ...Array<number>(13 - MOST).fill(409)]);
    expect(await pageSize(client, '/shops')).toBe(MOST);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused!.body).toMatchObject({ code: 'shop_limit_reached', detail: `a merchant has at most ${MOST} shops` });
  });

  it('count only for their own merchant', async () => {
    const { client } = await aMerchant();
    await many(MOST, (n) => createShop(client, `Shop ${n}`));
    expect((await createShop((await aMerchant()).client, 'Second')).status).toBe(201);
  });

  it('accept changes when the maximum is reached', async () => {
    const { client, shopId } = await aMerchant();
    await many(MOST, (n) => createShop(client, `Shop ${n}`));
    expect((await client.patch(`/shops/${shopId}`, { name: 'Another name' })).status).toBe(200);
  });
});

describe('flows of a merchant', () => {
  it('stop at the configured maximum, also when created concurrently', async () => {
    const { client, shopId } = await aMerchant();
    const answers = await many(12, (n) => createFlow(client, `Flow ${n}`, shopId));
    expect(statuses(answers)).toEqual([...Array<number>(MOST).fill(201), ...Array<number>(12 - MOST).fill(409)]);
    expect(await pageSize(client, '/flows')).toBe(MOST);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused!.body).toMatchObject({
      code: 'flow_limit_reached',
      detail: `a merchant has at most ${MOST} flows; delete one first`,
    });
  });

  it('allow new flows when they are deleted', async () => {
    const { client, shopId } = await aMerchant();
    const answers = await many(MOST, (n) => createFlow(client, `Flow ${n}`, shopId));
    expect((await createFlow(client, 'One more', shopId)).status).toBe(409);
    const { id } = dataOf<{ id: number }>(answers[0]!);
    expect((await client.delete(`/flows/${id}`)).status).toBe(204);
    expect((await createFlow(client, 'One more', shopId)).status).toBe(201);
  });
});
