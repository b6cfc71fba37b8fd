import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../src/schema/upgrade/migrate.js';
import { CLAIM_DUE, LIST_DUE, RECORD_OPERATION } from '../../../src/payments/store/operation.queries.js';
import { INSERT_FOR_CHARGE, INSERT_REVERSAL } from '../../../src/payments/store/open-operation.queries.js';
import type { Statement } from '../../../src/platform/database/database.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { restoreOldDatabase } from '../../support/upgrade/old-database.js';

/** Upgraded: with the triggers for processes of the version before. */
let database: TestDatabase;
beforeAll(async () => {
  database = await restoreOldDatabase('http://127.0.0.1:1');
  await migrate(database.url);
});
afterAll(() => database.drop());

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;
const run = <Row extends object>({ text }: Statement, values: unknown[]) => sql<Row>(text, values);

/** A payment with its first attempt. */
async function aPayment(): Promise<number> {
  const [payment] = await sql<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
       created_at, updated_at, expires_at, decision) VALUES (1, 1, 1, 1, 's', 'sandbox', 5, 'EUR', now(), now(), now(), '{}')
     RETURNING id`,
  );
  await sql(
    `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at, reference)
     VALUES ($1, 1, 1, 'sandbox', now(), 'r' || $1::bigint)`,
    [payment!.id],
  );
  return payment!.id;
}

/** As a process of the version before. */
async function oldOperation(payment: number, state = 'open', nextTry: string | null = '2026-01-01T00:00:00Z') {
  const [row] = await sql<{ id: number }>(
    `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference, amount,
       currency, state, next_try_at) VALUES (7, 1, $1, 1, 'charge', 'payment', 'k', 'r', 5, 'EUR', $2, $3) RETURNING id`,
    [payment, state, nextTry],
  );
  return row!.id;
}

const workOf = async (payment: number): Promise<string[]> =>
  (
    await sql<{ line: string }>(
      `SELECT concat_ws(' ', part, owner_id, CASE WHEN isfinite(due_at) THEN 'due' ELSE 'stopped' END) AS line FROM due_work
       WHERE kind = 'operation' AND subject_id = $1 ORDER BY part`,
      [payment],
    )
  ).map(({ line }) => line);

const refuse = (payment: number, operation: number, key: string) =>
  run(RECORD_OPERATION, [payment, operation, key, 'refused', 'no', 'refused', null, null, [1], 1_000_000, false]);

describe('operations of the version before', () => {
  let payment: number;
  beforeEach(async () => {
    payment = await aPayment();
  });

  it('keep when they are due', async () => {
    const old = await restoreOldDatabase('http://127.0.0.1:1');
    const lines = async (text: string) => (await old.pool.query<{ line: string }>(text)).rows.map(({ line }) => line);
    try {
      await old.pool.query(`UPDATE provider_operations SET next_try_at = NULL WHERE state = 'unknown'`);
      const open = await lines(
        `SELECT concat_ws(' ', payment_id, id, merchant_id, coalesce(next_try_at, 'infinity')) AS line
          FROM provider_operations WHERE state IN ('open', 'pending', 'unknown') ORDER BY line`,
      );
      expect(open.filter((line) => line.endsWith('infinity'))).toHaveLength(1);
      await migrate(old.url);
      expect(
        await lines(`SELECT concat_ws(' ', subject_id, part, owner_id, due_at) AS line FROM due_work
          WHERE kind = 'operation' ORDER BY line`),
      ).toEqual(open);
    } finally {
      await old.drop();
    }
  });

  it('copy_next_try_at follows what their process records, schedules, stops and closes', async () => {
    const id = await oldOperation(payment);
    expect(await workOf(payment)).toEqual([`${id} 7 due`]);
    const set = (fields: string) => sql(`UPDATE provider_operations SET ${fields} WHERE payment_id = $1`, [payment]);
    await set(`next_try_at = 'now'::timestamptz + interval '1 hour'`);
    expect(await sql('SELECT FROM due_work WHERE subject_id = $1 AND due_at > now()', [payment])).toHaveLength(1);
    await set(`state = 'unknown', next_try_at = NULL`);
    expect(await workOf(payment)).toEqual([`${id} 7 stopped`]);
    await set('next_try_at = now()');
    await set(`state = 'confirmed', next_try_at = NULL`);
    expect(await workOf(payment)).toEqual([]);
  });

  it('CLAIM_DUE claims them from the workers of that version, too', async () => {
    const id = await oldOperation(payment);
    expect(await run(CLAIM_DUE, [[payment], [id], 60_000])).toMatchObject([{ id, tries: 2 }]);
    expect(await run(CLAIM_DUE, [[payment], [id], 60_000])).toEqual([]);
    const later = 'SELECT FROM provider_operations WHERE payment_id = $1 AND next_try_at > now()';
    expect(await sql(later, [payment])).toHaveLength(1);
  });

  it('CLAIM_DUE ends the work of one that their process has closed', async () => {
    const id = await oldOperation(payment);
    await sql(`UPDATE provider_operations SET state = 'confirmed' WHERE payment_id = $1`, [payment]);
    const due = await run<{ payment_id: number }>(LIST_DUE, [new Date(0), 100]);
    expect(due.filter((row) => row.payment_id === payment)).toMatchObject([{ id, shop_id: 1, provider: 'sandbox' }]);
    expect(await run(CLAIM_DUE, [[payment], [id], 60_000])).toEqual([]);
    expect(await workOf(payment)).toEqual([]);
  });
});

describe('an operation', () => {
  const open: Record<string, (payment: number, key: string) => Promise<{ id: number }[]>> = {
    void: (payment, key) =>
      run(INSERT_REVERSAL, [payment, 1, 'void', 'cancel_requested', key, 1, 60_000, null, null, null]),
    capture: (payment, key) =>
      run(INSERT_FOR_CHARGE, [payment, 1, 'capture', 'capture_requested', key, 1, 60_000, '5', null, null]),
  };

  it.each(Object.keys(open))(
    'INSERT_REVERSAL and INSERT_FOR_CHARGE give it work until it ends, once per attempt until it is refused: %s',
    async (kind) => {
      const payment = await aPayment();
      for (let round = 1; round <= 3; round++) {
        const [{ id } = { id: 0 }] = await open[kind]!(payment, `k${round}`);
        expect(await workOf(payment)).toEqual([`${id} 1 due`]);
        expect(await open[kind]!(payment, 'again')).toEqual([]);
        expect(await refuse(payment, id, `k${round}`)).toHaveLength(1);
        expect(await workOf(payment)).toEqual([]);
      }
      const attempts = `SELECT coalesce(attempt, charge_attempt, earlier_attempt)::int AS attempt FROM provider_operations
      WHERE payment_id = $1`;
      expect(await sql(attempts, [payment])).toEqual([{ attempt: 1 }, { attempt: 1 }, { attempt: 1 }]);
    },
  );

  it('CLAIM_DUE gives it to one of four workers', async () => {
    const payment = await aPayment();
    const [{ id } = { id: 0 }] = await open.void!(payment, 'k');
    await sql('UPDATE due_work SET due_at = now() WHERE subject_id = $1', [payment]);
    const claims = await Promise.all([1, 2, 3, 4].map(() => run(CLAIM_DUE, [[payment], [id], 60_000])));
    expect(claims.flat()).toHaveLength(1);
  });

  it('RECORD_OPERATION writes no index entry: no index has a column that an answer changes', async () => {
    const indexes = await sql<{ definition: string }>(
      `SELECT indexdef AS definition FROM pg_indexes WHERE tablename = 'provider_operations'`,
    );
    expect(indexes).not.toEqual([]);
    const changed =
      /\b(state|last_answer|reason|updated_at|tries|key_calls|sealed_payment_token|provider_operation_id)\b/;
    expect(indexes.filter(({ definition }) => changed.test(definition))).toEqual([]);
  });
});
