import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../src/schema/upgrade/migrate.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { restoreOldDatabase } from '../../support/upgrade/old-database.js';

let database: TestDatabase;
/** Payments with their customer, first attempt, shop, saved method and notification, all with one id. */
const [BEFORE, AFTER] = [1_001, 1_002];

beforeAll(async () => {
  database = await restoreOldDatabase('http://127.0.0.1:1');
  await insert(BEFORE);
  await set(BEFORE, AT);
  await migrate(database.url);
  await insert(AFTER);
});
afterAll(() => database.drop());

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

async function insert(id: number): Promise<void> {
  await sql(
    `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
       currency, status, created_at, updated_at, expires_at, decision)
     VALUES ($1, 1, 1, 1, 1, 's', 'sandbox', 5, 'EUR', 'processing', now(), now(), now(), '{}')`,
    [id],
  );
  await sql('INSERT INTO customers (id, merchant_id) VALUES ($1, 1)', [id]);
  await sql(
    `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at, reference)
     VALUES ($1, 1, 1, 'sandbox', now(), 'r' || $1::bigint)`,
    [id],
  );
  await sql('INSERT INTO merchants (id, name) VALUES ($1::bigint, $1::bigint::text)', [id]);
  await sql(
    `INSERT INTO shops (id, merchant_id, name, provider, provider_credentials, webhook_secret, account_asked_next_at)
     VALUES ($1, $1, 's', 'sandbox', '', '', NULL)`,
    [id],
  );
  await sql(
    `INSERT INTO provider_notifications (id, provider, shop_id, notification_id, status, data, received_at, outcome)
     VALUES ($1::bigint, 'sandbox', 1, $1::bigint::text, 'completed', '{}', now(), 'waiting')`,
    [id],
  );
  await sql(
    `INSERT INTO disputes (id, merchant_id, shop_id, payment_id, attempt, provider, provider_dispute_id, kind, status, amount, currency,
       opened_at, reported_at, updated_at)
     VALUES ($1, 1, 1, $1, 1, 'sandbox', 'dp', 'chargeback', 'open', 5, 'EUR', now(), now(), now())`,
    [id],
  );
  await sql(
    `INSERT INTO saved_payment_methods (id, merchant_id, customer_id, options, sealed_tokens) VALUES ($1, 1, $1, '[]', '')`,
    [id],
  );
}

/** In the future: the upgrade plans no notice of what is over. */
const AT = '2126-01-02T03:04:05.678Z';
const LATER = '2126-02-02T03:04:05.678Z';

/** As processes of the version before do it. */
const set = (id: number, at: string | null): Promise<unknown> =>
  Promise.all([
    sql('UPDATE customers SET erasure_due_at = $2 WHERE id = $1', [id, at]),
    sql('UPDATE payment_attempts SET look_up_at = $2 WHERE payment_id = $1', [id, at]),
    sql('UPDATE payments SET capture_before = $2 WHERE id = $1', [id, at]),
    sql('UPDATE disputes SET evidence_due_by = $2 WHERE id = $1', [id, at]),
    sql('UPDATE provider_notifications SET look_at = $2 WHERE id = $1', [id, at]),
    sql('UPDATE saved_payment_methods SET detach_at = $2 WHERE id = $1', [id, at]),
    sql('UPDATE shops SET account_asked_next_at = $2 WHERE id = $1', [id, at]),
  ]);

const work = (id: number) => sql('SELECT kind, part, due_at FROM due_work WHERE subject_id = $1 ORDER BY kind', [id]);
const KINDS = [
  'authorization',
  'erasure',
  'evidence_notice',
  'lapse_notice',
  'look_up',
  'notification',
  'saved_method',
  'shop_account',
];
/** How many days before its time a notice is due. */
const DAYS_BEFORE: Record<string, number> = { lapse_notice: 1, evidence_notice: 2 };
const dueAt = (at: string) =>
  KINDS.map((kind) => ({
    kind,
    part: kind === 'look_up' ? 1 : 0,
    due_at: new Date(Date.parse(at) - (DAYS_BEFORE[kind] ?? 0) * 86_400_000),
  }));

describe('due times of processes of the version before', () => {
  it('the upgrade moves them into due work', async () => {
    expect(await work(BEFORE)).toEqual(dueAt(AT));
  });

  it.each([
    ['from before', BEFORE],
    ['from after', AFTER],
  ])('their triggers keep them as due work until they are cleared, of rows %s', async (_, id) => {
    await set(id, AT);
    expect(await work(id)).toEqual(dueAt(AT));
    await set(id, LATER);
    expect(await work(id)).toEqual(dueAt(LATER));
    await set(id, null);
    expect(await work(id)).toEqual([]);
  });
});
