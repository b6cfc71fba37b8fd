import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '../../../src/platform/database/database.js';
import {
  LIST_TRANSACTIONS,
  LIST_TRANSACTIONS_OF_PAYMENT,
  WALK_TRANSACTIONS_OF_SHOP,
} from '../../../packages/provider-sandbox/src/transactions.queries.js';
import { explained } from '../webhooks/explained.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, NOTIFICATION_SECRET } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { type LedgerEntry, SandboxShop } from './sandbox-harness.js';
import { signedNotification } from '@payment-orchestrator/provider-kit/testing';

let api: TestApi;
let merchant: Merchant;
let shop: SandboxShop;

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  shop = await SandboxShop.open(api, merchant);
});

afterAll(() => api?.stop());

describe('a charge at the sandbox', () => {
  it.each([
    ['tok_success', { outcome: 'approved' }, 'captured'],
    [undefined, { outcome: 'approved' }, 'captured'],
    ['tok_decline', { outcome: 'declined', declineCode: 'card_declined' }, 'declined'],
    ['tok_soft_decline', { outcome: 'soft_declined', declineCode: 'issuer_unavailable' }, 'declined'],
    ['tok_not_known', { outcome: 'soft_declined', declineCode: 'payment_method_unusable' }, 'declined'],
    ['tok_pending', { outcome: 'processing' }, 'open'],
    ['tok_early_notification', { outcome: 'approved' }, 'captured'],
    ['tok_refund_pending', { outcome: 'approved' }, 'captured'],
    ['tok_refund_refused', { outcome: 'approved' }, 'captured'],
  ])('with %s gets its answer and an entry', async (token, answer, status) => {
    const request = shop.request(token, { amount: '1234567890.123', currency: 'KWD' });
    const transactionId = `sbx_${request.reference}`;
    expect(await shop.charge(request)).toEqual({ transactionId, ...answer });
    expect(await shop.lookup(request)).toMatchObject({
      status,
      transactionId,
      amount: '1234567890.123',
      currency: 'KWD',
    });
    expect(await shop.entries(request)).toMatchObject([
      { id: transactionId, reference: request.reference, status, idempotency_key: request.idempotencyKey, calls: 1 },
    ]);
  });

  it('gets the same entry as a single charge and in a group', async () => {
    const requests = Array.from({ length: 4 }, () => shop.request('tok_decline'));
    await shop.charge(requests[0]!);
    await Promise.all(requests.slice(1).map((request) => shop.charge(request)));
    const { rows } = await api.database.pool.query(
      `SELECT DISTINCT to_jsonb(t) - '{id, reference, transaction_id, payment_id, idempotency_key, fingerprint, created_at,
         updated_at}'::text[] AS stored FROM sandbox_transactions t WHERE reference = ANY ($1)`,
      [requests.map(({ reference }) => reference)],
    );
    expect(rows).toHaveLength(1);
  });

  it('with tok_unavailable leaves no charge', async () => {
    const request = shop.request('tok_unavailable');
    expect(await shop.charge(request)).toMatchObject({ outcome: 'unavailable' });
    expect(await shop.lookup(request)).toEqual({ status: 'not_found' });
  });

  it('with tok_timeout gets no answer and leaves no charge', async () => {
    const request = shop.request('tok_timeout');
    await expect(shop.charge(request, 50)).rejects.toThrow('did not answer');
    expect(await shop.lookup(request)).toEqual({ status: 'not_found' });
  });

  it('with tok_charged_no_answer is made although its answer is lost', async () => {
    const request = shop.request('tok_charged_no_answer');
    await expect(shop.charge(request, 1_000)).rejects.toThrow('did not answer');
    expect(await shop.statusOf(request)).toBe('captured');
    expect(await shop.charge(request)).toMatchObject({ outcome: 'approved' });
    expect(await shop.entries(request)).toMatchObject([{ calls: 2 }]);
  });

  it('of a shop with `simulate` ignores the token', async () => {
    const simulating = await SandboxShop.open(api, merchant, { simulate: 'tok_decline' });
    expect(await simulating.charge(simulating.request('tok_success'))).toMatchObject({ outcome: 'declined' });
  });

  const ours = `sbx_ours_${randomUUID()}`;

  it('uses the given transaction id', async () => {
    const request = shop.request('tok_success', { transactionId: ours });
    expect(await shop.charge(request)).toMatchObject({ transactionId: ours });
  });

  it('gets a transaction id of the provider if the shop is configured for that', async () => {
    const own = await SandboxShop.open(api, merchant, { transaction_ids: 'provider' });
    expect(own.provider.capabilities({ transaction_ids: 'provider' }).choosesTransactionIds).toBe(true);
    const request = own.request('tok_success', { transactionId: ours });
    const { transactionId } = await own.charge(request);
    expect(transactionId).toMatch(/^sbx_/);
    expect(transactionId).not.toContain(request.reference);
    expect(await own.charge(request)).toMatchObject({ transactionId });
  });
});

