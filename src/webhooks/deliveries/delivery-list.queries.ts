import type { Statement } from '../../platform/database/database.js';
import { type DeliveryRow, ENDED, PENDING } from './delivery-views.queries.js';

/** $1 merchant, $2 origin → the shops of the merchant's that have ever sent to it: lanes are never deleted. */
export const LIST_SHOP_IDS_OF_ORIGIN: Statement = {
  name: 'webhooks.list_shop_ids_of_origin',
  text: `SELECT s.id FROM shops s JOIN webhook_lanes l ON l.shop_id = s.id AND l.origin = $2
    WHERE s.merchant_id = $1 ORDER BY s.id`,
};

/**
 * The newest of `stream`, one shop's with one status: a delivery is in one of the tables at any moment. Compared and ordered by
 * all columns of the index: of a shop that is given, the planner may take the primary key for the order and walk through
 * everybody's deliveries.
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

/** A row of LIST_DELIVERIES; with `id: null` when there is none, for what was looked at. */
export type ListedRow = (DeliveryRow | { id: null }) & {
  /** All that match from this id on are in the answer; `null`: there are no others. */
  looked_down_to: number | null;
};

/**
 * A step through the deliveries of some shops, newest first: $1 shops, $2 statuses, $3 id to stay below, $4 lowest id, $5 how
 * many rows are wanted, $6 rows to look at of each shop and status, $7 from, $8 to, $9 address or `null`.
 * One index holds each shop's deliveries of one status in order: a stream. Of all streams only the heads are read, and more
 * of the $5 whose heads are newest: no other can be part of the answer. What is read goes by $5, $6 and the number of
 * shops, however many deliveries there are. Complete down to the newest id that was not looked at.
 */
export const LIST_DELIVERIES: Statement = {
  name: 'webhooks.list_deliveries',
  text: `WITH heads AS MATERIALIZED (
      SELECT stream.shop_id, stream.status, head.id
      FROM (SELECT shop_id, status FROM unnest($1::bigint[]) a (shop_id) CROSS JOIN unnest($2::text[]) b (status)) stream
      CROSS JOIN LATERAL (${newest('id', 'id', '$3', '1')}) head
      ORDER BY head.id DESC LIMIT $5::bigint + 1
    ), looked AS MATERIALIZED (
      SELECT rows.*, stream.id AS head
      FROM (SELECT * FROM heads ORDER BY id DESC LIMIT $5) stream
      CROSS JOIN LATERAL (${newest(PENDING, ENDED, 'stream.id + 1', '$6')}) rows
    ), seen AS (
      SELECT max(down_to) AS looked_down_to FROM (
        SELECT min(id) AS down_to FROM looked GROUP BY head HAVING count(*) >= $6
        UNION ALL
        (SELECT id + 1 FROM heads ORDER BY id DESC OFFSET $5)
      ) bounds
    )
    SELECT seen.looked_down_to, found.* FROM seen LEFT JOIN LATERAL (
      SELECT * FROM looked
      WHERE id >= coalesce(seen.looked_down_to, 0) AND created_at >= $7::timestamptz AND created_at < $8::timestamptz
        AND ($9::text IS NULL OR webhook_endpoint = $9)
      ORDER BY id DESC LIMIT $5) found ON true
    ORDER BY found.id DESC`,
};

/**
 * Of one payment: $1 merchant, $2 payment, $3 statuses, $4 id to stay below, $5 limit, $6 shop or `null`, $7 from, $8 to, $9
 * address or `null`.
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
