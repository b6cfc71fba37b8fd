import type { Statement } from '../../platform/database/database.js';
import { ERASED_BODY } from './delivery-views.queries.js';

/** The body of a header is there: beside it, or in it where the version before last wrote it. */
const HAS_BODY = `coalesce(body_bytes, octet_length(request_body)) > 0`;

/**
 * Blanks deliveries that have ended: $1 payments. Of the address, where query and path may name the customer, the origin
 * stays. One that is being retried at this moment is left alone.
 */
export const ERASE_DELIVERIES: Statement = {
  name: 'webhooks.erase_deliveries',
  text: `WITH ended AS MATERIALIZED (
      SELECT id, body_day FROM webhook_deliveries
      WHERE payment_id = ANY ($1::bigint[]) AND status <> 'pending' AND ${HAS_BODY}
      FOR UPDATE SKIP LOCKED
    ), bodies AS (
      UPDATE webhook_bodies b SET body = '${ERASED_BODY}' FROM ended e
      WHERE b.delivery_id = ANY (ARRAY(SELECT id FROM ended)) AND b.delivery_id = e.id AND b.day = e.body_day
    )
    UPDATE webhook_deliveries SET body_bytes = 0,
      request_body = CASE WHEN request_body IS NOT NULL THEN '${ERASED_BODY}' END,
      webhook_endpoint = coalesce(substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+'), '')
    WHERE id = ANY (ARRAY(SELECT id FROM ended))`,
};

/** Blanks what receivers answered: $1 payments. */
export const ERASE_ANSWERS: Statement = {
  name: 'webhooks.erase_answers',
  text: `UPDATE webhook_attempts SET response_body = NULL
    WHERE delivery_id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries WHERE payment_id = ANY ($1::bigint[])
        UNION ALL SELECT id FROM pending_deliveries WHERE payment_id = ANY ($1::bigint[])))
      AND response_body IS NOT NULL`,
};

/** $1 payments → how many deliveries still hold a body. */
export const COUNT_BODIES: Statement = {
  name: 'webhooks.count_bodies',
  text: `SELECT ((SELECT count(*) FROM pending_deliveries WHERE payment_id = ANY ($1::bigint[]))
      + (SELECT count(*) FROM webhook_deliveries WHERE payment_id = ANY ($1::bigint[]) AND ${HAS_BODY}))::int AS bodies`,
};
