import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { DISORDER_MS, firstIdSince } from '../../platform/database/first-id-since.js';
import { Problem } from '../../shared/problem.js';
import type { DeliveryId } from './delivery-id-param.js';
import { DELIVERIES_IN_TIME, FIND_BY_WEBHOOK_ID } from './delivery-ids.queries.js';

/**
 * Finds deliveries by what receivers know of them. A webhook-id is in no table and no index: it tells the millisecond in
 * which its delivery was made, and of the deliveries made about then one has that id.
 */
@Injectable()
export class DeliveryIds {
  constructor(private readonly database: Database) {}

  /** Throws `delivery_not_found`, also for another merchant's. */
  async resolve(merchantId: number, given: DeliveryId): Promise<number> {
    if (typeof given === 'number') return given;
    const at = createdAt(given);
    const since = (ms: number): Promise<number> => firstIdSince(this.database, DELIVERIES_IN_TIME, new Date(at + ms));
    const span = [await since(-DISORDER_MS), await since(DISORDER_MS), new Date(at), new Date(at + 1)];
    const [row] = await this.database.query<{ id: number }>(FIND_BY_WEBHOOK_ID, [given, merchantId, ...span]);
    if (!row) throw new Problem('delivery_not_found');
    return row.id;
  }
}

/** A UUIDv7 begins with its millisecond, 12 hexadecimal digits (RFC 9562, 5.7). */
const createdAt = (id: `whd_${string}`): number => parseInt(id.slice(4).replace('-', '').slice(0, 12), 16);