describe('an idempotency key', () => {
  it('charges once and returns the same answer for any number of concurrent calls', async () => {
    const request = shop.request('tok_success');
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.charge(request)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await shop.entries(request)).toMatchObject([{ status: 'captured', calls: 20 }]);
  });

  it.each([
    ['amount', { amount: '49.91' }],
    ['currency', { currency: 'USD' }],
    ['token', { paymentMethod: { token: 'tok_decline' } }],
    ['reference', { reference: randomUUID() }],
    ['payment', { paymentId: 1 }],
  ])('causes an error code with another %s', async (_, other) => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    await expect(shop.charge({ ...request, ...other })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await shop.entries(request)).toMatchObject([{ amount: 49.9, calls: 1 }]);
  });

  it('allows the same amount in another format', async () => {
    const request = shop.request('tok_success', { amount: '10.1000' });
    await shop.charge(request);
    expect(await shop.charge({ ...request, amount: '10.10' })).toMatchObject({ outcome: 'approved' });
    expect(await shop.entries(request)).toMatchObject([{ amount: 10.1, calls: 2 }]);
  });

  it('of a charge causes an error code for a refund, and the other way round', async () => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    expect(await shop.refund(request, { idempotencyKey: request.idempotencyKey })).toMatchObject({
      outcome: 'refused',
      reason: 'idempotency_key_reused',
    });
    const idempotencyKey = randomUUID();
    await shop.refund(request, { idempotencyKey });
    await expect(shop.charge(shop.request('tok_success', { idempotencyKey }))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('of another charge under the same reference causes an error code', async () => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    await expect(shop.charge({ ...request, idempotencyKey: randomUUID() })).rejects.toMatchObject({
      code: 'reference_already_used',
    });
  });
});

describe('a void', () => {
  it('of an open transaction is confirmed, also when repeated', async () => {
    const request = shop.request('tok_pending');
    await shop.charge(request);
    const key = randomUUID();
    expect(await shop.void(request, key)).toEqual({ outcome: 'confirmed' });
    expect(await shop.void(request, key)).toEqual({ outcome: 'confirmed' });
    expect(await shop.void(request)).toEqual({ outcome: 'confirmed' });
    expect(await shop.statusOf(request)).toBe('voided');
  });

  it('of captured money is refused', async () => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    const charge = await shop.lookup(request);
    const refused = { outcome: 'refused', reason: 'already_captured', retryable: false, charge };
    expect(await shop.void(request)).toEqual(refused);
    expect(charge).toMatchObject({ status: 'captured', capturedAmount: '49.90' });
  });

  it('of an unknown reference makes a later charge declined', async () => {
    const request = shop.request('tok_success');
    expect(await shop.void(request)).toEqual({ outcome: 'confirmed' });
    expect(await shop.lookup(request)).toMatchObject({ status: 'voided', amount: '49.90' });
    expect(await shop.charge(request)).toMatchObject({ outcome: 'declined', declineCode: 'voided' });
    expect(await shop.charge(request)).toMatchObject({ outcome: 'declined' });
    expect(await shop.entries(request)).toMatchObject([{ status: 'voided', idempotency_key: null, calls: 2 }]);
  });

  it('that was in time makes a look-up after the due time wait', async () => {
    const request = shop.request('tok_async_success');
    await shop.charge(request);
    const voiding = await api.database.pool.connect();
    await voiding.query(`UPDATE sandbox_transactions SET settles_at = now() WHERE reference = $1`, [request.reference]);
    await voiding.query('BEGIN');
    await voiding.query(
      `UPDATE sandbox_transactions SET status = 'voided', settles_as = NULL, settles_at = NULL WHERE reference = $1`,
      [request.reference],
    );
    let found: unknown;
    const lookup = shop.lookup(request).then((state) => (found = state));
    await eventually(async () => {
      const { rows } = await api.database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%t.transaction_id, t.payment_id%'`,
      );
      return rows.length > 0 || found !== undefined;
    });
    await voiding.query('COMMIT');
    voiding.release();
    expect(await lookup).toMatchObject({ status: 'voided' });
  });

  it('whose key belongs to another request leaves no trace', async () => {
    const used = shop.request('tok_success');
    await shop.charge(used);
    const request = shop.request('tok_success');
    expect(await shop.void(request, used.idempotencyKey)).toMatchObject({ reason: 'idempotency_key_reused' });
    expect(await shop.lookup(request)).toEqual({ status: 'not_found' });
  });

  it('and a concurrent charge never both win', async () => {
    for (let round = 0; round < 30; round++) {
      const request = shop.request('tok_success');
      const both = [() => shop.charge(request), () => shop.void(request)];
      const order = round % 2 === 0 ? both : both.reverse();
      const answers = await Promise.all(order.map((call) => call()));
      const outcomes = answers.map(({ outcome }) => outcome).sort();
      const status = await shop.statusOf(request);
      expect([outcomes.join(), status]).toEqual(
        status === 'captured' ? ['approved,refused', 'captured'] : ['confirmed,declined', 'voided'],
      );
    }
  });
});

