import { describe, expect, it } from '@jest/globals';
import { type Body, SHOP, type Shop, useShops } from './shops-harness.js';

/** The rotation of a shop without rotations. */
const NO_ROTATION = { secret_active_from: null, previous_secret_expires_at: null, previous_key_expires_at: null };
const HEALTHY = { status: 'healthy', since: null, window: { approved: 0, declined: 0, failed: 0 } };

describe('shops', () => {
  const { running, aName, aShop, credentialsOf, get, patch, post, secretsOf } = useShops();

  describe('creation', () => {
    it('answers the shop with a generated webhook secret', async () => {
      const { status, body } = await post('/shops', { name: 'Main shop' });
      expect(status).toBe(201);
      expect(body).toEqual({
        success: true,
        data: { ...SHOP, name: 'Main shop', webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
      });
      expect(body.data.created_at).toBe(body.data.updated_at);
      expect(await secretsOf(body.data.id)).toEqual({ current: body.data.webhook_secret, previous: null });
    });

    it('accepts a secret and credentials of the merchant', async () => {
      const webhookSecret = 'a-secret-that-the-merchant-chose';
      const credentials = { notification_secret: 'a-secret-for-the-notifications' };
      const shop = await aShop({
        provider: 'sandbox',
        provider_account: 'default',
        provider_credentials: credentials,
        webhook_secret: webhookSecret,
      });
      expect(shop.webhook_secret).toBe(webhookSecret);
      expect(shop).not.toHaveProperty('provider_credentials');
      expect(await credentialsOf(shop.id)).toEqual(credentials);
      expect((await secretsOf(shop.id))?.current).toBe(webhookSecret);
    });

    it.each<[string, object | undefined, string]>([
      ['no body', undefined, 'name'],
      ['no name', {}, 'name'],
      ['null as name', { name: null }, 'name'],
      ['an empty name', { name: '' }, 'name'],
      ['a name of spaces', { name: '   ' }, 'name'],
      ['spaces around the name', { name: ' Shop' }, 'name'],
      ['a line break in the name', { name: 'Sh\nop' }, 'name'],
      ['NUL in the name', { name: 'Sh\0op' }, 'name'],
      ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
      ['a number as name', { name: 5 }, 'name'],
      ['an unknown provider', { name: 'x', provider: 'acme' }, 'provider'],
      ['an inherited name as provider', { name: 'x', provider: 'constructor' }, 'provider'],
      ['credentials that are not an object', { name: 'x', provider_credentials: 'secret' }, 'provider_credentials'],
      ['credentials of 17 KiB', { name: 'x', provider_credentials: { a: 'x'.repeat(17_000) } }, 'provider_credentials'],
      [
        'credentials that the provider refuses',
        { name: 'x', provider_credentials: { notification_secret: 5 } },
        'provider_credentials.notification_secret',
      ],
      ['a short webhook secret', { name: 'x', webhook_secret: 'short' }, 'webhook_secret'],
      [
        'a whsec_ secret that is not base64',
        { name: 'x', webhook_secret: `whsec_${'*'.repeat(40)}` },
        'webhook_secret',
      ],
      ['enabled', { name: 'x', enabled: false }, 'enabled'],
      ['an id', { name: 'x', id: 1 }, 'id'],
      ['a merchant', { name: 'x', merchant_id: 1 }, 'merchant_id'],
    ])('refuses %s', async (_, fields, field) => {
      const { status, body, text } = await post('/shops', fields);
      expect([status, body.code, body.errors[0]?.field]).toEqual([422, 'validation_failed', field]);
      expect(text).not.toMatch(/got short|\*{5}|xxxxx/);
    });

    it('keeps names unique in a merchant, and only there', async () => {
      const name = aName();
      const first = await post('/shops', { name });
      const again = await post('/shops', { name });
      expect([first.status, again.status, again.body.code]).toEqual([201, 409, 'shop_name_taken']);
      const other = await running.auth.token();
      expect((await post('/shops', { name }, other)).status).toBe(201);
    });

    it('creates one shop of a name for many concurrent requests', async () => {
      const name = aName();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post('/shops', { name })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
    });
  });

  describe('reading', () => {
    it('shows a shop without its secrets, with its health', async () => {
      const { id, name } = await aShop();
      const { status, body } = await get(`/shops/${id}`);
      expect([status, body]).toEqual([
        200,
        { success: true, data: { ...SHOP, id, name, health: HEALTHY, warnings: [], webhook_rotation: NO_ROTATION } },
      ]);
    });

    it.each(['0', '-1', 'x', '1.5', '1e3', '99999999999999999999'])('refuses %s as id', async (id) => {
      expect((await get(`/shops/${id}`)).body).toMatchObject({ status: 400, code: 'malformed_request' });
    });

    it('returns all shops of the merchant by pages, newest first', async () => {
      const own = await running.auth.token();
      const ids: number[] = [];
      for (let i = 0; i < 5; i += 1) ids.unshift((await aShop({}, own)).id);
      const seen: number[] = [];
      for (let cursor = '', pages = 0; pages < 3; pages += 1) {
        const { body } = await running.auth.call<Body<Shop[]>>({ url: `/shops?limit=2${cursor}`, token: own });
        seen.push(...body.data.map(({ id }) => id));
        expect(body.pagination.has_more).toBe(pages < 2);
        cursor = `&cursor=${body.pagination.next_cursor}`;
      }
      expect(seen).toEqual(ids);
    });

    it('lists the shops whose name contains a text, by pages', async () => {
      const own = await running.auth.token();
      for (const name of ['Main Berlin', '100%', 'BERLIN Mitte', 'Other', 'berlin']) await aShop({ name }, own);
      const named = async (query: string) => {
        const url = `/shops?limit=2&name_contains=${query}`;
        const { body } = await running.auth.call<Body<Shop[]>>({ url, token: own });
        return { names: body.data.map(({ name }) => name), cursor: body.pagination.next_cursor };
      };
      const { names, cursor } = await named('Berlin');
      expect(names).toEqual(['berlin', 'BERLIN Mitte']);
      expect(await named(`Berlin&cursor=${cursor}`)).toEqual({ names: ['Main Berlin'], cursor: null });
      expect(await named('%25')).toEqual({ names: ['100%'], cursor: null });
    });

    it("summarises only the merchant's own shops", async () => {
      const mine = await aShop();
      const theirs = await aShop({}, await running.auth.token());
      expect(await running.shops.summaries(running.merchant.merchantId, [mine.id, theirs.id, 1e9])).toEqual([
        {
          id: mine.id,
          name: mine.name,
          provider: 'sandbox',
          account: 'default',
          acceptsAnyToken: false,
          enabled: true,
          capturesManually: true,
          fees: null,
        },
      ]);
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=x',
      'cursor=rubbish',
      'sort=name',
      'name_contains=',
      'name_contains=%00',
      'name_contains=a&name_contains=b',
    ])('refuses ?%s', async (query) => {
      expect((await get(`/shops?${query}`)).body).toMatchObject({ status: 400, code: 'malformed_request' });
    });
  });

  describe('changes', () => {
    it('affect only the given fields', async () => {
      const shop = await aShop({ provider_credentials: { notification_secret: 'the-first-of-two-secrets' } });
      const name = aName();
      const renamed = await patch(`/shops/${shop.id}`, { name });
      expect([renamed.status, renamed.body.data]).toEqual([200, { ...SHOP, id: shop.id, name }]);
      expect(renamed.body.data.updated_at >= shop.updated_at).toBe(true);
      const disabled = await patch(`/shops/${shop.id}`, { enabled: false });
      expect(disabled.body.data).toMatchObject({ name, enabled: false });
      expect(await credentialsOf(shop.id)).toEqual({ notification_secret: 'the-first-of-two-secrets' });
      const credentials = { notification_secret: 'the-second-of-two-secrets' };
      expect((await patch(`/shops/${shop.id}`, { provider_credentials: credentials })).status).toBe(200);
      expect(await credentialsOf(shop.id)).toEqual(credentials);
      expect(await secretsOf(shop.id)).toEqual({ current: shop.webhook_secret, previous: null });
      expect((await get(`/shops/${shop.id}`)).body.data).toMatchObject({ name, enabled: false });
    });

    it('merge the credentials by key, and null removes one', async () => {
      const shop = await aShop({ provider_credentials: { notification_secret: 'the-first-of-two-secrets' } });
      await patch(`/shops/${shop.id}`, { provider_credentials: { simulate: 'tok_pending' } });
      expect(await credentialsOf(shop.id)).toEqual({
        notification_secret: 'the-first-of-two-secrets',
        simulate: 'tok_pending',
      });
      await patch(`/shops/${shop.id}`, { provider_credentials: { notification_secret: null } });
      expect(await credentialsOf(shop.id)).toEqual({ simulate: 'tok_pending' });
      await patch(`/shops/${shop.id}`, { provider_credentials: { never: null } });
      expect(await credentialsOf(shop.id)).toEqual({ simulate: 'tok_pending' });
    });

    it('of different credentials all succeed when they are concurrent', async () => {
      const shop = await aShop({ provider_credentials: {} });
      const notification_secret = 'the-only-one-of-the-secrets';
      await Promise.all([
        patch(`/shops/${shop.id}`, { provider_credentials: { simulate: 'tok_decline' } }),
        patch(`/shops/${shop.id}`, { provider_credentials: { notification_secret } }),
      ]);
      expect(await credentialsOf(shop.id)).toEqual({ notification_secret, simulate: 'tok_decline' });
    });

    it('replace the fees as a whole, and an empty list removes them', async () => {
      const fees = [{ percent: 1.4, fixed: 0.25, currency: 'EUR' }, { percent: 2.9 }];
      const shop = await aShop({ fees });
      const withDefaults = [fees[0], { percent: 2.9, fixed: 0 }];
      expect(shop.fees).toEqual(withDefaults);
      await patch(`/shops/${shop.id}`, { name: aName() });
      expect((await get(`/shops/${shop.id}`)).body.data.fees).toEqual(withDefaults);
      const changed = await patch(`/shops/${shop.id}`, { fees: [{ percent: 0.2, scheme: 'maestro' }] });
      expect(changed.body.data.fees).toEqual([{ percent: 0.2, fixed: 0, scheme: 'maestro' }]);
      expect((await patch(`/shops/${shop.id}`, { fees: [] })).body.data.fees).toEqual([]);
      const [summary] = await running.shops.summaries(running.merchant.merchantId, [shop.id]);
      expect(summary!.fees).toBeNull();
    });

    it('without fields answer the unchanged shop', async () => {
      const shop = await aShop();
      const { status, body } = await patch(`/shops/${shop.id}`, {});
      expect([status, body.data.updated_at]).toEqual([200, shop.updated_at]);
    });

    it.each<[object, string]>([
      [{ enabled: 'yes' }, 'enabled'],
      [{ provider: 'sandbox' }, 'provider'],
      [{ webhook_secret: 'x'.repeat(30) }, 'webhook_secret'],
      [{ provider_credentials: { password: 'x' } }, 'provider_credentials.password'],
      [{ fees: [{ percent: 1.00001 }] }, 'fees[0].percent'],
      [{ fees: [{ percent: 1 }, { percent: 100.1, scheme: 'visa' }] }, 'fees[1].percent'],
      [{ fees: [{ percent: 1, fixed: -1, currency: 'EUR' }] }, 'fees[0].fixed'],
      [{ fees: [{ percent: 1, currency: 'DEM' }] }, 'fees[0].currency'],
      [{ fees: [{ percent: 1, scheme: 'Visa' }] }, 'fees[0].scheme'],
      [{ fees: [{ percent: 1, fixed: 0.1 }] }, 'fees[0].currency'],
      [{ fees: [{ percent: 1 }, { percent: 2 }] }, 'fees[1]'],
      [{ fees: Array.from({ length: 51 }, (_, n) => ({ percent: 1, scheme: `s${n}` })) }, 'fees'],
    ])('fail with %j', async (changes, field) => {
      const shop = await aShop();
      const { status, body } = await patch(`/shops/${shop.id}`, changes);
      expect([status, body.code, body.errors[0]?.field]).toEqual([422, 'validation_failed', field]);
    });

    it('to a name of another shop fail, also when two shops request it concurrently', async () => {
      const [one, two] = [await aShop(), await aShop()];
      expect((await patch(`/shops/${one.id}`, { name: two.name })).body.code).toBe('shop_name_taken');
      const name = aName();
      const answers = await Promise.all([one, two].map(({ id }) => patch(`/shops/${id}`, { name })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });
});
