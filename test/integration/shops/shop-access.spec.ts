import { describe, expect, it } from '@jest/globals';
import { type Body, type Shop, useShops } from './shops-harness.js';

describe('access to shops', () => {
  const { running, aName, aShop, get, secretsOf } = useShops();

  type Route = ['GET' | 'POST' | 'PATCH', string, 'shops:read' | 'shops:write'];
  const routes: Route[] = [
    ['GET', '', 'shops:read'],
    ['POST', '', 'shops:write'],
    ['GET', '/:id', 'shops:read'],
    ['PATCH', '/:id', 'shops:write'],
    ['GET', '/:id/credentials', 'shops:read'],
    ['POST', '/:id/credentials/check', 'shops:write'],
    ['POST', '/:id/webhook-secret/rotate', 'shops:write'],
  ];

  it.each(routes)('%s /shops%s takes a token with %s', async (method, path, scope) => {
    const { id } = await aShop();
    const call = (as?: string) =>
      running.auth.call<Body>({
        method,
        url: `/shops${path.replace(':id', String(id))}`,
        token: as,
        ...(method !== 'GET' && { body: path === '' ? { name: aName() } : {} }),
      });
    expect((await call()).status).toBe(401);
    const without = scope === 'shops:read' ? 'shops:write' : 'shops:read';
    const refused = await call(await running.auth.token(running.merchant, without));
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.text).toContain(scope);
    expect((await call(await running.auth.token(running.merchant, scope))).status).toBeLessThan(300);
  });

  it.each(routes.filter(([, path]) => path !== ''))(
    "%s /shops%s answers 404 for another merchant's shop and for none",
    async (method, path) => {
      const shop = await aShop();
      const stranger = await running.auth.token();
      const body = method === 'GET' ? {} : { body: path === '/:id' ? { name: aName() } : {} };
      const call = (id: number) =>
        running.auth.call<Body>({ method, url: `/shops${path.replace(':id', String(id))}`, token: stranger, ...body });
      const [theirs, none] = [await call(shop.id), await call(1e9)];
      expect([theirs.status, theirs.body.code]).toEqual([404, 'shop_not_found']);
      const anonymous = ({ body: { ...answer } }: typeof theirs) => ({ ...answer, instance: '', request_id: '' });
      expect(anonymous(theirs)).toEqual(anonymous(none));
      expect((await secretsOf(shop.id))?.current).toBe(shop.webhook_secret);
      expect((await get(`/shops/${shop.id}`)).body.data.name).toBe(shop.name);
    },
  );

  it("lists and summarises no other merchant's shops", async () => {
    const [mine, other] = [await aShop(), await running.auth.aClient()];
    const theirs = await aShop({}, await running.auth.token(other));
    const listed = await running.auth.call<Body<Shop[]>>({ url: '/shops?limit=100', token: running.token });
    expect(listed.body.data.map(({ id }) => id)).not.toContain(theirs.id);
    expect(await running.shops.summaries(running.merchant.merchantId, [mine.id, theirs.id, 1e9])).toEqual([
      { id: mine.id, name: mine.name, provider: 'sandbox', enabled: true },
    ]);
  });
});
