import { jest } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../../src/schema/upgrade/migrate.js';
import type { TestDatabase } from '../servers/database.js';

type Send = (this: pg.Client, ...args: unknown[]) => unknown;
const send = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'query')!.value as Send;

interface Connection {
  connection: { stream: { destroy(): void } };
}

/**
 * Closes the connection of the migrations right after each of their statements that `isPlace` accepts, once per
 * statement, as the death of the process does: PostgreSQL executes the statement, and its result is lost. Returns the
 * number of interruptions.
 */
export async function dieAtStatements(url: string, isPlace = (_text: string) => true): Promise<number> {
  const survived = new Set<string>();
  let worker: pg.Client | undefined;
  let before = '';
  const intercept = (client: pg.Client, args: unknown[]) => {
    // random values come later in the text
    const text = String(args[0]).slice(0, 100);
    if (text.includes('pg_backend_pid')) worker = client;
    const place = `${before}|${text}`;
    const result = send.apply(client, args);
    if (client !== worker) return result;
    before = text;
    if (survived.has(place) || !isPlace(text)) return result;
    survived.add(place);
    (client as unknown as Connection).connection.stream.destroy();
    return result;
  };
  const spy = jest.spyOn(pg.Client.prototype, 'query') as unknown as jest.SpiedFunction<Send>;
  spy.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    return intercept(this, args);
  });
  try {
    for (let died = -1; died < survived.size;) {
      died = survived.size;
      [worker, before] = [undefined, ''];
      await migrate(url).catch(() => undefined);
    }
    return survived.size;
  } finally {
    spy.mockRestore();
  }
}

const AMOUNTS = 'SELECT id, amount_authorized, amount_captured, amount_refunded FROM payments ORDER BY id';

const OPERATIONS = `SELECT payment_id, id, kind, state, attempt, charge_attempt, earlier_attempt FROM provider_operations
  ORDER BY payment_id, id`;
const WORK = `SELECT kind, subject_id, part, owner_id, isfinite(due_at) AS is_due FROM due_work ORDER BY 1, 2, 3`;

/** Contents that must be equal in both databases, without random ids and secrets. */
export const contentsOf = async ({ pool }: TestDatabase) => ({
  deliveries: (await pool.query('SELECT id, status, attempts, request_body FROM all_deliveries ORDER BY id')).rows,
  operations: (await pool.query(OPERATIONS)).rows,
  work: (await pool.query(WORK)).rows,
  keys: (await pool.query('SELECT client_id, key, merchant_id FROM idempotency_keys ORDER BY 1, 2')).rows,
  amounts: (await pool.query(AMOUNTS)).rows,
  scopes: (await pool.query('SELECT client_id, scopes FROM api_clients ORDER BY client_id')).rows,
  installations: (await pool.query('SELECT FROM event_log')).rowCount,
  invalid: (await pool.query('SELECT FROM pg_index WHERE NOT indisvalid')).rowCount,
  migrations: (await pool.query('SELECT name FROM migrations ORDER BY name')).rows,
});
