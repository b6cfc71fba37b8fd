import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HeldKey, IdempotencyService } from '../../../src/platform/idempotency/idempotency.service.js';
import type { PaymentRow } from '../../../src/payments/money/state/payment.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { ShopOutcomesService } from '../../../src/shops/shop-outcomes.service.js';
import { ShopCountersService } from '../../../src/webhooks/outbox/shop-counters.service.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { answered } from '../../support/app/charge-facts.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { pendingPayment } from './checkout.js';

/** PostgreSQL's lock_not_available; over HTTP a 503. */
const NOT_AVAILABLE = { code: '55P03' };
const ROUNDS = 5;
const COMPLETE = answered('captured');

let api: TestApi;
let merchant: Merchant;
let merchantId: number;
let shopA: number;
let shopB: number;

beforeAll(async () => {
  api = await startApi({}, { lockTimeoutMs: 'as served' });
  merchant = new Merchant(await api.login());
  ({ id: shopA } = await merchant.createShop('A'));
  ({ id: shopB } = await merchant.createShop('B'));
  await merchant.createFlow('a', [shopA]);
  await merchant.createFlow('b', [shopB]);
  await merchant.createFlow('both', [shopA, shopB]);
  const { rows } = await api.database.pool.query<{ merchant_id: number }>('SELECT merchant_id FROM shops');
  merchantId = rows[0]!.merchant_id;
  // so that there are rows to lock
  await Promise.all(Array.from({ length: 20 }, () => payAt('a')));
});
afterAll(() => api.stop());

const payAt = (flow: string, key?: string) =>
  merchant.tryPay(flow, { webhook_endpoint: 'http://127.0.0.1:4000/hook' }, key ? { 'idempotency-key': key } : {});

/** Runs `work` while another transaction, stopped between two statements, holds the rows that `lock` locks. */
async function whileLocked<T>(lock: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  const client = await api.database.pool.connect();
  try {
    await client.query('BEGIN');
    expect((await client.query(lock, values)).rowCount).toBeGreaterThan(0);
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('while rows of shop A are locked', () => {
  it.each([
    ['its counters', 'SELECT FROM webhook_shop_counters WHERE shop_id = $1 FOR UPDATE'],
    ['its outcomes', 'SELECT FROM shop_outcomes WHERE shop_id = $1 FOR UPDATE'],
    [
      'the counter of its flow',
      `SELECT FROM flow_counters JOIN flows ON id = flow_id WHERE name = 'a' AND $1 > 0 FOR UPDATE`,
    ],
    ['its lanes', 'SELECT FROM webhook_lanes WHERE shop_id = $1 FOR UPDATE'],
    ['its payments', 'SELECT FROM payments WHERE shop_id = $1 FOR UPDATE'],
    ['the shop itself', 'SELECT FROM shops WHERE id = $1 FOR UPDATE'],
  ])('shop B accepts payments: %s', async (_, lock) => {
    const fromA: ReturnType<typeof payAt>[] = [];
    await whileLocked(lock, [shopA], async () => {
      for (let round = 0; round < ROUNDS; round++) {
        fromA.push(payAt('a'), payAt('a'));
        const fromB = await Promise.all(Array.from({ length: 10 }, () => payAt('b')));
        expect(fromB.map(({ status }) => status)).toEqual(fromB.map(() => 201));
      }
    });
    for (const { status, headers } of await Promise.all(fromA)) {
      expect(status === 201 || (status === 503 && headers.has('retry-after'))).toBe(true);
    }
  });

  it('shop A accepts payments, too, if the lock belongs to an uncommitted payment that moves to it', async () => {
    const statuses = await api.get(Database).transaction(async (transaction) => {
      await api.get(ShopCountersService).movePayment(transaction, shopB, shopA, true);
      await api.get(ShopOutcomesService).record(transaction, shopA, 'approved');
      return Promise.all(Array.from({ length: 20 }, (_, index) => payAt(index % 2 === 0 ? 'a' : 'b')));
    });
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 201));
  });

  it('a concurrent write to an outage of shop A does not block its payments', async () => {
    await api.database.pool.query(
      `INSERT INTO shop_outages (shop_id, began_at, last_fault_at)
       VALUES ($1, now() - interval '10 min', now() - interval '5 min')`,
      [shopA],
    );
    const lock = 'SELECT FROM shop_outages WHERE shop_id = $1 FOR UPDATE';
    const known = await Promise.all([insert(), insert(), insert(), insert()]);
    const results = await whileLocked(lock, [shopA], () =>
      Promise.all(known.map((row) => api.get(MoneyService).applyAnswer(row, COMPLETE))),
    );
    expect(results.map(({ status }) => status)).toEqual(known.map(() => 'completed'));
  });

  it('a repeat under a locked key gets its answer', async () => {
    const first = await payAt('a', 'locked-key');
    const lock = `SELECT FROM idempotency_keys WHERE key = 'locked-key' AND $1 > 0 FOR UPDATE`;
    const [repeat, other] = await whileLocked(lock, [shopA], () =>
      Promise.all([payAt('a', 'locked-key'), payAt('b', 'another-key')]),
    );
    expect((repeat.body as { data: PaymentAnswer }).data.id).toBe((first.body as { data: PaymentAnswer }).data.id);
    expect(other.status).toBe(201);
  });
});

