import type { Statement } from '../../platform/database/database.js';
import { type DeliveryRow, ENDED, PENDING } from './delivery-views.queries.js';

/** Shops of the merchant $1 that have ever sent to the origin $2. Lanes are never deleted. */
export const LIST_SHOP_IDS_OF_ORIGIN: Statement = {
  name: 'webhooks.list_shop_ids_of_origin',
  text: `SELECT s.id FROM shops s JOIN webhook_lanes l ON l.shop_id = s.id AND l.origin = $2
    WHERE s.merchant_id = $1 ORDER BY s.id`,
};

/**
 * Selects the newest deliveries of a `stream`: one shop and one status. A delivery is in only one of the two tables. The
 * query compares and orders by all columns of the index. Otherwise the planner may use the primary key for the order and
 * read the deliveries of all merchants.
 */
const newest = (pending: string, ended: string, below: string, limit: string): string =>
  `(SELECT ${pending} FROM pending_deliveries
        WHERE stream.status = 'pending' AND (shop_id, id) < (stream.shop_id, ${below}) AND (shop_id, id) >= (stream.shop_id, $4)
        ORDER BY shop_id DESC, id DESC LIMIT ${limit})
      UNION ALL
      (SELECT ${ended} FROM webhook_deliveries
        WHERE (shop_id, status, id) < (stream.shop_id, stream.status, ${below})
          AND (shop_id, status, id) >= (stream.shop_id, stream.status, $4)
        ORDER BY shop_id DESC, status DESC, id DESC LIMIT ${limit})`;

/** A row of LIST_DELIVERIES. If nothing matches, there is one row with `id: null`. */
export type ListedRow = (DeliveryRow | { id: null }) & {
  /** The result is complete down to this id; `null`: complete for all ids. */
  complete_down_to: number | null;
};

/**
 * One step through the deliveries of some shops, newest first: $1 shops, $2 statuses, $3 id to stay below, $4 lowest id, $5
 * wanted rows, $6 rows to read per shop and status, $7 from, $8 to, $9 address or `null`.
 * One index has each shop's deliveries of one status in order: a stream. The query reads the head of every stream, and
 * more rows only of the $5 streams with the newest heads: no other stream can be part of the result. The number of rows
 * read depends on $5, $6 and the number of shops, not on the number of deliveries. The result is complete down to the
 * newest id that was not read.
 */
export const LIST_DELIVERIES: Statement = {
  name: 'webhooks.list_deliveries',
  text: `WITH heads AS MATERIALIZED (
      SELECT stream.shop_id, stream.status, head.id
      FROM (SELECT shop_id, status FROM unnest($1::bigint[]) a (shop_id) CROSS JOIN unnest($2::text[]) b (status)) stream
      CROSS JOIN LATERAL (${newest('id', 'id', '$3', '1')}) head
      ORDER BY head.id DESC LIMIT $5::bigint + 1
    ), scanned AS MATERIALIZED (
      SELECT rows.*, stream.id AS head
      FROM (SELECT * FROM heads ORDER BY id DESC LIMIT $5) stream
      CROSS JOIN LATERAL (${newest(PENDING, ENDED, 'stream.id + 1', '$6')}) rows
    ), seen AS (
      SELECT max(down_to) AS complete_down_to FROM (
        SELECT min(id) AS down_to FROM scanned GROUP BY head HAVING count(*) >= $6
        UNION ALL
        (SELECT id + 1 FROM heads ORDER BY id DESC OFFSET $5)
      ) bounds
    )
    SELECT seen.complete_down_to, found.* FROM seen LEFT JOIN LATERAL (
      SELECT * FROM scanned
      WHERE id >= coalesce(seen.complete_down_to, 0) AND created_at >= $7::timestamptz AND created_at < $8::timestamptz
        AND ($9::text IS NULL OR webhook_endpoint = $9)
      ORDER BY id DESC LIMIT $5) found ON true
    ORDER BY found.id DESC`,
};

/**
 * Deliveries of one payment: $1 merchant, $2 payment, $3 statuses, $4 id to stay below, $5 limit, $6 shop or `null`, $7
 * from, $8 to, $9 address or `null`.
 */
export const LIST_PAYMENT_DELIVERIES: Statement = {
  name: 'webhooks.list_payment_deliveries',
  text: `SELECT page.* FROM (
      SELECT ${PENDING}, merchant_id FROM pending_deliveries WHERE payment_id = $2
      UNION ALL
      SELECT ${ENDED}, merchant_id FROM webhook_deliveries WHERE payment_id = $2
    ) page
    WHERE page.merchant_id = $1 AND page.status = ANY ($3::text[]) AND page.id < $4 AND ($6::bigint IS NULL OR page.shop_id = $6)
      AND page.created_at >= $7::timestamptz AND page.created_at < $8::timestamptz
      AND ($9::text IS NULL OR page.webhook_endpoint = $9)
    ORDER BY page.id DESC LIMIT $5`,
};
