// What scenarios find in the tables before they begin.
import { createHash } from 'node:crypto';
import { Encryption } from '../../src/platform/encryption/encryption.js';
import { SystemRandom } from '../../src/shared/random.js';
import { SEALED_COLUMNS } from '../../src/shops/shops.queries.js';
import type { NewDelivery } from '../../test/support/app/append-deliveries.js';
import { laneOrigin } from '../../src/webhooks/outbox/endpoint-policy.service.js';
import type { BenchDatabase } from './database.js';
import { ENCRYPTION_KEY } from '../../test/support/app/settings.js';
import { SAMPLE_PAYMENT_ID, webhookBody } from './webhook-sample.js';

/** Every shop of the bench signs with this secret. */
export const WEBHOOK_SECRET = `whsec_${createHash('sha256').update('bench').digest('base64')}`;

export interface SeededLanes {
  merchantId: number;
  shopIds: number[];
  /** `laneIds[n]` is the lane of `shopIds[n]`, to `endpoints[n]`. */
  laneIds: number[];
  endpoints: string[];
}

/** A lane to each of the endpoints: a shop each, as a lane is a shop and an origin. */
export async function seedLanes(database: BenchDatabase, endpoints: string[]): Promise<SeededLanes> {
  const encryption = new Encryption({ encryptionKeys: [ENCRYPTION_KEY] }, new SystemRandom());
  const sealed = (column: keyof typeof SEALED_COLUMNS, text: string): Buffer =>
    encryption.encrypt(text, SEALED_COLUMNS[column]);
  const [merchant] = await database.query<{ id: number }>(`INSERT INTO merchants (name) VALUES ('bench') RETURNING id`);
  const merchantId = merchant!.id;
  const shops = await database.query<{ id: number }>(
    `INSERT INTO shops (merchant_id, name, provider, provider_credentials, webhook_secret)
     SELECT $1, 'shop ' || n, 'sandbox', $2, s FROM unnest($3::bytea[]) WITH ORDINALITY AS u (s, n) RETURNING id`,
    [merchantId, sealed('provider_credentials', '{}'), endpoints.map(() => sealed('webhook_secret', WEBHOOK_SECRET))],
  );
  const shopIds = shops.map((shop) => shop.id);
  const lanes = await database.query<{ id: number }>(
    `INSERT INTO webhook_lanes (shop_id, origin) SELECT * FROM unnest($1::bigint[], $2::text[]) RETURNING id`,
    [shopIds, endpoints.map(laneOrigin)],
  );
  return { merchantId, shopIds, laneIds: lanes.map((lane) => lane.id), endpoints };
}

/** When seeded deliveries are due: now, or as retries that wait for an hour and have one attempt behind them. */
export type Due = 'now' | 'in an hour';

/** Above those of real payments; none is used twice. */
let nextPaymentId = 1_000_000_000;
const AT_ONCE = 5_000;
const [BODY_HEAD, BODY_TAIL] = webhookBody().split(String(SAMPLE_PAYMENT_ID)) as [string, string];

/** As the service renders it, for another payment. */
const bodyOf = (paymentId: number): string => `${BODY_HEAD}${paymentId}${BODY_TAIL}`;

/** `count` pending deliveries, dealt out to the lanes in turn, each of a payment of its own. Answers the first id. */
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
    await database.query(database.deliveries.putOff, [last]);
    // what that has rewritten makes room for the next
    await database.run(...database.deliveries.names.map((name) => `VACUUM ${name}`));
  }
  return firstDeliveryAbove(database, last);
}

/** Due from now on, with bodies of 1.2 KB. */
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

/** The greatest id of a delivery so far. */
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

/** Empties what a round has filled. Identities go on, so that no id means two deliveries in one run. */
export const emptyDeliveries = (database: BenchDatabase): Promise<void> =>
  database.run(`TRUNCATE ${database.deliveries.names.join(', ')}`);

/**
 * Ahead of seeding: what rounds before have left is written out now and not meanwhile. Not after it: as in real life the
 * rows are young when they are delivered, and their pages need no full image in the log.
 */
export const checkpoint = (database: BenchDatabase): Promise<void> => database.run('CHECKPOINT');

/** What autovacuum does in a quiet hour. When all is delivered, the planner believes that nothing ever is pending. */
export const vacuum = (database: BenchDatabase): Promise<void> => database.run('VACUUM (ANALYZE)');

/** Whether some delivery from `firstId` on, to an endpoint that begins like this, has no attempt on record. */
export async function isOpen(database: BenchDatabase, firstId = 0, endpointPrefix = ''): Promise<boolean> {
  const [row] = await database.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT FROM ${database.deliveries.pending} d
       WHERE attempts = 0 AND id >= $1 AND starts_with(webhook_endpoint, $2)) AS open`,
    [firstId, endpointPrefix],
  );
  return row!.open;
}
