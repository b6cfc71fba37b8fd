import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

/** The insert of a delivery in processes of commit 12e2b7b: $1 status, $2 body. */
const OLD_APPEND = `INSERT INTO webhook_deliveries (merchant_id, shop_id, lane_id, payment_id, event, payment_status,
    webhook_endpoint, request_body, status, attempts, next_attempt_at)
  VALUES (1, 1, 1, 1, 'payment.status_changed', 'completed', 'https://shop.example/', $2, $1,
    CASE $1 WHEN 'pending' THEN 0 ELSE 4 END, CASE $1 WHEN 'pending' THEN statement_timestamp() END)`;

/** The retry of a delivery in these processes: $1 delivery. */
const OLD_RETRY = `UPDATE webhook_deliveries SET status = 'pending', attempts_in_run = 0, claimed_until = '-infinity',
    delivered_at = NULL, next_attempt_at = date_trunc('milliseconds', statement_timestamp())
  WHERE id = $1 AND status <> 'pending' AND request_body <> '' RETURNING id`;

describe('deliveries from processes of an old version', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const all = async (): Promise<object[]> =>
    (await database.pool.query<object>('SELECT status, attempts, request_body FROM all_deliveries ORDER BY id')).rows;
  const ended = async (): Promise<{ id: number }[]> =>
    (await database.pool.query<{ id: number }>('SELECT id FROM webhook_deliveries ORDER BY id')).rows;

  it('become pending in the queue of new workers, with their body', async () => {
    await database.pool.query(OLD_APPEND, ['pending', 'a body']);
    expect(await ended()).toEqual([]);
    expect(await all()).toEqual([{ status: 'pending', attempts: 0, request_body: 'a body' }]);
  });

  it('become pending there again after an old process retries one', async () => {
    for (const body of ['one', 'two']) await database.pool.query(OLD_APPEND, ['failed', body]);
    const [first, second] = await ended();
    expect((await database.pool.query(OLD_RETRY, [first!.id])).rows).toEqual([first]);
    expect(await ended()).toEqual([second]);
    expect(await all()).toEqual([
      { status: 'pending', attempts: 4, request_body: 'one' },
      { status: 'failed', attempts: 4, request_body: 'two' },
    ]);
  });
});
