// What other features put into a statement of their own, so that what must commit together is one statement.

/**
 * Inserts deliveries from a relation with `merchant_id, shop_id, lane_id, payment_id, event, payment_status,
 * webhook_endpoint, request_body` and their `position`, in whose order the ids grow. Whoever locks the payments first
 * makes ids grow in the order of the changes. Whole milliseconds, rounded down: rounded up, a delivery would not be due
 * yet when its wake-up comes.
 */
export const insertDeliveriesFrom = (relation: string): string =>
  `INSERT INTO webhook_deliveries (merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
      request_body, created_at, next_attempt_at)
    SELECT n.merchant_id, n.shop_id, n.lane_id, n.payment_id, n.event, n.payment_status, n.webhook_endpoint, n.request_body,
      date_trunc('milliseconds', statement_timestamp()), date_trunc('milliseconds', statement_timestamp())
    FROM ${relation} n ORDER BY n.position`;

/**
 * Counts new payments for their shops, from a relation with `shop_id, webhook_endpoint`; `slot`: an expression for one
 * of `ShopCountersService.slot`. Always in the order of the shops, so that two never wait for each other.
 */
export const countPaymentsFrom = (relation: string, slot: string): string =>
  `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT shop_id, ${slot}, count(*), count(webhook_endpoint) FROM ${relation} GROUP BY shop_id ORDER BY shop_id
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`;
