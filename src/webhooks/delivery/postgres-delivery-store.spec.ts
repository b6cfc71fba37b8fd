import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import { PostgresDeliveryStore } from './postgres-delivery-store.js';

const CLAIM = { laneId: 1, quota: 10, maxBytes: 1_000, withSuccessors: true };
const row = (id: number) => ({ id, shop_id: 1, lane_id: 1, payment_id: 7, request_body: '{}', due_at: 1, attempts: 0 });

/** What PostgreSQL answers is tried in test/integration/webhooks; here are answers that take two sessions and luck. */
describe('PostgresDeliveryStore', () => {
  it('knows which delivery a change follows, also when another worker has taken that one since the statement began', async () => {
    const ofStatement = { clock: 1, secrets: [{ shop_id: 1, current: 's', previous: null }] };
    const answer = [{ ...row(2), ...ofStatement, units: [[1, 2]] }];
    const database = { query: () => Promise.resolve(answer) } as unknown as Database;
    const [claimed] = await new PostgresDeliveryStore(database).claim([CLAIM], 5_000);
    expect(claimed).toMatchObject({ id: 2, predecessor_id: 1 });
  });
});
