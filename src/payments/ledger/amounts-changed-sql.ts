/**
 * Selects the `payment.amounts_changed` events of payments whose amounts differ, from a relation with the payment's `id`,
 * `merchant_id`, `shop_id`, `status`, `currency`, `event_position` and amounts after the change, and `was_authorized` and
 * `was_refunded`. A captured amount changes only with the status. `cause` and `refundId` are SQL.
 */
export const amountsChangedFrom = (
  relation: string,
  { cause, refundId }: { cause: string; refundId: string },
): string =>
  `SELECT c.event_position, c.merchant_id, c.shop_id, c.id, 'payment.amounts_changed',
        json_build_object('payment_id', c.id, 'status', c.status, 'currency', c.currency, 'cause', ${cause},
          'refund_id', ${refundId},
          'before', ${amounts('c.was_authorized', 'c.was_refunded')},
          'after', ${amounts('c.amount_authorized', 'c.amount_refunded')})
      FROM ${relation} c WHERE (c.was_authorized, c.was_refunded) <> (c.amount_authorized, c.amount_refunded)`;

const amounts = (authorized: string, refunded: string): string =>
  `json_build_object('amount_authorized', trim_scale(${authorized}), 'amount_captured', trim_scale(c.amount_captured),
            'amount_refunded', trim_scale(${refunded}))`;
