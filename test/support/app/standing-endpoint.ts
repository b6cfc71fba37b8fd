import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { ReceiverSecrets } from '../../../src/webhooks/endpoint/secrets/receiver-secrets.service.js';

interface EndpointFields {
  eventTypes?: string[];
  redeliverOnRecovery?: boolean;
}

/** Creates an active standing endpoint of a merchant, for all its shops. Returns its id, which is its lane's id as well. */
export async function aStandingEndpoint(
  pool: Pool,
  secrets: ReceiverSecrets,
  merchantId: number,
  url: string,
  { eventTypes = ['payment.status_changed'], redeliverOnRecovery = true }: EndpointFields = {},
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO webhook_lanes (id, endpoint_id, merchant_id, origin)
     SELECT id, id, $1::bigint, $2::text FROM nextval('webhook_lanes_id_seq') id RETURNING id`,
    [merchantId, new URL(url).origin],
  );
  const [{ id }] = rows as [{ id: number }];
  const secret = secrets.encrypt('sealed_secret', merchantId, id, `whsec_${randomBytes(24).toString('base64')}`);
  await pool.query(
    `INSERT INTO webhook_endpoints (id, merchant_id, lane_id, url, event_types, redeliver_on_recovery, sealed_secret)
     VALUES ($1, $2, $1, $3, $4, $5, $6)`,
    [id, merchantId, url, eventTypes, redeliverOnRecovery, secret],
  );
  return id;
}