describe('a refund', () => {
  it('returns the captured amount once, under any keys', async () => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    const idempotencyKey = randomUUID();
    const confirmed = { outcome: 'confirmed', operationId: `sbr_${idempotencyKey}` };
    expect(await shop.refund(request, { idempotencyKey })).toEqual(confirmed);
    expect(await shop.refund(request, { idempotencyKey })).toEqual(confirmed);
    expect(await shop.refund(request)).toMatchObject({ outcome: 'refused', reason: 'amount_exceeds_captured' });
    expect(await shop.statusOf(request)).toBe('refunded');
  });

  it.each([
    ['more than is captured', { amount: '49.91' }, 'amount_exceeds_captured'],
    ['another currency', { currency: 'USD' }, 'amount_differs'],
  ])('of %s is refused', async (_, fields, reason) => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    const charge = { status: 'captured', amount: '49.90', capturedAmount: '49.90', refundedAmount: '0.00' };
    expect(await shop.refund(request, fields)).toMatchObject({ outcome: 'refused', reason, retryable: false, charge });
    expect(await shop.statusOf(request)).toBe('captured');
  });

  it('that was refused is refused again under its key, but not under another one', async () => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    const idempotencyKey = randomUUID();
    const reason = 'amount_exceeds_captured';
    await shop.refund(request, { idempotencyKey, amount: '50.00' });
    expect(await shop.refund(request, { idempotencyKey, amount: '50.00' })).toMatchObject({ reason });
    expect(await shop.refund(request, { idempotencyKey })).toMatchObject({ reason: 'idempotency_key_reused' });
    expect(await shop.refund(request)).toMatchObject({ outcome: 'confirmed' });
  });

  it('with tok_refund_refused is refused', async () => {
    const request = shop.request('tok_refund_refused');
    await shop.charge(request);
    expect(await shop.refund(request)).toMatchObject({
      outcome: 'refused',
      reason: 'refund_refused',
      retryable: false,
    });
    expect(await shop.statusOf(request)).toBe('captured');
  });

  it('of a charge that is not captured yet is retryable', async () => {
    const request = shop.request('tok_pending');
    await shop.charge(request);
    expect(await shop.refund(request)).toMatchObject({ outcome: 'refused', reason: 'not_captured', retryable: true });
  });

  it('with tok_refund_pending completes a little later', async () => {
    const request = shop.request('tok_refund_pending');
    await shop.charge(request);
    const idempotencyKey = randomUUID();
    const pending = { outcome: 'pending', operationId: `sbr_${idempotencyKey}` };
    expect(await shop.refund(request, { idempotencyKey })).toEqual(pending);
    await eventually(async () => expect(await shop.statusOf(request)).toBe('refunded'));
    expect(await shop.refund(request, { idempotencyKey })).toEqual({ ...pending, outcome: 'confirmed' });
    await eventually(async () => {
      const received = (await shop.received()).filter(({ status }) => status === 'refunded');
      expect(received).toMatchObject([{ provider_transaction_id: `sbx_${request.reference}` }]);
    });
  });
});

