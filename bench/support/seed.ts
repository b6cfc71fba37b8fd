// Rows that scenarios insert before they begin.
import { createHash } from 'node:crypto';
import { Encryption } from '../../src/platform/encryption/encryption.js';
import { SystemRandom } from '../../src/shared/random.js';
import { SHOP_SECRET_PURPOSES } from '../../src/shops/secret-columns.js';
import { ReceiverSecrets } from '../../src/webhooks/endpoint/secrets/receiver-secrets.service.js';
import type { NewDelivery } from '../../test/support/app/append-deliveries.js';
import { laneOrigin } from '../../src/webhooks/outbox/endpoint-policy.service.js';
import type { BenchDatabase } from './database.js';
import { ENCRYPTION_KEY } from '../../test/support/app/settings.js';
import { SAMPLE_PAYMENT_ID, webhookBody } from './webhook-sample.js';

/** The webhook secret of every shop of the bench. */
export const WEBHOOK_SECRET = `whsec_${createHash('sha256').update('bench').digest('base64')}`;

export interface SeededLanes {
  merchantId: number;
  shopIds: number[];
  /** `laneIds[n]` is the lane of `shopIds[n]`, to `endpoints[n]`. */
  laneIds: number[];
  endpoints: string[];
  /** The lanes of standing endpoints, one for each shop; empty: there are none. */
  standingLaneIds: number[];
}

/** Creates a lane to each of the endpoints, with one shop each, because a lane is a shop and an origin. */
export async function seedLanes(database: BenchDatabase, endpoints: string[]): Promise<SeededLanes> {
  const encryption = new Encryption({ encryptionKeys: [ENCRYPTION_KEY] }, new SystemRandom());
  const encrypted = (column: keyof typeof SHOP_SECRET_PURPOSES, text: string): Buffer =>
    encryption.encrypt(text, SHOP_SECRET_PURPOSES[column]);
  const [merchant] = await database.query<{ id: number }>(`INSERT INTO merchants (name) VALUES ('bench') RETURNING id`);
  const merchantId = merchant!.id;
  const shops = await database.query<{ id: number }>(
    // accounts are known, as after creation by the API: otherwise workers ask for them during the measurement
    `INSERT INTO shops (merchant_id, name, provider, provider_credentials, webhook_secret, account_asked_next_at)
     SELECT $1, 'shop ' || n, 'sandbox', $2, s, NULL FROM unnest($3::bytea[]) WITH ORDINALITY AS u (s, n) RETURNING id`,
    [
      merchantId,
      encrypted('provider_credentials', '{}'),
      endpoints.map(() => encrypted('webhook_secret', WEBHOOK_SECRET)),
    ],
  );
  const shopIds = shops.map((shop) => shop.id);
  const lanes = await database.query<{ id: number }>(
    `INSERT INTO webhook_lanes (shop_id, origin) SELECT * FROM unnest($1::bigint[], $2::text[]) RETURNING id`,
    [shopIds, endpoints.map(laneOrigin)],
  );
  return { merchantId, shopIds, laneIds: lanes.map((lane) => lane.id), endpoints, standingLaneIds: [] };
}

/** Creates a standing endpoint for each shop, with the address that the shop's payments have. */
export async function seedStanding(database: BenchDatabase, lanes: SeededLanes): Promise<SeededLanes> {
  const { merchantId, shopIds, endpoints } = lanes;
  const encryption = new Encryption({ encryptionKeys: [ENCRYPTION_KEY] }, new SystemRandom());
  const secrets = new ReceiverSecrets(encryption);
  const rows = await database.query<{ id: number }>(
    `INSERT INTO webhook_lanes (id, endpoint_id, merchant_id, origin)
     SELECT id, id, $1::bigint, origin FROM (
       SELECT nextval('webhook_lanes_id_seq') AS id, o AS origin FROM unnest($2::text[]) o) l RETURNING id`,
    [merchantId, endpoints.map(laneOrigin)],
  );
  const ids = rows.map(({ id }) => id);
  await database.query(
    `INSERT INTO webhook_endpoints (id, merchant_id, lane_id, url, shop_ids, event_types, sealed_secret)
     SELECT id, $1, id, url, ARRAY[shop_id], ARRAY['payment.status_changed'], secret
     FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bytea[]) AS e (id, url, shop_id, secret)`,
    [
      merchantId,
      ids,
      endpoints,
      shopIds,
      ids.map((id) => secrets.encrypt('sealed_secret', merchantId, id, WEBHOOK_SECRET)),
    ],
  );
  return { ...lanes, standingLaneIds: ids };
}

