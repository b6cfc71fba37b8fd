import type { TestApi } from '../../support/app/api-app.js';
import { dataErrors } from '../../support/app/event-schemas.js';

export interface WrittenEvent {
  type: string;
  shop_id: number | null;
  payment_id: number | null;
  data: Record<string, unknown>;
}

interface EventQuery {
  type?: string;
  paymentId?: number;
  shopId?: number;
}

/**
 * The rows of `webhook_events`, in the order of readers, without waiting until they are visible to readers. Fails if the
 * catalogue's schema does not accept `data` of one of them.
 */
export async function writtenEvents(api: TestApi, { type, paymentId, shopId }: EventQuery): Promise<WrittenEvent[]> {
  const { rows } = await api.database.pool.query<WrittenEvent>(
    `SELECT type, shop_id, payment_id, data FROM webhook_events
     WHERE ($1::text IS NULL OR type = $1) AND ($2::bigint IS NULL OR payment_id = $2) AND ($3::bigint IS NULL OR shop_id = $3)
     ORDER BY event_position, id`,
    [type ?? null, paymentId ?? null, shopId ?? null],
  );
  for (const row of rows) {
    const errors = dataErrors(row);
    if (errors.length > 0) throw new Error(`${row.type} ${JSON.stringify(row.data)}: ${JSON.stringify(errors)}`);
  }
  return rows;
}
