import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { ShopsApiModule } from '../../../src/shops/shops-api.module.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import { type AuthApplication, type MerchantClient, startAuth } from '../auth/auth-harness.js';

interface Shop {
  id: number;
  name: string;
  provider: string;
  enabled: boolean;
  created_at: string;
  updated_at: string;
  webhook_secret: string;
  previous_webhook_secret_expires_at: string | null;
}

interface Body<T = Shop> {
  data: T;
  code: string;
  errors: { field: string; message: string }[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

const SHOP = {
  id: expect.any(Number),
  name: expect.any(String),
  provider: 'sandbox',
  enabled: true,
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  updated_at: expect.any(String),
};

describe('shops', () => {
  let database: TestDatabase;
  let auth: AuthApplication;
  let shops: ShopsService;
  let merchant: MerchantClient;
  let token: string;
  let names = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    auth = await startAuth(database, { imports: [ShopsApiModule] });
    shops = auth.app.get(ShopsService);
    merchant = await auth.aClient();
    token = await auth.token(merchant);
  });

  afterAll(async () => {
    await auth.close();
    await database.drop();
  });

  const get = (url: string, as = token) => auth.call<Body>({ url, token: as });
  const post = (url: string, body?: unknown, as = token) => auth.call<Body>({ method: 'POST', url, body, token: as });
  const patch = (url: string, body: unknown, as = token) => auth.call<Body>({ method: 'PATCH', url, body, token: as });
  const aName = () => `Shop ${(names += 1)}`;
  const aShop = async (fields: object = {}, as = token) =>
    (await post('/shops', { name: aName(), ...fields }, as)).body.data;
  const credentialsOf = async (shopId: number) => (await shops.providerAccount(shopId))?.credentials;
  const secretsOf = async (shopId: number) => (await shops.webhookSecrets([shopId])).get(shopId);

  describe('creation', () => {
    it('answers the shop with a webhook secret of its own making', async () => {
      const { status, body } = await post('/shops', { name: 'Main shop' });
      expect(status).toBe(201);
      expect(body).toEqual({
        success: true,
        data: { ...SHOP, name: 'Main shop', webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
      });
      expect(body.data.created_at).toBe(body.data.updated_at);
      expect(await secretsOf(body.data.id)).toEqual({ current: body.data.webhook_secret, previous: null });
    });

    it('takes a secret and credentials that the merchant brings along', async () => {
      const webhookSecret = 'a-secret-that-the-merchant-chose';
      const credentials = { notification_secret: 'a-secret-for-the-notifications' };
      const shop = await aShop({
        provider: 'sandbox',
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
      ['null as provider', { name: 'x', provider: null }, 'provider'],
      ['credentials that are no object', { name: 'x', provider_credentials: 'secret' }, 'provider_credentials'],
      ['null as credentials', { name: 'x', provider_credentials: null }, 'provider_credentials'],
      ['credentials of 17 KiB', { name: 'x', provider_credentials: { a: 'x'.repeat(17_000) } }, 'provider_credentials'],
      [
        'credentials that the provider refuses',
        { name: 'x', provider_credentials: { notification_secret: 5 } },
        'provider_credentials.notification_secret',
      ],
      ['a short webhook secret', { name: 'x', webhook_secret: 'short' }, 'webhook_secret'],
      ['a whsec_ secret that is no base64', { name: 'x', webhook_secret: `whsec_${'*'.repeat(40)}` }, 'webhook_secret'],
      ['null as webhook secret', { name: 'x', webhook_secret: null }, 'webhook_secret'],
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
      const other = await auth.token();
      expect((await post('/shops', { name }, other)).status).toBe(201);
    });

    it('makes one shop of a name when many ask at once', async () => {
      const name = aName();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post('/shops', { name })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
    });
  });

  describe('reading', () => {
    it('shows a shop without its secrets', async () => {
      const { id, name } = await aShop();
      const { status, body } = await get(`/shops/${id}`);
      expect([status, body]).toEqual([200, { success: true, data: { ...SHOP, id, name } }]);
    });

    it.each(['0', '-1', 'x', '1.5', '1e3', '99999999999999999999'])('refuses %s as id', async (id) => {
      expect((await get(`/shops/${id}`)).body).toMatchObject({ status: 400, code: 'malformed_request' });
    });

    it('pages through all shops of the merchant, newest first', async () => {
      const own = await auth.token();
      const ids: number[] = [];
      for (let i = 0; i < 5; i += 1) ids.unshift((await aShop({}, own)).id);
      const seen: number[] = [];
      for (let cursor = '', pages = 0; pages < 3; pages += 1) {
        const { body } = await auth.call<Body<Shop[]>>({ url: `/shops?limit=2${cursor}`, token: own });
        seen.push(...body.data.map(({ id }) => id));
        expect(body.pagination.has_more).toBe(pages < 2);
        cursor = `&cursor=${body.pagination.next_cursor}`;
      }
      expect(seen).toEqual(ids);
    });

    it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=rubbish', 'sort=name'])('refuses ?%s', async (query) => {
      expect((await get(`/shops?${query}`)).body).toMatchObject({ status: 400, code: 'malformed_request' });
    });
  });

  describe('changes', () => {
    it('touch what is given and nothing else', async () => {
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

    it('of nothing answer the shop as it is', async () => {
      const shop = await aShop();
      const { status, body } = await patch(`/shops/${shop.id}`, {});
      expect([status, body.data.updated_at]).toEqual([200, shop.updated_at]);
    });

    it.each<[object, string]>([
      [{ name: null }, 'name'],
      [{ enabled: 'yes' }, 'enabled'],
      [{ enabled: null }, 'enabled'],
      [{ provider: 'sandbox' }, 'provider'],
      [{ webhook_secret: 'x'.repeat(30) }, 'webhook_secret'],
      [{ provider_credentials: { password: 'x' } }, 'provider_credentials.password'],
    ])('are refused: %j', async (changes, field) => {
      const shop = await aShop();
      const { status, body } = await patch(`/shops/${shop.id}`, changes);
      expect([status, body.code, body.errors[0]?.field]).toEqual([422, 'validation_failed', field]);
    });

    it('to a name that is taken are refused, also when two shops want it at once', async () => {
      const [one, two] = [await aShop(), await aShop()];
      expect((await patch(`/shops/${one.id}`, { name: two.name })).body.code).toBe('shop_name_taken');
      const name = aName();
      const answers = await Promise.all([one, two].map(({ id }) => patch(`/shops/${id}`, { name })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  describe('rotation of the webhook secret', () => {
    const rotate = (shopId: number, body?: unknown) => post(`/shops/${shopId}/webhook-secret/rotate`, body);

    it('gives a new secret and keeps the old one for a day', async () => {
      const shop = await aShop();
      const { status, body } = await rotate(shop.id);
      expect(status).toBe(200);
      expect(body.data).toEqual({
        ...SHOP,
        id: shop.id,
        webhook_secret: expect.stringMatching(/^whsec_/),
        previous_webhook_secret_expires_at: expect.any(String),
      });
      expect(body.data.webhook_secret).not.toBe(shop.webhook_secret);
      const lifeMs = Date.parse(body.data.previous_webhook_secret_expires_at!) - Date.now();
      expect(lifeMs / 3_600_000).toBeCloseTo(24, 1);
      expect(await secretsOf(shop.id)).toEqual({ current: body.data.webhook_secret, previous: shop.webhook_secret });
    });

    it('ends the old secret at once without an overlap, and after a while with one', async () => {
      const shop = await aShop();
      const { body } = await rotate(shop.id, { overlap_seconds: 0 });
      expect(body.data.previous_webhook_secret_expires_at).toBeNull();
      expect(await secretsOf(shop.id)).toEqual({ current: body.data.webhook_secret, previous: null });
      const second = await rotate(shop.id, { overlap_seconds: 600 });
      expect((await secretsOf(shop.id))?.previous).toBe(body.data.webhook_secret);
      await database.pool.query(
        `UPDATE shops SET previous_webhook_secret_expires_at = clock_timestamp() - interval '1 ms' WHERE id = $1`,
        [shop.id],
      );
      expect(await secretsOf(shop.id)).toEqual({ current: second.body.data.webhook_secret, previous: null });
    });

    it('leaves the secrets of two rotations at once valid, both of them', async () => {
      const shop = await aShop();
      const answers = await Promise.all([rotate(shop.id), rotate(shop.id)]);
      const secrets = await secretsOf(shop.id);
      expect([secrets?.current, secrets?.previous].sort()).toEqual(
        answers.map(({ body }) => body.data.webhook_secret).sort(),
      );
    });

    it.each([-1, 604_801, 1.5, '60', null])('refuses an overlap of %j', async (overlap) => {
      const shop = await aShop();
      const { status, body } = await rotate(shop.id, { overlap_seconds: overlap });
      expect([status, body.errors[0]?.field]).toEqual([422, 'overlap_seconds']);
      expect((await secretsOf(shop.id))?.current).toBe(shop.webhook_secret);
    });
  });

  describe('access', () => {
    type Route = ['GET' | 'POST' | 'PATCH', string, 'shops:read' | 'shops:write'];
    const routes: Route[] = [
      ['GET', '', 'shops:read'],
      ['POST', '', 'shops:write'],
      ['GET', '/:id', 'shops:read'],
      ['PATCH', '/:id', 'shops:write'],
      ['POST', '/:id/webhook-secret/rotate', 'shops:write'],
    ];

    it.each(routes)('%s /shops%s takes a token with %s', async (method, path, scope) => {
      const { id } = await aShop();
      const call = (as?: string) =>
        auth.call<Body>({
          method,
          url: `/shops${path.replace(':id', String(id))}`,
          token: as,
          ...(method !== 'GET' && { body: path === '' ? { name: aName() } : {} }),
        });
      expect((await call()).status).toBe(401);
      const without = scope === 'shops:read' ? 'shops:write' : 'shops:read';
      const refused = await call(await auth.token(merchant, without));
      expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
      expect(refused.text).toContain(scope);
      expect((await call(await auth.token(merchant, scope))).status).toBeLessThan(300);
    });

    it.each(routes.filter(([, path]) => path !== ''))(
      "%s /shops%s answers 404 for another merchant's shop and for none",
      async (method, path) => {
        const shop = await aShop();
        const stranger = await auth.token();
        const body = method === 'GET' ? {} : { body: path === '/:id' ? { name: aName() } : {} };
        const call = (id: number) =>
          auth.call<Body>({ method, url: `/shops${path.replace(':id', String(id))}`, token: stranger, ...body });
        const [theirs, none] = [await call(shop.id), await call(1e9)];
        expect([theirs.status, theirs.body.code]).toEqual([404, 'shop_not_found']);
        const anonymous = ({ body: { ...answer } }: typeof theirs) => ({ ...answer, instance: '', request_id: '' });
        expect(anonymous(theirs)).toEqual(anonymous(none));
        expect((await secretsOf(shop.id))?.current).toBe(shop.webhook_secret);
        expect((await get(`/shops/${shop.id}`)).body.data.name).toBe(shop.name);
      },
    );

    it("lists and summarises no other merchant's shops", async () => {
      const [mine, other] = [await aShop(), await auth.aClient()];
      const theirs = await aShop({}, await auth.token(other));
      const listed = await auth.call<Body<Shop[]>>({ url: '/shops?limit=100', token });
      expect(listed.body.data.map(({ id }) => id)).not.toContain(theirs.id);
      expect(await shops.summaries(merchant.merchantId, [mine.id, theirs.id, 1e9])).toEqual([
        { id: mine.id, name: mine.name, provider: 'sandbox', enabled: true },
      ]);
    });
  });

  describe('secrets', () => {
    it('lie encrypted in the database, and in no log', async () => {
      const webhookSecret = 'plaintext-webhook-secret-1234';
      const notificationSecret = 'plaintext-notification-secret';
      const { id } = await aShop({
        webhook_secret: webhookSecret,
        provider_credentials: { notification_secret: notificationSecret },
      });
      await post(`/shops/${id}/webhook-secret/rotate`);
      const { current } = (await secretsOf(id))!;
      const dump = await database.dump();
      for (const secret of [webhookSecret, notificationSecret, current]) {
        for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
          expect(dump).not.toContain(form);
        }
        expect(auth.logs()).not.toContain(secret);
      }
      expect(auth.logs()).toContain('/shops');
    });

    it('of many shops are read at once, of unknown ones not at all', async () => {
      const [one, two] = [await aShop(), await aShop()];
      expect(await shops.webhookSecrets([two.id, one.id, 1e9])).toEqual(
        new Map([one, two].map(({ id, webhook_secret: current }) => [id, { current, previous: null }])),
      );
      expect(await shops.providerAccount(1e9)).toBeNull();
    });

    it('cannot be moved into another column', async () => {
      const { id } = await aShop();
      await database.pool.query('UPDATE shops SET provider_credentials = webhook_secret WHERE id = $1', [id]);
      await expect(shops.providerAccount(id)).rejects.toThrow();
    });
  });
});
