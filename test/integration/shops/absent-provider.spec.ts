import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { absentProviders } from '../../../src/bootstrap/absent-providers.js';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant } from '../../support/app/merchant.js';
import { sharedSandbox } from '../providers/sandbox-harness.js';

const LOADED = ['sandbox', 'stripe', 'adyen'];

let api: TestApi;
let merchant: Merchant;
/** A shop whose provider is not loaded, and another one. */
let gone: number;
let other: number;

const setProvider = (provider: string) =>
  api.database.pool.query('UPDATE shops SET provider = $1 WHERE id = $2', [provider, gone]);

beforeAll(async () => {
  ({ api, merchant } = await sharedSandbox());
  for (const name of ['Gone', 'Other']) [gone, other] = [other, (await merchant.createShop(name)).id];
  await merchant.createFlow('absent', [gone, other]);
  await merchant.createFlow('only-absent', [gone]);
  await setProvider('gone');
});
afterAll(async () => {
  await setProvider('sandbox');
  await api?.stop();
});

it('a start without a provider that shops use is refused, with its name and the number of shops', async () => {
  const start = absentProviders(api.database.url, LOADED, 'refuse', { warn: jest.fn() });
  await expect(start).rejects.toThrow(
    /^PROVIDER_MODULES: lacks the module of .*gone \(1 shop\).*PROVIDER_MODULES_ABSENT=warn/,
  );
});

it('a start with PROVIDER_MODULES_ABSENT=warn warns, and returns the providers', async () => {
  const warn = jest.fn();
  expect(await absentProviders(api.database.url, LOADED, 'warn', { warn })).toContain('gone');
  expect(warn).toHaveBeenCalledTimes(1);
  expect(await absentProviders(api.database.url, [...LOADED, 'gone'], 'warn', { warn })).not.toContain('gone');
});

it('a shop without its provider is unavailable in the list, in its health and in its statistics', async () => {
  const shops = dataOf<{ id: number; available: boolean }[]>(await merchant.api.get('/shops'));
  const available = Object.fromEntries(shops.map((shop) => [shop.id, shop.available]));
  expect([available[gone], available[other]]).toEqual([false, true]);
  for (const path of [`/shops/${gone}`, `/shops/${gone}/stats`])
    expect(dataOf(await merchant.api.get(path))).toMatchObject({ health: { status: 'unavailable' } });
  expect(dataOf(await merchant.api.get(`/shops/${other}`))).toMatchObject({ health: { status: 'healthy' } });
});

it('flows use their other shops instead of one without its provider', async () => {
  expect(await merchant.pay('absent')).toMatchObject({ status: 'completed', shop: { id: other } });
  const refused = await merchant.api.post('/payments', {
    flow_name: 'only-absent',
    amount: 1,
    currency: 'EUR',
    country: 'DE',
    payment_session_id: 'x',
  });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'no_available_shop' }]);
});
