import type { Statement } from '../../platform/database/database.js';
import { ERASED_BODY } from './delivery-views.queries.js';

/** Whether a delivery has a body: in `webhook_bodies`, or in its own row, where an earlier version stored it. */
const HAS_BODY = `coalesce(body_bytes, octet_length(request_body)) > 0`;

/**
 * Redacts finished deliveries of the payments $1. Only the origin of the address stays, because its path and query may
 * identify the customer. A delivery that is being retried concurrently is skipped. A body that this or a pending delivery
 * shares is kept: the erasure is repeated until none is pending. A redelivery leaves copies of a body in the partitions of
 * other days.
 */
export const ERASE_DELIVERIES: Statement = {
  name: 'webhooks.erase_deliveries',
  text: `WITH ended AS MATERIALIZED (
      SELECT id, body_id FROM webhook_deliveries
      WHERE payment_id = ANY ($1::bigint[]) AND status <> 'pending' AND ${HAS_BODY}
      FOR UPDATE SKIP LOCKED
    ), kept AS MATERIALIZED (
      SELECT coalesce(body_id, id) AS body_id, body_day FROM pending_deliveries WHERE payment_id = ANY ($1::bigint[])
      UNION ALL
      SELECT coalesce(body_id, id), body_day FROM webhook_deliveries
      WHERE payment_id = ANY ($1::bigint[]) AND ${HAS_BODY} AND id <> ALL (ARRAY(SELECT id FROM ended))
    ), bodies AS (
      UPDATE webhook_bodies b SET body = '${ERASED_BODY}'
      WHERE b.delivery_id = ANY (ARRAY(SELECT id FROM ended UNION SELECT body_id FROM ended WHERE body_id IS NOT NULL))
        AND NOT EXISTS (SELECT FROM kept k WHERE k.body_id = b.delivery_id AND k.body_day = b.day)
    )
    UPDATE webhook_deliveries SET body_bytes = 0,
      request_body = CASE WHEN request_body IS NOT NULL THEN '${ERASED_BODY}' END,
      webhook_endpoint = coalesce(substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+'), '')
    WHERE id = ANY (ARRAY(SELECT id FROM ended))`,
};

/** Deletes the receivers' answers for the payments $1. */
export const ERASE_ANSWERS: Statement = {
  name: 'webhooks.erase_answers',
  text: `UPDATE webhook_attempts SET response_body = NULL
    WHERE delivery_id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries WHERE payment_id = ANY ($1::bigint[])
        UNION ALL SELECT id FROM pending_deliveries WHERE payment_id = ANY ($1::bigint[])))
      AND response_body IS NOT NULL`,
};

/** Number of deliveries of the payments $1 that still have a body. */
export const COUNT_BODIES: Statement = {
  name: 'webhooks.count_bodies',
  text: `SELECT ((SELECT count(*) FROM pending_deliveries WHERE payment_id = ANY ($1::bigint[]))
      + (SELECT count(*) FROM webhook_deliveries WHERE payment_id = ANY ($1::bigint[]) AND ${HAS_BODY}))::int AS bodies`,
};
