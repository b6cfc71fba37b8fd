import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { endEarlierOperations, recover } from '../../support/app/recovery-harness.js';
import { compareLedgers, readLedgers } from '../../support/ledger/ledger.js';
import { DyingRequests } from '../../support/model/dying-requests.js';
import { MONEY_REQUESTS, type MoneyRequest } from '../../support/model/killed-requests.js';

// test/long/kill-money.spec.ts kills the process, at more steps of all requests, of recovery and of expiry

/** Every fifth statement; the first one differs by request. */
const EVERY = 5;
const REQUESTS = [
  'charge, approved',
  'failover to another account, with its own token',
  'refund under a key',
  'capture of a part',
  'void of an authorisation',
  'notification of a success',
];

let api: TestApi;
let merchant: Merchant;
let dying: DyingRequests;

beforeAll(async () => {
  api = await sharedApi();
  await endEarlierOperations(api);
  merchant = new Merchant(await api.login());
  dying = new DyingRequests(api);
});
afterAll(async () => {
  dying.restore();
  await api.stop();
});

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];

const paymentsAfter = async (id: number): Promise<number[]> =>
  (await sql<{ id: number }>('SELECT id FROM payments WHERE id > $1', [id])).map((row) => row.id);
const lastPayment = async (): Promise<number> =>
  (await sql<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM payments'))[0]!.id;
const unlock = (requests: MoneyRequest[]) =>
  sql(
    `UPDATE idempotency_keys SET locked_until = now() - interval '1 s' WHERE response_body IS NULL AND key = ANY ($1)`,
    [requests.flatMap(({ headers }) => headers['idempotency-key'] ?? [])],
  );

describe('requests that die between two statements', () => {
  it.each(REQUESTS)('%s: agrees with the provider when recovered and repeated, in either order', async (name) => {
    const before = await lastPayment();
    const dead: MoneyRequest[] = [];
    for (let at = 1 + (REQUESTS.indexOf(name) % EVERY); ; at += EVERY) {
      const request = await MONEY_REQUESTS[name]!(merchant, sql);
      if (!(await dying.dieAt(at, merchant, request))) break;
      dead.push(request);
    }
    expect(dead).not.toEqual([]);
    await unlock(dead);
    for (const isRepeatedFirst of [true, false]) {
      for (const { path, body, headers } of dead.filter((_, index) => (index % 2 === 0) === isRepeatedFirst)) {
        dataOf(await merchant.api.post(path, body, headers));
      }
      await recover(api, await paymentsAfter(before), 1);
    }
    const { disagreements } = compareLedgers(await readLedgers(sql, await paymentsAfter(before)));
    expect(disagreements.map(({ kind, text }) => `${kind}\n${text}`)).toEqual([]);
  });
});
