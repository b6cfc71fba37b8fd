import type { Statement } from '../../platform/database/database.js';
import { type DeliveryRow, ENDED, PENDING } from './delivery-views.queries.js';
import { SHOPS } from '../../shared/relations.js';

/**
 * Shops of the merchant $1 that have ever sent to the origin $2; all shops if a standing endpoint had that origin. Lanes are
 * never deleted.
 */
export const LIST_SHOP_IDS_OF_ORIGIN: Statement = {
  name: 'webhooks.list_shop_ids_of_origin',
  text: `SELECT s.id FROM ${SHOPS} s
    WHERE s.merchant_id = $1 AND (EXISTS (SELECT FROM webhook_lanes l WHERE l.shop_id = s.id AND l.origin = $2)
      OR (SELECT count(*) > 0 FROM webhook_endpoints e JOIN webhook_lanes l ON l.endpoint_id = e.id
        WHERE e.merchant_id = $1 AND l.origin = $2))
    ORDER BY s.id`,
};

/** The column that the deliveries of a stream have in common, besides their status. */
const OWNERS = {
  shop: { column: 'shop_id', condition: 'true' },
  endpoint: { column: 'endpoint_id', condition: 'endpoint_id <> 0' },
  /** A merchant's deliveries of no shop. */
  merchant: { column: 'merchant_id', condition: 'shop_id IS NULL' },
};
type Owner = keyof typeof OWNERS;

/**
 * Selects the newest deliveries of a `stream`: one owner and one status. A delivery is in only one of the two tables. The
 * query compares and orders by all columns of the index. Otherwise the planner may use the primary key for the order and
 * read the deliveries of all merchants.
 */
function newest(owner: Owner, pending: string, ended: string, below: string, limit: string): string {
  const { column, condition } = OWNERS[owner];
  return `(SELECT ${pending} FROM pending_deliveries
        WHERE stream.status = 'pending' AND (${column}, id) < (stream.owner, ${below}) AND (${column}, id) >= (stream.owner, $4)
          AND ${condition}
        ORDER BY ${column} DESC, id DESC LIMIT ${limit})
      UNION ALL
      (SELECT ${ended} FROM webhook_deliveries
        WHERE (${column}, status, id) < (stream.owner, stream.status, ${below})
          AND (${column}, status, id) >= (stream.owner, stream.status, $4) AND ${condition}
        ORDER BY ${column} DESC, status DESC, id DESC LIMIT ${limit})`;
}

/** A row of LIST_DELIVERIES. If nothing matches, there is one row with `id: null`. */
export type ListedRow = (DeliveryRow | { id: null }) & {
  /** The result is complete down to this id; `null`: complete for all ids. */
  complete_down_to: number | null;
};

/**
 * One step through the deliveries of some owners, newest first: $2 statuses, $3 id to stay below, $4 lowest id, $5 wanted
 * rows, $6 rows to read per owner and status, $7 from, $8 to, $9 address or `null`. `owners`: the parameter with the ids
 * of each kind of owner. `condition`: on the rows.
 * One index has each owner's deliveries of one status in order: a stream. The query reads the head of every stream, and
 * more rows only of the $5 streams with the newest heads: no other stream can be part of the result. The number of rows
 * read depends on $5, $6 and the number of owners, not on the number of deliveries. The result is complete down to the
 * newest id that was not read.
 */
const listOf = (owners: Partial<Record<Owner, string>>, condition: string): string => {
  const kinds = Object.entries(owners) as [Owner, string][];
  const heads = kinds.map(
    ([kind, ids]) => `SELECT '${kind}' AS kind, stream.owner, stream.status, head.id
      FROM (SELECT owner, status FROM unnest(${ids}::bigint[]) a (owner) CROSS JOIN unnest($2::text[]) b (status)) stream
      CROSS JOIN LATERAL (${newest(kind, 'id', 'id', '$3', '1')}) head`,
  );
  const rows = kinds.map(
    ([kind]) => `SELECT rows.*, stream.id AS head
      FROM (SELECT * FROM heads ORDER BY id DESC LIMIT $5) stream
      CROSS JOIN LATERAL (${newest(kind, `${PENDING}, lane_id`, `${ENDED}, lane_id`, 'stream.id + 1', '$6')}) rows
      WHERE stream.kind = '${kind}'`,
  );
  return `WITH heads AS MATERIALIZED (
      SELECT * FROM (${heads.join(' UNION ALL ')}) h ORDER BY id DESC LIMIT $5::bigint + 1
    ), scanned AS MATERIALIZED (${rows.join(' UNION ALL ')}), seen AS (
      SELECT max(down_to) AS complete_down_to FROM (
        SELECT min(id) AS down_to FROM scanned GROUP BY head HAVING count(*) >= $6
        UNION ALL
        (SELECT id + 1 FROM heads ORDER BY id DESC OFFSET $5)
      ) bounds
    )
    SELECT seen.complete_down_to, found.* FROM seen LEFT JOIN LATERAL (
      SELECT * FROM scanned
      WHERE id >= coalesce(seen.complete_down_to, 0) AND created_at >= $7::timestamptz AND created_at < $8::timestamptz
        AND ($9::text IS NULL OR webhook_endpoint = $9) AND ${condition}
      ORDER BY id DESC LIMIT $5) found ON true
    ORDER BY found.id DESC`;
};

/** The deliveries of the shops $1, and those of no shop of the merchants $10; $11: only of this lane, or `null`. */
export const LIST_DELIVERIES: Statement = {
  name: 'webhooks.list_deliveries',
  text: listOf({ shop: '$1', merchant: '$10' }, '($11::bigint IS NULL OR lane_id = $11)'),
};

/** The deliveries to the standing endpoints $1; $10: only of this shop, or `null`. */
export const LIST_ENDPOINT_DELIVERIES: Statement = {
  name: 'webhooks.list_endpoint_deliveries',
  text: listOf({ endpoint: '$1' }, '($10::bigint IS NULL OR shop_id = $10)'),
};

/**
 * Deliveries of one payment: $1 merchant, $2 payment, $3 statuses, $4 id to stay below, $5 limit, $6 shop or `null`, $7
 * from, $8 to, $9 address or `null`, $10 endpoint of either kind or `null`.
 */
export const LIST_PAYMENT_DELIVERIES: Statement = {
  name: 'webhooks.list_payment_deliveries',
  text: `SELECT page.* FROM (
      SELECT ${PENDING}, merchant_id, lane_id FROM pending_deliveries WHERE payment_id = $2
      UNION ALL
      SELECT ${ENDED}, merchant_id, lane_id FROM webhook_deliveries WHERE payment_id = $2
    ) page
    WHERE page.merchant_id = $1 AND page.status = ANY ($3::text[]) AND page.id < $4 AND ($6::bigint IS NULL OR page.shop_id = $6)
      AND page.created_at >= $7::timestamptz AND page.created_at < $8::timestamptz
      AND ($9::text IS NULL OR page.webhook_endpoint = $9)
      AND ($10::bigint IS NULL OR coalesce(page.endpoint_id, page.lane_id) = $10)
    ORDER BY page.id DESC LIMIT $5`,
};
