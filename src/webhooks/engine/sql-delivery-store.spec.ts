import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import { SqlDeliveryStore } from './sql-delivery-store.js';

const CLAIM = { laneId: 1, quota: 10, maxBytes: 1_000, withNext: true };
const row = (id: number) => ({ id, shop_id: 1, lane_id: 1, payment_id: 7, request_body: '{}', due_at: 1, attempts: 0 });

/** What PostgreSQL answers is tried in test/integration/webhooks; here are answers that take two sessions and luck. */
describe('SqlDeliveryStore', () => {
  it('knows of a next change what it follows, also when that was taken by somebody else since the statement began', async () => {
    const ofStatement = { clock: 1, secrets: [{ shop_id: 1, current: 's', previous: null }] };
    const answer = [{ ...row(2), ...ofStatement, firsts: [1], nexts: [2] }];
    const database = { query: () => Promise.resolve(answer) } as unknown as Database;
    const [claimed] = await new SqlDeliveryStore(database).claim([CLAIM], 5_000);
    expect(claimed).toMatchObject({ id: 2, follows: 1 });
  });
});
