import type { Statement } from '../../../src/platform/database/database.js';
import { insertDeliveriesFrom } from '../../../src/webhooks/fan-out/fan-out-sql.js';
import { WEBHOOK_EVENT } from '../../../src/webhooks/outbox/webhook-body.js';

/** A delivery without the change of status that the service writes together with it. */
export interface NewDelivery {
  merchantId: number;
  shopId: number;
  laneId: number;
  paymentId: number;
  paymentStatus: string;
  webhookEndpoint: string;
  requestBody: string;
}

/** Takes one array per column; ids grow in the arrays' order. Uses the service's own SQL fragment for inserts. */
export const APPEND_DELIVERIES: Statement = {
  name: 'test.append_deliveries',
  text: `WITH added AS (
      SELECT *, NULL::text AS traceparent FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
        WITH ORDINALITY AS d (merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
          request_body, position)
    ), ${insertDeliveriesFrom('added')}
    SELECT`,
};

export const appendValues = (deliveries: NewDelivery[]): unknown[] => [
  deliveries.map((delivery) => delivery.merchantId),
  deliveries.map((delivery) => delivery.shopId),
  deliveries.map((delivery) => delivery.laneId),
  deliveries.map((delivery) => delivery.paymentId),
  deliveries.map(() => WEBHOOK_EVENT),
  deliveries.map((delivery) => delivery.paymentStatus),
  deliveries.map((delivery) => delivery.webhookEndpoint),
  deliveries.map((delivery) => delivery.requestBody),
];