describe('GET /providers/sandbox/transactions', () => {
  it("lists a merchant's own transactions, by payment and by shop, page by page", async () => {
    const own = new Merchant(await api.loginAsAnotherMerchant());
    const [first, second] = [await SandboxShop.open(api, own), await SandboxShop.open(api, own)];
    const requests = [first.request(), second.request(), first.request()];
    for (const request of requests) await first.charge(request);
    const list = async (query: string): Promise<number[]> =>
      dataOf<LedgerEntry[]>(await own.api.get(`/providers/sandbox/transactions?${query}`)).map((row) => row.payment_id);
    const ids = requests.map(({ paymentId }) => paymentId).reverse();
    expect(await list('')).toEqual(ids);
    expect(await list(`shop_id=${second.shop.id}`)).toEqual([requests[1]!.paymentId]);
    expect(await list(`payment_id=${requests[0]!.paymentId}`)).toEqual([requests[0]!.paymentId]);
    const page = await own.api.get('/providers/sandbox/transactions?limit=2');
    const { pagination } = page.body as { pagination: { next_cursor: string } };
    expect(await list(`limit=2&cursor=${pagination.next_cursor}`)).toEqual(ids.slice(2));
    expect(await merchant.api.get(`/providers/sandbox/transactions?shop_id=${first.shop.id}`)).toMatchObject({
      body: { data: [] },
    });
  });
});

describe('transactions of a merchant with many', () => {
  const MERCHANT = 990_001;
  const [SHOP, OTHER_SHOP] = [990_001, 990_002];

  beforeAll(async () => {
    await api.database.pool.query(
      `INSERT INTO sandbox_transactions (reference, transaction_id, merchant_id, shop_id, payment_id, status, amount, currency,
         idempotency_key, fingerprint, outcome, refunds, calls)
       SELECT 'many-' || n, 'many-' || n, $1, $2, 990000000 + n, 'captured', 1, 'EUR', 'many-' || n, '', '{}', 'confirmed', 1
       FROM generate_series(1, 30000) n`,
      [MERCHANT, SHOP],
    );
    await api.database.pool.query('ANALYZE sandbox_transactions');
  });

  it.each<[string, Statement, unknown[], number]>([
    ['all', LIST_TRANSACTIONS, [MERCHANT, Number.MAX_SAFE_INTEGER, 21], 100],
    [
      'those of a payment',
      LIST_TRANSACTIONS_OF_PAYMENT,
      [MERCHANT, Number.MAX_SAFE_INTEGER, 21, 990_000_007, null],
      100,
    ],
    ['those of a shop', WALK_TRANSACTIONS_OF_SHOP, [MERCHANT, Number.MAX_SAFE_INTEGER, 21, OTHER_SHOP, 500], 2_000],
  ])('%s are read from an index, and few', async (_, statement, values, maxRows) => {
    const client = await api.database.pool.connect();
    try {
      for (const kind of ['generic', 'custom'] as const) {
        await client.query('BEGIN');
        const { reads, rows } = await explained(client, statement, values, kind);
        await client.query('ROLLBACK');
        expect(reads).not.toContain('sandbox_transactions whole');
        expect(rows).toBeLessThan(maxRows);
      }
    } finally {
      client.release();
    }
  });
});

describe('a notification with the shop’s secret that the sandbox did not send', () => {
  const statusAfter = async (secret: string, fields: Record<string, unknown>) => {
    const request = shop.request('tok_pending');
    const { transactionId } = await shop.charge(request);
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, provider_transaction_id: transactionId, ...fields });
    const headers = { signature: createHmac('sha256', secret).update(body).digest('hex') };
    const incoming = signedNotification(Buffer.from(body), headers);
    await shop.provider.parseNotification(incoming, { notification_secret: secret });
    return shop.statusOf(request);
  };

  it.each([
    ['completed', 'captured'],
    ['failed', 'declined'],
    ['cancelled', 'voided'],
    ['processing', 'open'],
  ])('with status %s changes a waiting transaction to %s', async (status, held) => {
    expect(await statusAfter(NOTIFICATION_SECRET, { status })).toBe(held);
  });

  it('changes nothing with the secret of another shop', async () => {
    expect(await statusAfter('a-secret-of-another-shop', { status: 'completed' })).toBe('open');
  });

  it('changes nothing with another amount', async () => {
    expect(await statusAfter(NOTIFICATION_SECRET, { status: 'completed', amount: '1.00', currency: 'EUR' })).toBe(
      'open',
    );
  });
});
