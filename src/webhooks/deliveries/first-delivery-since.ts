import type { Queryable } from '../../platform/database/database.js';
import { FIRST_DELIVERY_FROM, LAST_DELIVERY_ID } from './delivery-views.queries.js';

/**
 * The id from which on deliveries were created at `time` or later, give or take those that took their id earlier than
 * others and their time later. A binary search over ids: an index on times, used by little else, would burden every
 * delivery.
 */
export async function firstDeliverySince(database: Queryable, time: Date): Promise<number> {
  const [newest] = await database.query<{ id: number }>(LAST_DELIVERY_ID);
  let low = 1;
  let high = newest!.id + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await database.query<{ id: number; created_at: Date }>(FIRST_DELIVERY_FROM, [middle]);
    if (row && row.created_at < time) low = row.id + 1;
    else high = middle;
  }
  return low;
}
