import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { FIND_STORED_BODIES } from './outbox.queries.js';

/** What a webhook tells of: a payment has each status once at most. */
export interface ToldChange {
  paymentId: number;
  status: string;
}

interface StoredBodyRow {
  payment_id: number;
  payment_status: string;
  /** Empty when it was erased, or went with its partition. */
  request_body: string;
}

/** Reads the bodies of webhooks by what they tell of, whether they are still to be sent or were sent long ago. */
@Injectable()
export class StoredBodies {
  constructor(private readonly database: Database) {}

  /** One per change, in their order, byte for byte as it was sent; `null` where there is none, or none any more. */
  async find(changes: ToldChange[]): Promise<(string | null)[]> {
    const distinct = [...new Map(changes.map((change) => [keyOf(change), change])).values()];
    const rows = await this.database.query<StoredBodyRow>(FIND_STORED_BODIES, [
      distinct.map(({ paymentId }) => paymentId),
      distinct.map(({ status }) => status),
    ]);
    const bodies = new Map(
      rows.map((row) => [keyOf({ paymentId: row.payment_id, status: row.payment_status }), row.request_body]),
    );
    return changes.map((change) => bodies.get(keyOf(change)) || null);
  }
}

const keyOf = ({ paymentId, status }: ToldChange): string => `${paymentId} ${status}`;
