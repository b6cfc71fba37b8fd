import type { Statement } from '../platform/database/database.js';

/** A place among a flow's payments, which are in the order of their creation. */
export interface PaymentPosition {
  created_at: Date;
  id: number;
}

/** The newest payment that is beyond the limit, if there is one: $1 flow, $2 from, $3 before, $4 limit. */
export const LAST_PAYMENT_LEFT_OUT: Statement = {
  name: 'last_payment_left_out',
  text: `
    SELECT created_at, id FROM payments
    WHERE flow_id = $1 AND created_at >= $2 AND created_at < $3
    ORDER BY created_at DESC, id DESC OFFSET $4 LIMIT 1`,
};

/**
 * A batch of past payments with what their decisions were made with: $1 flow, $2 and $3 the position to start behind,
 * $4 before, $5 how many. A payment from before decisions were kept tells its shop alone.
 */
export const pastPayments = ({ withMetadata }: { withMetadata: boolean }): Statement => ({
  name: `past_payments${withMetadata ? '_with_metadata' : ''}`,
  text: `
    SELECT p.id, p.created_at, p.amount::float8 AS amount, p.currency, p.country,
      CASE WHEN p.decision IS NULL THEN p.customer_id ELSE d.customer_id END AS customer_id,
      ${withMetadata ? 'p.metadata' : 'NULL AS metadata'}, coalesce(d.picked, p.shop_id) AS picked,
      (d.reasoning ->> 'counter')::bigint AS counter, (d.reasoning ->> 'draw')::float8 AS draw
    FROM payments p
    LEFT JOIN LATERAL json_to_record(p.decision) AS d (picked bigint, customer_id bigint, reasoning json) ON true
    WHERE p.flow_id = $1 AND (p.created_at, p.id) > ($2, $3) AND p.created_at < $4
    ORDER BY p.created_at, p.id LIMIT $5`,
});
