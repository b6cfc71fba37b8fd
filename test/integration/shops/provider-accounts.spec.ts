import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ShopAccountsJob } from '../../../src/shops/shop-accounts.job.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { doDueWork } from '../../support/app/due-work.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import { FakeStripe } from '../../support/servers/fake-stripe.js';
import { eventually } from '../../support/eventually.js';

type LabelledShop = ShopAnswer & { provider_account: string };

let stripe: FakeStripe;
let api: TestApi;
let merchant: Merchant;
let made = 0;

beforeAll(async () => {
  stripe = await FakeStripe.start();
  api = await startApi({ STRIPE_API_BASE: stripe.url });
});
afterAll(async () => {
  await api.stop();
  await stripe.close();
});
beforeEach(async () => {
  merchant = new Merchant(await api.loginAsAnotherMerchant());
});

const aKey = () => `sk_test_account${(made += 1)}abcdefghijkl`;
const body = (key: string, fields: object = {}) => ({
  name: `Shop ${(made += 1)}`,
  provider: 'stripe',
  provider_credentials: { secret_key: key, webhook_secret: WEBHOOK_SECRET },
  ...fields,
});
const aShop = async (key: string, fields: object = {}) =>
  dataOf<LabelledShop>(await merchant.api.post('/shops', body(key, fields)));
const patch = (shop: LabelledShop, fields: object) => merchant.api.patch(`/shops/${shop.id}`, fields);
const labelOf = async ({ id }: LabelledShop) =>
  dataOf<LabelledShop>(await merchant.api.get(`/shops/${id}`)).provider_account;
const labelsOf = (shops: LabelledShop[]) => Promise.all(shops.map(labelOf));
const isSilent = () => stripe.injectFault({ when: 'before', what: 'reset' }, { path: /\/v1\/account$/ });
/** The next questions are due. */
const askAgain = async () => {
  await api.database.pool.query(`UPDATE due_work SET due_at = clock_timestamp() WHERE kind = 'shop_account'`);
  await doDueWork(api, api.get(ShopAccountsJob).work);
};
const another = (label: string) => [
  { field: 'provider_account', message: expect.stringContaining(`must be another label: ${label} names`) as unknown },
];

