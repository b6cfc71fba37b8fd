import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnAddress } from '../../../src/providers/connectors/own-address.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { sharedApi, startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, NOTIFICATION_SECRET } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver } from '../../support/servers/receiver.js';
import { SandboxShop } from './sandbox-harness.js';
import { replaceSettings } from '../../support/providers/shared-provider-api.js';
import { redirectOf } from '../../support/providers/redirect-of.js';

let api: TestApi;
let merchant: Merchant;
let shop: SandboxShop;

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  shop = await SandboxShop.open(api, merchant);
});

afterAll(() => api?.stop());

const pending = async (): Promise<number> =>
  (
    await api.database.pool.query('SELECT FROM sandbox_notifications WHERE due_at IS NOT NULL AND shop_id = $1', [
      shop.shop.id,
    ])
  ).rowCount!;

/** Delays the outcomes of charges in `work` until after it. */
async function withDelayedOutcomes(work: () => Promise<void>): Promise<void> {
  const { pool } = api.database;
  await pool.query(`CREATE FUNCTION settle_later() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.settles_at := NEW.settles_at + interval '1 hour'; RETURN NEW; END $$;
    CREATE TRIGGER settle_later BEFORE INSERT ON sandbox_transactions FOR EACH ROW
    WHEN (NEW.shop_id = ${shop.shop.id}) EXECUTE FUNCTION settle_later()`);
  try {
    await work();
  } finally {
    await pool.query('DROP FUNCTION settle_later CASCADE');
  }
  const earlier = (table: string, column: string) =>
    pool.query(
      `UPDATE ${table} SET ${column} = ${column} - interval '1 hour'
       WHERE shop_id = $1 AND ${column} > now() + interval '30 minutes'`,
      [shop.shop.id],
    );
  await earlier('sandbox_transactions', 'settles_at');
  await earlier('sandbox_notifications', 'due_at');
  api.get(SandboxProvider).books!.notifier.wake(0);
}

const receivedOf = async (reference: string, at = shop) =>
  (await at.received()).filter((row) => row.provider_transaction_id === `sbx_${reference}`);

describe('the sandbox', () => {
  it.each([
    ['tok_async_success', 'completed', 'captured'],
    ['tok_async_decline', 'failed', 'declined'],
  ])('with %s sends the outcome in a notification', async (token, status, held) => {
    const request = shop.request(token);
    await withDelayedOutcomes(async () => {
      expect(await shop.charge(request)).toMatchObject({ outcome: 'processing' });
      expect(await shop.statusOf(request)).toBe('open');
    });
    await eventually(async () => expect(await receivedOf(request.reference)).toMatchObject([{ status }]));
    expect(await shop.statusOf(request)).toBe(held);
    await eventually(async () => expect(await pending()).toBe(0));
  });

  it('without a notification secret reaches the outcome anyway', async () => {
    const noSecret = await SandboxShop.open(api, merchant, {});
    const request = noSecret.request('tok_async_success');
    await noSecret.charge(request);
    await eventually(async () => expect(await noSecret.statusOf(request)).toBe('captured'));
    expect(await noSecret.received()).toEqual([]);
  });

  it('with tok_early_notification sends the notification before the answer', async () => {
    const request = shop.request('tok_early_notification');
    await shop.charge(request);
    expect(await receivedOf(request.reference)).toMatchObject([{ status: 'completed' }]);
  });

  it('sends nothing about a transaction that was voided in time', async () => {
    const request = shop.request('tok_async_success');
    await withDelayedOutcomes(async () => {
      await shop.charge(request);
      expect(await shop.void(request)).toEqual({ outcome: 'confirmed' });
    });
    expect(await pending()).toBe(0);
    expect(await shop.statusOf(request)).toBe('voided');
  });

  it('at the due time either voids without a notification, or captures with one', async () => {
    const UNTIL = `SELECT pg_sleep_until(settles_at + $2 * interval '1 ms') FROM sandbox_transactions WHERE reference = $1`;
    const race = async (offsetMs: number) => {
      const request = shop.request('tok_async_success');
      await shop.charge(request);
      await api.database.pool.query(UNTIL, [request.reference, offsetMs]);
      const { outcome } = await shop.void(request);
      return { request, outcome };
    };
    const raced = await Promise.all([-20, -10, -5, -2, -1, 0, 1, 2].map(race));
    await eventually(async () => expect(await pending()).toBe(0));
    for (const { request, outcome } of raced) {
      const received = (await receivedOf(request.reference)).map(({ status }) => status);
      const expected = outcome === 'confirmed' ? ['voided', []] : ['captured', ['completed']];
      expect([await shop.statusOf(request), received]).toEqual(expected);
    }
  });

  it('sends no notification while its transaction is locked by a change', async () => {
    const request = shop.request('tok_async_success');
    await shop.charge(request);
    const client = await api.database.pool.connect();
    const find = async () =>
      (
        await client.query<{ tries: number; is_due: boolean }>(
          'SELECT tries, due_at <= clock_timestamp() AS is_due FROM sandbox_notifications WHERE reference = $1',
          [request.reference],
        )
      ).rows[0];
    await client.query('BEGIN');
    await client.query('SELECT FROM sandbox_transactions WHERE reference = $1 FOR UPDATE', [request.reference]);
    await eventually(async () => expect(await find()).toMatchObject({ is_due: true }));
    await api.get(SandboxProvider).books!.notifier.sendNow(request.reference);
    expect(await find()).toEqual({ tries: 0, is_due: true });
    await client.query('ROLLBACK');
    client.release();
    await eventually(async () => expect(await receivedOf(request.reference)).toHaveLength(1));
  });
});

