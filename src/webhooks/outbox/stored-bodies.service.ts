import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { FIND_STORED_BODIES } from './outbox.queries.js';

/** The change that a webhook reports. A payment has each status at most once. */
export interface ReportedChange {
  paymentId: number;
  status: string;
}

interface StoredBodyRow {
  payment_id: number;
  payment_status: string;
  /** Empty if the body was erased or its partition was dropped. */
  request_body: string;
}

/** Reads the bodies of pending and finished webhooks by the change that they report. */
@Injectable()
export class StoredBodies {
  constructor(private readonly database: Database) {}

  /** Returns the exact body for each change, in their order; `null` if there is none or it was deleted. */
  async find(changes: ReportedChange[]): Promise<(string | null)[]> {
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

const keyOf = ({ paymentId, status }: ReportedChange): string => `${paymentId} ${status}`;
