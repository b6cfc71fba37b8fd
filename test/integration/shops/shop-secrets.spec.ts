import { describe, expect, it } from '@jest/globals';
import { SHOP, useShops } from './shops-harness.js';

describe('secrets of shops', () => {
  const { running, aShop, get, post, secretsOf } = useShops();

  describe('in the database', () => {
    const paste = (into: number, from: number, column: string) =>
      running.database.pool.query(
        `UPDATE shops a SET ${column} = b.${column} FROM shops b WHERE a.id = $1 AND b.id = $2`,
        [into, from],
      );

    it.each(['webhook_secret', 'previous_webhook_secret'])('decrypt in no other row: %s', async (column) => {
      const [mine, theirs] = [await aShop(), await aShop()];
      for (const { id } of [mine, theirs]) {
        await post(`/shops/${id}/webhook-secret/rotate`);
        // cached in this process
        await secretsOf(id);
      }
      await paste(mine.id, theirs.id, column);
      await expect(secretsOf(mine.id)).rejects.toThrow();
      expect(await secretsOf(theirs.id)).toMatchObject({ previous: theirs.webhook_secret });
    });

    it('decrypt for no other provider account', async () => {
      const [mine, theirs] = [await aShop(), await aShop()];
      await running.shops.providerAccount(theirs.id);
      await paste(mine.id, theirs.id, 'provider_credentials');
      await expect(running.shops.providerAccount(mine.id)).rejects.toThrow();
    });

    it('decrypt for no other key that signs webhooks', async () => {
      const [mine, theirs] = [await aShop(), await aShop()];
      const { merchantId } = running.merchant;
      for (const { id } of [mine, theirs]) await running.shops.update(merchantId, id, { webhookSigning: 'public_key' });
      expect((await secretsOf(theirs.id))?.signingKeys).toHaveLength(1);
      await paste(mine.id, theirs.id, 'webhook_signing_key');
      await expect(secretsOf(mine.id)).rejects.toThrow();
    });

    it('stay bound to their merchant when the row moves to another merchant', async () => {
      const shop = await aShop();
      const { merchantId } = await running.auth.aClient();
      await secretsOf(shop.id);
      await running.database.pool.query('UPDATE shops SET merchant_id = $2 WHERE id = $1', [shop.id, merchantId]);
      await expect(secretsOf(shop.id)).rejects.toThrow();
    });
  });

  describe('rotation of the webhook secret', () => {
    const rotate = (shopId: number, body?: unknown) => post(`/shops/${shopId}/webhook-secret/rotate`, body);

    it('creates a new secret and keeps the old one for a day', async () => {
      const shop = await aShop();
      const { status, body } = await rotate(shop.id);
      expect(status).toBe(200);
      expect(body.data).toEqual({
        ...SHOP,
        id: shop.id,
        webhook_secret: expect.stringMatching(/^whsec_/),
        webhook_secret_active_from: expect.any(String),
        previous_webhook_secret_expires_at: expect.any(String),
      });
      expect(body.data.webhook_secret).not.toBe(shop.webhook_secret);
      const lifeMs = Date.parse(body.data.previous_webhook_secret_expires_at!) - Date.now();
      expect(lifeMs / 3_600_000).toBeCloseTo(24, 1);
      expect(await secretsOf(shop.id)).toEqual({ current: body.data.webhook_secret, previous: shop.webhook_secret });
    });

    it('ends the old secret at once without an overlap, and later with one', async () => {
      const shop = await aShop();
      const { body } = await rotate(shop.id, { overlap_seconds: 0 });
      expect(body.data.previous_webhook_secret_expires_at).toBeNull();
      expect(await secretsOf(shop.id)).toEqual({ current: body.data.webhook_secret, previous: null });
      const second = await rotate(shop.id, { overlap_seconds: 600 });
      expect((await secretsOf(shop.id))?.previous).toBe(body.data.webhook_secret);
      await running.database.pool.query(
        `UPDATE shops SET previous_webhook_secret_expires_at = clock_timestamp() - interval '1 ms' WHERE id = $1`,
        [shop.id],
      );
      expect(await secretsOf(shop.id)).toEqual({ current: second.body.data.webhook_secret, previous: null });
    });

    it('keeps the secrets of two concurrent rotations valid', async () => {
      const shop = await aShop();
      const answers = await Promise.all([rotate(shop.id), rotate(shop.id)]);
      const secrets = await secretsOf(shop.id);
      expect([secrets?.current, secrets?.previous].sort()).toEqual(
        answers.map(({ body }) => body.data.webhook_secret).sort(),
      );
    });

    it('announces a secret that signs later, with the time', async () => {
      const shop = await aShop();
      const { body } = await rotate(shop.id, { activate_in_seconds: 3_600, overlap_seconds: 600 });
      const { webhook_secret: next, webhook_secret_active_from: from } = body.data;
      expect((Date.parse(from) - Date.now()) / 3_600_000).toBeCloseTo(1, 1);
      expect(Date.parse(body.data.previous_webhook_secret_expires_at!) - Date.parse(from)).toBe(600_000);
      expect(await secretsOf(shop.id)).toEqual({ current: shop.webhook_secret, previous: null, next });
      await running.database.pool.query('UPDATE shops SET webhook_secret_active_from = now() WHERE id = $1', [shop.id]);
      expect(await secretsOf(shop.id)).toEqual({ current: next, previous: shop.webhook_secret });
    });

    it("appears in the shop's answer while it is pending", async () => {
      const shop = await aShop();
      const rotation = async () => {
        const { body } = await get(`/shops/${shop.id}`);
        return (body.data as unknown as { webhook_rotation: object }).webhook_rotation;
      };
      const none = { secret_active_from: null, previous_secret_expires_at: null, previous_key_expires_at: null };
      expect(await rotation()).toEqual(none);
      const { body } = await rotate(shop.id, { activate_in_seconds: 3_600, overlap_seconds: 600 });
      expect(await rotation()).toEqual({
        ...none,
        secret_active_from: body.data.webhook_secret_active_from,
        previous_secret_expires_at: body.data.previous_webhook_secret_expires_at,
      });
      const { pool } = running.database;
      await pool.query('UPDATE shops SET webhook_secret_active_from = now() WHERE id = $1', [shop.id]);
      expect(await rotation()).toEqual({
        ...none,
        previous_secret_expires_at: body.data.previous_webhook_secret_expires_at,
      });
    });

    it("accepts the merchant's secret, for any number of repeated requests", async () => {
      const shop = await aShop();
      const given = { webhook_secret: 'a-secret-that-the-merchant-made' };
      for (let times = 0; times < 3; times++)
        expect((await rotate(shop.id, given)).body.data.webhook_secret).toBe(given.webhook_secret);
      expect(await secretsOf(shop.id)).toEqual({ current: given.webhook_secret, previous: shop.webhook_secret });
    });

    it.each([
      [{ webhook_secret: 'short' }, 'webhook_secret'],
      [{ activate_in_seconds: -1 }, 'activate_in_seconds'],
      [{ activate_in_seconds: 604_801 }, 'activate_in_seconds'],
    ])('refuses %j', async (body, field) => {
      const shop = await aShop();
      const { status, body: answer } = await rotate(shop.id, body);
      expect([status, answer.errors[0]?.field]).toEqual([422, field]);
      expect((await secretsOf(shop.id))?.current).toBe(shop.webhook_secret);
    });

    it.each([-1, 604_801, 1.5, '60'])('refuses an overlap of %j', async (overlap) => {
      const shop = await aShop();
      const { status, body } = await rotate(shop.id, { overlap_seconds: overlap });
      expect([status, body.errors[0]?.field]).toEqual([422, 'overlap_seconds']);
      expect((await secretsOf(shop.id))?.current).toBe(shop.webhook_secret);
    });
  });

  describe('secrets at rest', () => {
    it('appear encrypted in the database, and in no log', async () => {
      const webhookSecret = 'plaintext-webhook-secret-1234';
      const notificationSecret = 'plaintext-notification-secret';
      const { id } = await aShop({
        webhook_secret: webhookSecret,
        provider_credentials: { notification_secret: notificationSecret },
      });
      await post(`/shops/${id}/webhook-secret/rotate`);
      const { current } = (await secretsOf(id))!;
      const dump = await running.database.dump();
      for (const secret of [webhookSecret, notificationSecret, current]) {
        for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
          expect(dump).not.toContain(form);
        }
        expect(running.auth.logs()).not.toContain(secret);
      }
      expect(running.auth.logs()).toContain('/shops');
    });

    it('of many shops need one read; unknown shops are omitted', async () => {
      const [one, two] = [await aShop(), await aShop()];
      expect(await running.receivers.secretsOfShops([two.id, one.id, 1e9])).toEqual(
        new Map([one, two].map(({ id, webhook_secret: current }) => [id, { current, previous: null }])),
      );
      expect(await running.shops.providerAccount(1e9)).toBeNull();
    });

    it('fail to decrypt in another column', async () => {
      const { id } = await aShop();
      await running.database.pool.query('UPDATE shops SET provider_credentials = webhook_secret WHERE id = $1', [id]);
      await expect(running.shops.providerAccount(id)).rejects.toThrow();
    });
  });
});