describe("the sandbox's page", () => {
  const open = async (returnUrl?: string) => {
    const request = shop.request('tok_requires_action', { returnUrl });
    const answer = await shop.charge(request);
    return { request, url: redirectOf(answer), action: 'nextAction' in answer && answer.nextAction };
  };
  const choose = (url: string, outcome: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' });

  it('asks the payer while the payment is open', async () => {
    const { request, url, action } = await open();
    expect(await shop.lookup(request)).toMatchObject({ status: 'open', nextAction: action });
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
    expect(await page.text()).toContain('Pay 49.90 EUR?');
  });

  it.each([
    ['approve', 'captured', 'completed'],
    ['decline', 'declined', 'failed'],
  ])('accepts %s, notifies us, and sends the payer back', async (outcome, held, status) => {
    const { request, url } = await open('https://merchant.example/назад');
    const answer = await choose(url, outcome);
    const back = new URL('https://merchant.example/назад').href;
    expect([answer.status, answer.headers.get('location')]).toEqual([303, back]);
    await eventually(async () => expect(await receivedOf(request.reference)).toMatchObject([{ status }]));
    expect(await shop.lookup(request)).toMatchObject({ status: held });
    expect(await shop.lookup(request)).not.toHaveProperty('nextAction');
  });

  it('accepts only the first choice, and shows it', async () => {
    const { request, url } = await open();
    expect(await (await choose(url, 'approve')).text()).toContain('Status of this payment: captured');
    expect(await (await choose(url, 'decline')).text()).toContain('Status of this payment: captured');
    expect(await shop.statusOf(request)).toBe('captured');
    await eventually(async () => expect(await receivedOf(request.reference)).toHaveLength(1));
  });

  it('accepts no choice for a voided payment', async () => {
    const { request, url } = await open();
    await shop.void(request);
    expect(await (await choose(url, 'approve')).text()).toContain('Status of this payment: voided');
    expect(await receivedOf(request.reference)).toEqual([]);
  });

  it('allows the browser to continue to the return address', async () => {
    const { url } = await open('https://merchant.example/thanks');
    expect((await fetch(url)).headers.get('content-security-policy')).toContain(
      "form-action 'self' https://merchant.example;",
    );
  });

  it.each([
    ['an unknown page', '00000000-0000-4000-8000-000000000000', 'approve', 404],
    ['no page', '%00', 'approve', 404],
    ['another choice', '', 'maybe', 422],
  ])('refuses %s', async (_, page, outcome, status) => {
    const { url } = await open();
    expect((await choose(page === '' ? url : new URL(page, url).href, outcome)).status).toBe(status);
  });

  it('refuses a form without a choice, and has no pages of other providers', async () => {
    const { url } = await open();
    expect((await fetch(url, { method: 'POST' })).status).toBe(422);
    expect((await fetch(url.replace('/sandbox/', '/stripe/'))).status).toBe(404);
  });
});

describe('a notification of the sandbox', () => {
  it('carries a signature, and is sent again, byte for byte, until it is accepted', async () => {
    const path = `/providers/sandbox/notifications/${shop.shop.id}`;
    let tries = 0;
    const receiver = await startReceiver(({ url }) => (url === path && (tries += 1) > 2 ? 200 : 503));
    const putBack = replaceSettings(api.get(OwnAddress), { sandbox: { notificationUrl: receiver.url } });
    const request = shop.request('tok_async_success');
    await shop.charge(request);
    const requests = await eventually(() => {
      const ours = receiver.requests.filter(({ url }) => url === path);
      return ours.length === 3 && ours;
    });
    putBack();
    await receiver.stop();
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    const { body, headers } = requests[0]!;
    expect(headers['signature']).toBe(createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex'));
    expect(JSON.parse(body.toString())).toMatchObject({
      provider_transaction_id: `sbx_${request.reference}`,
      reference: request.reference,
      status: 'completed',
      amount: '49.90',
      currency: 'EUR',
    });
  });
});

describe('without a ledger', () => {
  let withoutLedger: TestApi;

  beforeAll(async () => {
    withoutLedger = await startApi({ SANDBOX_LEDGER: 'false' }, { other: api });
  });

  afterAll(() => withoutLedger?.stop());

  it('the sandbox gives the same answers, and writes nothing', async () => {
    const own = await SandboxShop.open(withoutLedger, merchant);
    const before = await withoutLedger.database.dump();
    expect(own.provider.capabilities({}).lookup).toBe('none');
    const request = own.request('tok_success');
    expect(await own.charge(request)).toEqual({ outcome: 'approved', transactionId: `sbx_${request.reference}` });
    expect(await own.charge(own.request('tok_requires_action'))).not.toHaveProperty('nextAction');
    expect(await own.void(request)).toEqual({ outcome: 'confirmed' });
    expect(await own.refund(request)).toMatchObject({ outcome: 'confirmed', operationId: expect.any(String) });
    const manual = own.request('tok_success', { capture: 'manual' });
    expect(await own.charge(manual)).toMatchObject({ outcome: 'authorized', captureBefore: expect.any(Date) });
    expect(await own.capture(manual)).toMatchObject({ outcome: 'confirmed', operationId: expect.any(String) });
    expect(await withoutLedger.database.dump()).toBe(before);
  });
});