describe('in a group only the member whose row is locked fails', () => {
  it('when statuses are written', async () => {
    const known = await Promise.all([insert(), insert(), insert()]);
    const outcomes = await whileLocked('SELECT FROM payments WHERE id = $1 FOR UPDATE', [known[1].id], () =>
      Promise.allSettled(known.map((row) => api.get(MoneyService).applyAnswer(row, COMPLETE))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: NOT_AVAILABLE });
    const again = await api.get(MoneyService).applyAnswer(known[1], COMPLETE);
    expect(again.status).toBe('completed');
  });

  it('when an attempt is locked without its payment', async () => {
    const known = await Promise.all([insert(), insert(), insert()]);
    const lock = 'SELECT FROM payment_attempts WHERE payment_id = $1 FOR UPDATE';
    const outcomes = await whileLocked(lock, [known[0].id], () =>
      Promise.allSettled(known.map((row) => api.get(MoneyService).applyAnswer(row, COMPLETE))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(outcomes[0]).toMatchObject({ reason: NOT_AVAILABLE });
  });

  it('when payments are inserted under keys', async () => {
    const keys = await claim(['insert-1', 'insert-2', 'insert-3']);
    const outcomes = await whileLocked(`SELECT FROM idempotency_keys WHERE key = $1 FOR UPDATE`, ['insert-2'], () =>
      Promise.allSettled(keys.map((key) => insert(key))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: NOT_AVAILABLE });
  });

  it('when answers are stored', async () => {
    const keys = await claim(['answer-1', 'answer-2', 'answer-3']);
    await Promise.all(keys.map((key) => insert(key)));
    const idempotency = api.get(IdempotencyService);
    const outcomes = await whileLocked(`SELECT FROM idempotency_keys WHERE key = $1 FOR UPDATE`, ['answer-2'], () =>
      Promise.allSettled(keys.map((key) => idempotency.complete(key, '{}'))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: NOT_AVAILABLE });
  });
});

describe('time-outs of a serving connection', () => {
  it('end an idle transaction before others’ statements end', async () => {
    const bounds = await serving(`SELECT name, setting::int AS ms FROM pg_settings WHERE name LIKE '%_timeout'`);
    const ms = new Map(bounds.map((row) => [row['name'], row['ms'] as number]));
    expect(ms.get('lock_timeout')).toBeLessThanOrEqual(500);
    expect(ms.get('idle_in_transaction_session_timeout')).toBeGreaterThan(0);
    expect(ms.get('idle_in_transaction_session_timeout')).toBeLessThan(ms.get('statement_timeout')!);
  });
});

/** Runs a query through a connection of the service. */
const serving = async (text: string) => (await api.get(Database).pool.query<Record<string, unknown>>(text)).rows;

/** Inserts a pending payment of either shop. */
const insert = (key?: HeldKey): Promise<PaymentRow> => pendingPayment(api, merchantId, { flow_name: 'both' }, key);

const claim = (names: string[]): Promise<HeldKey[]> =>
  Promise.all(
    names.map(async (name) => {
      const claimed = await api.get(IdempotencyService).claim({ merchantId: 1, clientId: 'a client' }, name, { name });
      if (claimed.state !== 'held') throw new Error(`${name} is not held`);
      return claimed.key;
    }),
  );
