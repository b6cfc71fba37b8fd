import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { ask } from './asked-harness.js';
import { scriptNotifications } from './scripted-events.js';
import { eventually } from '../../support/eventually.js';
import { Merchant, type ShopAnswer } from '../../support/app/merchant.js';

/** Twenty concurrent ones for a shop; two forged ones for a shop and address. */
const LIMITS = { NOTIFICATION_RATE_LIMIT_PER_SECOND: '10', TRUST_PROXY: '127.0.0.0/8' };

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;
let other: ShopAnswer;

beforeAll(async () => {
  api = await startApi(LIMITS);
  merchant = new Merchant(await api.login());
  shop = await merchant.createShop('Berlin');
  other = await merchant.createShop('Paris');
});
afterAll(() => api.stop());

const genuine = (shopId: number, from?: string) => {
  const body = { id: `evt_${Math.random()}`, provider_transaction_id: 'sbx_none', status: 'completed' };
  return merchant.sendNotification(shopId, JSON.stringify(body), undefined, from ? { 'x-forwarded-for': from } : {});
};
const forged = (from: string, shopId: number, provider = 'sandbox') =>
  merchant.api.post(`/providers/${provider}/notifications/${shopId}`, '{}', {
    signature: '0',
    'x-forwarded-for': from,
  });

const many = async <T extends { status: number }>(count: number, send: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, send));

describe('notifications for a shop', () => {
  it('get 429 with Retry-After above the limit of the shop', async () => {
    const answers = await many(20, () => genuine(shop.id));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    // permits are restored meanwhile
    const refused = await eventually(async () => {
      return (await many(20, () => genuine(shop.id))).find(({ status }) => status === 429) ?? null;
    });
    expect(refused.body).toMatchObject({ code: 'too_many_requests' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await genuine(other.id)).status).toBe(200);
  });

  it('succeed while attackers get 429 before the signature check', async () => {
    const attacked = await merchant.createShop('Vienna');
    for (let address = 1; address <= 10; address += 1) {
      const [provider, refusal] = address % 2 ? ['sandbox', 401] : ['acme', 404];
      // few at once: each holds a permit of the shop until its signature is checked
      const attack = () => many(4, () => forged(`198.51.100.${address}`, attacked.id, provider));
      expect(await attack()).toContainEqual(expect.objectContaining({ status: refusal }));
      await eventually(async () => (await attack()).some(({ status }) => status === 429));
    }
    expect((await genuine(attacked.id)).status).toBe(200);
    expect((await forged('203.0.113.9', attacked.id)).status).toBe(401);
  });

  it('that are forged count per address, for any shop id', async () => {
    let shopId = 1_000_000;
    const guess = (from: string) => forged(from, (shopId += 1));
    const refused = await eventually(async () => {
      const answers = await many(40, () => guess('198.51.100.77'));
      return answers.find(({ status }) => status === 429) ?? null;
    });
    expect(refused.body).toMatchObject({ code: 'too_many_requests' });
    expect((await guess('198.51.100.78')).status).toBe(401);
  });

  it('succeed from an address with genuine ones, even if it forges them for other shops', async () => {
    const from = '198.51.100.99';
    const third = await merchant.createShop('Rome');
    expect((await genuine(third.id, from)).status).toBe(200);
    let shopId = 2_000_000;
    const guess = async () => (await forged(from, (shopId += 1))).status;
    await eventually(async () => (await Promise.all(Array.from({ length: 40 }, guess))).includes(429));
    expect((await genuine(third.id, from)).status).toBe(200);
  });

  it('notifications that only ask about unknown transactions count like forged ones', async () => {
    const restore = scriptNotifications(api);
    const asked = await merchant.createShop('Oslo');
    await merchant.createFlow('oslo', [asked.id]);
    const { provider_transaction_id: known } = await merchant.pay('oslo');
    const askFrom = (from: string, id: string | null) => ask(merchant, asked.id, [id], { 'x-forwarded-for': from });
    const attack = () => many(4, () => askFrom('198.51.100.55', 'tx_unknown'));
    expect(await attack()).toContainEqual(expect.objectContaining({ status: 200 }));
    await eventually(async () => (await attack()).some(({ status }) => status === 429));
    expect((await askFrom('198.51.100.56', known)).status).toBe(200);
    restore();
  });
});
