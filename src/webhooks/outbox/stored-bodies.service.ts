import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { FIND_STORED_BODIES } from './outbox.queries.js';

/** The change that a webhook reports. A payment has each status once, or again after a refund that failed late. */
export interface ReportedChange {
  paymentId: number;
  status: string;
  at: Date;
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
    const bodies = new Map<string, StoredBodyRow[]>();
    for (const row of rows) {
      const key = keyOf({ paymentId: row.payment_id, status: row.payment_status });
      bodies.set(key, [...(bodies.get(key) ?? []), row]);
    }
    return changes.map((change) => bodyOf(change, bodies.get(keyOf(change)) ?? []) || null);
  }
}

/** The body of the change among those for its status. */
function bodyOf({ at }: ReportedChange, bodies: readonly StoredBodyRow[]): string | undefined {
  const time = `"timestamp":"${at.toISOString()}"`;
  const found = bodies.length > 1 ? bodies.find(({ request_body: body }) => body.includes(time)) : bodies[0];
  return found?.request_body;
}

const keyOf = ({ paymentId, status }: Pick<ReportedChange, 'paymentId' | 'status'>): string => `${paymentId} ${status}`;
