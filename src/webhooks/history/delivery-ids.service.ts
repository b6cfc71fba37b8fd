import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { DISORDER_MS, firstIdSince } from '../../platform/database/first-id-since.js';
import { Problem } from '../../shared/problem.js';
import type { DeliveryId } from './delivery-id-param.js';
import { DELIVERIES_IN_TIME, FIND_BY_WEBHOOK_ID } from './delivery-ids.queries.js';

/**
 * Finds deliveries by their webhook-id. It is in no table and no index, but contains the millisecond in which the delivery
 * was created. So the search reads only deliveries that were created about then.
 */
@Injectable()
export class DeliveryIds {
  constructor(private readonly database: Database) {}

  /** Returns the id. Throws `delivery_not_found`, also for another merchant's delivery. */
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

/** Reads the time of a UUIDv7, its first 12 hexadecimal digits, in milliseconds (RFC 9562, 5.7). */
const createdAt = (id: `whd_${string}`): number => parseInt(id.slice(4).replace('-', '').slice(0, 12), 16);
