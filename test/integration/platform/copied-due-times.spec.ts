import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../src/platform/database/migrations/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { revertTo } from '../../support/upgrade/schema.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

/** A payment with its customer, first attempt, shop and notification, all with one id. */
let id: number;
beforeEach(async () => {
  const [payment] = await sql<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
       status, created_at, updated_at, expires_at, decision)
     VALUES (1, 1, 1, 1, 's', 'sandbox', 5, 'EUR', 'processing', now(), now(), now(), '{}') RETURNING id`,
  );
  id = payment!.id;
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
});

const AT = '2026-01-02T03:04:05.678Z';
const LATER = '2026-02-02T03:04:05.678Z';

const set = (at: string | null): Promise<unknown> =>
  Promise.all([
    sql('UPDATE customers SET erasure_due_at = $2 WHERE id = $1', [id, at]),
    sql('UPDATE payment_attempts SET look_up_at = $2 WHERE payment_id = $1', [id, at]),
    sql('UPDATE payments SET capture_before = $2 WHERE id = $1', [id, at]),
    sql('UPDATE provider_notifications SET look_at = $2 WHERE id = $1', [id, at]),
    sql('UPDATE shops SET account_asked_next_at = $2 WHERE id = $1', [id, at]),
  ]);

const work = () => sql('SELECT kind, part, due_at FROM due_work WHERE subject_id = $1 ORDER BY kind', [id]);
const dueAt = (at: string) => [
  { kind: 'authorization', part: 0, due_at: new Date(at) },
  { kind: 'erasure', part: 0, due_at: new Date(at) },
  { kind: 'look_up', part: 1, due_at: new Date(at) },
  { kind: 'notification', part: 0, due_at: new Date(at) },
  { kind: 'shop_account', part: 0, due_at: new Date(at) },
];
const columns = () =>
  sql(
    `SELECT c.erasure_due_at, a.look_up_at, p.capture_before, n.look_at, s.account_asked_next_at
     FROM payments p JOIN customers c ON c.id = p.id JOIN payment_attempts a ON a.payment_id = p.id
     JOIN provider_notifications n ON n.id = p.id JOIN shops s ON s.id = p.id WHERE p.id = $1`,
    [id],
  );
const all = [
  'customers_erasure_due_at',
  'payment_attempts_look_up_at',
  'payments_capture_before',
  'provider_notifications_look_at',
];
const indexes = async () =>
  (
    await sql<{ name: string }>(
      `SELECT to_regclass(name)::text AS name FROM unnest($1::text[]) name WHERE to_regclass(name) IS NOT NULL`,
      [[...all, 'shops_account_asked_next_at']],
    )
  ).map(({ name }) => name);

describe('due times of processes of the version before', () => {
  it('their triggers keep them as due work until they are cleared', async () => {
    await set(AT);
    expect(await work()).toEqual(dueAt(AT));
    await set(LATER);
    expect(await work()).toEqual(dueAt(LATER));
    await set(null);
    expect(await work()).toEqual([]);
  });

  it('MoreDueWork1764010755000 and LastDueTimes1764010780000 move them into due work, and their ways back restore them', async () => {
    await revertTo(database, 'MoreDueWork');
    await set(AT);
    expect(await work()).toEqual([]);
    await migrate(database.url);
    expect(await work()).toEqual(dueAt(AT));
    // this version writes only the work
    await sql('UPDATE due_work SET due_at = $2 WHERE subject_id = $1', [id, LATER]);
    await revertTo(database, 'MoreDueWork');
    const [at, later] = [new Date(AT), new Date(LATER)];
    expect(await columns()).toEqual([
      { erasure_due_at: later, look_up_at: later, capture_before: at, look_at: later, account_asked_next_at: at },
    ]);
    expect(await work()).toEqual([]);
    await migrate(database.url);
  });

  it('their indexes stay in a database with payments; a new one has none', async () => {
    await revertTo(database, 'UnusedIndexes');
    expect(await indexes()).toEqual([...all, 'shops_account_asked_next_at']);
    await migrate(database.url);
    expect(await indexes()).toEqual(all);
    const fresh = await createTestDatabase();
    const found = await fresh.pool.query(`SELECT FROM pg_indexes WHERE indexname = ANY ($1)`, [all]);
    await fresh.drop();
    expect(found.rowCount).toBe(0);
  });
});