/** When seeded deliveries are due: now, or as retries in an hour, after one attempt. */
export type Due = 'now' | 'in an hour';

/** Above the ids of real payments; none is used twice. */
let nextPaymentId = 1_000_000_000;
const AT_ONCE = 5_000;
const [BODY_HEAD, BODY_TAIL] = webhookBody().split(String(SAMPLE_PAYMENT_ID)) as [string, string];

/** The body for another payment, as the service renders it. */
const bodyOf = (paymentId: number): string => `${BODY_HEAD}${paymentId}${BODY_TAIL}`;

/**
 * Inserts `count` pending deliveries, spread evenly over the lanes, each with its own payment. Returns the first id.
 */
export async function seedDeliveries(
  database: BenchDatabase,
  lanes: SeededLanes,
  count: number,
  due: Due,
): Promise<number> {
  const { merchantId, shopIds, laneIds, endpoints } = lanes;
  const last = await lastDeliveryId(database);
  const deliveries = Array.from({ length: count }, (_, index) => ({
    merchantId,
    shopId: shopIds[index % shopIds.length]!,
    laneId: laneIds[index % laneIds.length]!,
    paymentId: nextPaymentId + index,
    paymentStatus: 'completed',
    webhookEndpoint: endpoints[index % endpoints.length]!,
  }));
  nextPaymentId += count;
  await appendDeliveries(database, deliveries);
  if (due === 'in an hour') {
    await database.query(database.deliveries.postpone, [last]);
    // VACUUM frees the space of the rewritten rows
    await database.run(...database.deliveries.names.map((name) => `VACUUM ${name}`));
  }
  return firstDeliveryAbove(database, last);
}

/** Inserts deliveries that are due now, with bodies of 1.2 KB. */
async function appendDeliveries(
  database: BenchDatabase,
  deliveries: Omit<NewDelivery, 'requestBody'>[],
): Promise<void> {
  for (let at = 0; at < deliveries.length; at += AT_ONCE) {
    const part = deliveries.slice(at, at + AT_ONCE);
    await database.deliveries.append(
      (text, values) => database.query(text, values),
      part.map((delivery) => ({ ...delivery, requestBody: bodyOf(delivery.paymentId) })),
    );
  }
}

/** The highest id of a delivery. */
export async function lastDeliveryId(database: BenchDatabase): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `SELECT coalesce(max(id), 0) AS id FROM ${database.deliveries.all} d`,
  );
  return row!.id;
}

async function firstDeliveryAbove(database: BenchDatabase, id: number): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `SELECT min(id) AS id FROM ${database.deliveries.all} d WHERE id > $1`,
    [id],
  );
  return row!.id;
}

/** Empties the tables that a round has filled. Identities continue, so that an id is unique within a run. */
export const emptyDeliveries = (database: BenchDatabase): Promise<void> =>
  database.run(`TRUNCATE ${database.deliveries.names.join(', ')}`);

/**
 * Before seeding: writes out pages of earlier rounds now rather than during the measurement. Not after it: as in
 * production the rows are new when they are delivered, and their pages need no full image in the log.
 */
export const checkpoint = (database: BenchDatabase): Promise<void> => database.run('CHECKPOINT');

/**
 * The work of autovacuum in a quiet hour. If all deliveries have ended, the planner assumes that none is ever pending.
 */
export const vacuum = (database: BenchDatabase): Promise<void> => database.run('VACUUM (ANALYZE)');

/** Whether any delivery from `firstId` on, to an endpoint with this prefix, has no recorded attempt. */
export async function hasUntried(database: BenchDatabase, firstId = 0, endpointPrefix = ''): Promise<boolean> {
  const [row] = await database.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT FROM ${database.deliveries.pending} d
       WHERE attempts = 0 AND id >= $1 AND starts_with(webhook_endpoint, $2)) AS open`,
    [firstId, endpointPrefix],
  );
  return row!.open;
}