describe('the account of a shop', () => {
  it('takes the label of its other shops, or the id at the provider', async () => {
    const [key, otherKey] = [aKey(), aKey()];
    const first = await aShop(key);
    expect(first.provider_account).toMatch(/^acct_\w+$/);
    expect((await aShop(key)).provider_account).toBe(first.provider_account);
    expect((await aShop(otherKey)).provider_account).not.toBe(first.provider_account);
    expect(dataOf<LabelledShop>(await patch(first, { provider_account: 'eu' })).provider_account).toBe('eu');
    expect((await aShop(key)).provider_account).toBe('eu');
  });

  it('changes its label in all of its shops, and in no other', async () => {
    const [key, otherKey] = [aKey(), aKey()];
    const shops = [await aShop(key), await aShop(key), await aShop(otherKey)];
    await patch(shops[0]!, { provider_account: 'eu' });
    expect(await labelsOf(shops)).toEqual(['eu', 'eu', shops[2]!.provider_account]);
    await aShop(key, { provider_account: 'europe' });
    expect(await labelsOf(shops)).toEqual(['europe', 'europe', shops[2]!.provider_account]);
  });

  it('never has the label of another account', async () => {
    await aShop(aKey(), { provider_account: 'eu' });
    const created = await merchant.api.post('/shops', body(aKey(), { provider_account: 'eu' }));
    expect([created.status, created.body]).toMatchObject([422, { errors: another('eu') }]);
    const shop = await aShop(aKey());
    const changed = await patch(shop, { provider_account: 'eu' });
    expect([changed.status, changed.body]).toMatchObject([422, { errors: another('eu') }]);
    expect(await labelOf(shop)).toBe(shop.provider_account);
  });

  it('shares a label with an account at another provider or of another merchant', async () => {
    await aShop(aKey(), { provider_account: 'eu' });
    await merchant.createShop('Sandbox', { provider_account: 'eu' });
    merchant = new Merchant(await api.loginAsAnotherMerchant());
    expect((await aShop(aKey(), { provider_account: 'eu' })).provider_account).toBe('eu');
  });

  it('ends with one label after many changes and creations at once', async () => {
    const key = aKey();
    const shops = [await aShop(key), await aShop(key), await aShop(key)];
    const labels = Array.from({ length: 9 }, (_, index) => `label-${index}`);
    const answers = await Promise.all([
      ...labels.map((label, index) => patch(shops[index % 3]!, { provider_account: label })),
      ...labels.map((_, index) => patch(shops[index % 3]!, { provider_credentials: { secret_key: key } })),
      ...labels.slice(0, 3).map(() => merchant.api.post('/shops', body(key))),
    ]);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const { data } = (await merchant.api.get<{ data: LabelledShop[] }>('/shops')).body;
    expect(data).toHaveLength(6);
    expect(new Set(data.map((shop) => shop.provider_account)).size).toBe(1);
    expect(labels).toContain(data[0]!.provider_account);
  });

  it('of two accounts that want one label at once, one gets it', async () => {
    const shops = [await aShop(aKey()), await aShop(aKey())];
    const answers = await Promise.all(shops.map((shop) => patch(shop, { provider_account: 'eu' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect((await labelsOf(shops)).filter((label) => label === 'eu')).toHaveLength(1);
  });

  it('changes with the credentials', async () => {
    const [key, otherKey] = [aKey(), aKey()];
    const shops = [await aShop(key, { provider_account: 'eu' }), await aShop(otherKey, { provider_account: 'us' })];
    await patch(shops[0]!, { provider_credentials: { secret_key: otherKey } });
    expect(await labelsOf(shops)).toEqual(['us', 'us']);
  });
});

describe('while the provider does not answer', () => {
  it('a new shop gets its account later', async () => {
    const key = aKey();
    isSilent();
    const shop = await aShop(key);
    expect(shop.provider_account).toBe('default');
    isSilent();
    await askAgain();
    expect(await labelOf(shop)).toBe('default');
    await askAgain();
    expect(await labelOf(shop)).toBe((await aShop(key)).provider_account);
  });

  it('a given label stays, unless it is that of another account', async () => {
    const key = aKey();
    await aShop(key, { provider_account: 'us' });
    isSilent();
    const shop = await aShop(aKey(), { provider_account: 'eu' });
    isSilent();
    const wrong = await aShop(aKey(), { provider_account: 'us' });
    isSilent();
    const same = await aShop(key, { provider_account: 'america' });
    await askAgain();
    expect(await labelsOf([shop, wrong, same])).toEqual(['eu', expect.stringMatching(/^acct_/), 'us']);
  });

  it('new credentials leave the label, until the provider tells that the account is another', async () => {
    const otherKey = aKey();
    const other = await aShop(otherKey, { provider_account: 'us' });
    const shop = await aShop(aKey(), { provider_account: 'eu' });
    isSilent();
    await patch(shop, { provider_credentials: { secret_key: otherKey } });
    expect(await labelOf(shop)).toBe('eu');
    // the connection that was reset may fail one more question
    await eventually(async () => {
      await askAgain();
      expect(await labelsOf([shop, other])).toEqual(['us', 'us']);
    });
  });

  it('a question that credentials have overtaken changes nothing', async () => {
    isSilent();
    const shop = await aShop(aKey());
    const key = aKey();
    stripe.injectFault({ when: 'before', what: 'delay', delayMs: 300 }, { path: /\/v1\/account$/ });
    const asked = askAgain();
    const account = (await aShop(key)).provider_account;
    await patch(shop, { provider_credentials: { secret_key: key } });
    await asked;
    expect(await labelOf(shop)).toBe(account);
  });
});

describe('shops of an earlier release', () => {
  it('get the accounts of their credentials, one label for each', async () => {
    const [key, otherKey] = [aKey(), aKey()];
    const shops = [await aShop(key), await aShop(otherKey), await aShop(key)];
    const sandbox = (await merchant.createShop('Sandbox')) as LabelledShop;
    const ids = [...shops, sandbox].map(({ id }) => id);
    await api.database.pool.query(
      `UPDATE shops SET provider_account = DEFAULT, provider_account_id = DEFAULT, account_asked_next_at = DEFAULT
        WHERE id = ANY ($1::bigint[])`,
      [ids],
    );
    expect(await labelsOf(shops)).toEqual(['default', 'default', 'default']);
    await doDueWork(api, api.get(ShopAccountsJob).work);
    expect(await labelsOf(shops)).toEqual(shops.map((shop) => shop.provider_account));
    expect(await labelOf(sandbox)).toBe('default');
    expect(shops[0]!.provider_account).not.toBe(shops[1]!.provider_account);
  });
});
