import type { Statement } from '../../platform/database/database.js';
import { ERASED_BODY } from './delivery-views.queries.js';

/**
 * Blanks deliveries that have ended: $1 payments. Of the address, where query and path may name the customer, the origin
 * stays. One that is being retried at this moment is left alone.
 */
export const ERASE_DELIVERIES: Statement = {
  name: 'webhooks.erase_deliveries',
  text: `WITH ended AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
      WHERE payment_id = ANY ($1::bigint[]) AND status <> 'pending' AND request_body <> '${ERASED_BODY}'
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries SET request_body = '${ERASED_BODY}',
      webhook_endpoint = coalesce(substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+'), '')
    WHERE id = ANY (ARRAY(SELECT id FROM ended))`,
};

/** Blanks what receivers answered: $1 payments. */
export const ERASE_ANSWERS: Statement = {
  name: 'webhooks.erase_answers',
  text: `UPDATE webhook_attempts SET response_body = NULL
    WHERE delivery_id = ANY (ARRAY(SELECT id FROM webhook_deliveries WHERE payment_id = ANY ($1::bigint[])))
      AND response_body IS NOT NULL`,
};

/** $1 payments → how many deliveries still hold a body. */
export const COUNT_BODIES: Statement = {
  name: 'webhooks.count_bodies',
  text: `SELECT count(*)::int AS bodies FROM webhook_deliveries
    WHERE payment_id = ANY ($1::bigint[]) AND request_body <> '${ERASED_BODY}'`,
};
