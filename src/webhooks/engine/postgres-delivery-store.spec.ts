import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import { PostgresDeliveryStore } from './postgres-delivery-store.js';

const CLAIM = { laneId: 1, quota: 10, maxBytes: 1_000, withSuccessors: true };
const row = (id: number) => ({ id, shop_id: 1, lane_id: 1, payment_id: 7, request_body: '{}', due_at: 1, attempts: 0 });

/** Only results that need a race between two sessions. test/integration/webhooks tests the store with PostgreSQL. */
describe('PostgresDeliveryStore', () => {
  it('returns the predecessor of a change even if another worker has claimed that one during the statement', async () => {
    const once = { clock: 1, secrets: [{ shop_id: 1, current: 's', previous: null }] };
    const answer = [{ ...row(2), ...once, units: [[1, 2]] }];
    const database = { query: () => Promise.resolve(answer) } as unknown as Database;
    const [claimed] = await new PostgresDeliveryStore(database).claim([CLAIM], 5_000);
    expect(claimed).toMatchObject({ id: 2, predecessor_id: 1 });
  });
});
