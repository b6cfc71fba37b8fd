// Everything that the bench writes into the product's tables by SQL, in one place: when the schema changes, this does.
import { createHash } from 'node:crypto';
import { Encryption } from '../../src/platform/encryption/encryption.js';
import { SystemRandom } from '../../src/shared/random.js';
import { ShopSecretsService } from '../../src/shops/shop-secrets.service.js';
import type { BenchDatabase } from './database.js';
import { ENCRYPTION_KEY } from './product.js';
import { SAMPLE_PAYMENT_ID, webhookBody } from './webhook-sample.js';

/** Every shop of the bench signs with this secret. */
export const WEBHOOK_SECRET = `whsec_${createHash('sha256').update('bench').digest('base64')}`;

export interface SeededLanes {
  merchantId: number;
  shopIds: number[];
  /** `laneIds[n]` is the lane of `shopIds[n]`. */
  laneIds: number[];
  endpoint: string;
}

/** `count` lanes to one receiver: a shop each, as a lane is a shop and an origin. */
export async function seedLanes(database: BenchDatabase, count: number, endpoint: string): Promise<SeededLanes> {
  const secrets = shopSecrets();
  const [merchant] = await database.query<{ id: number }>(`INSERT INTO merchants (name) VALUES ('bench') RETURNING id`);
  const merchantId = merchant!.id;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const shops = await database.query<{ id: number }>(
    `INSERT INTO shops (merchant_id, name, provider, provider_credentials, webhook_secret)
     SELECT $1, 'shop ' || n, 'sandbox', $3, s FROM unnest($2::int[], $4::bytea[]) AS u (n, s) RETURNING id`,
    [merchantId, numbers, secrets.sealCredentials({}), numbers.map(() => secrets.sealWebhookSecret(WEBHOOK_SECRET))],
  );
  const shopIds = shops.map((shop) => shop.id);
  const lanes = await database.query<{ id: number }>(
    `INSERT INTO webhook_lanes (shop_id, origin) SELECT s, $2 FROM unnest($1::bigint[]) AS s RETURNING id`,
    [shopIds, new URL(endpoint).origin],
  );
  return { merchantId, shopIds, laneIds: lanes.map((lane) => lane.id), endpoint };
}

const shopSecrets = (): ShopSecretsService => {
  const encryption = new Encryption({ encryptionKeys: [ENCRYPTION_KEY] }, new SystemRandom());
  return new ShopSecretsService(undefined as never, encryption); // seals without the database
};

/** When seeded deliveries are due: now, or as retries that wait for an hour and have one attempt behind them. */
export type Due = 'now' | 'in an hour';

/** Above those of real payments; none is used twice. */
let nextPaymentId = 1_000_000_000;

const HEADER = 'id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint';
const INTO_ONE_TABLE = `inserted AS (
       INSERT INTO webhook_deliveries (${HEADER}, request_body, attempts, attempts_in_run, next_attempt_at)
       SELECT ${HEADER}, request_body, attempts, attempts, due_at FROM seeded)`;
const INTO_THE_QUEUE = `bodies AS (
       INSERT INTO webhook_bodies (day, delivery_id, body) SELECT day, id, request_body FROM seeded
     ), inserted AS (
       INSERT INTO pending_deliveries (${HEADER}, body_day, body_bytes, attempts, attempts_in_run, due_at, created_at)
       SELECT ${HEADER}, day, octet_length(request_body), attempts, attempts, due_at, statement_timestamp() FROM seeded)`;

/** `count` pending deliveries, dealt out to the lanes in turn, each of a payment of its own. Answers the first id. */
export async function seedDeliveries(
  database: BenchDatabase,
  lanes: SeededLanes,
  count: number,
  due: Due,
): Promise<number> {
  const waiting = due === 'in an hour';
  const [seeded] = await database.query<{ first: number }>(
    `WITH seeded AS MATERIALIZED (
       SELECT nextval('webhook_deliveries_id_seq') AS id, $1::bigint AS merchant_id,
         ($2::bigint[])[1 + n % $4] AS shop_id, ($3::bigint[])[1 + n % $4] AS lane_id, $8::bigint + n AS payment_id,
         'payment.status_changed' AS event, 'completed' AS payment_status, $5 AS webhook_endpoint,
         replace($6, '${SAMPLE_PAYMENT_ID}', ($8 + n)::text) AS request_body, $9::int AS attempts,
         date_trunc('milliseconds', statement_timestamp()) + $10::text::interval AS due_at,
         (statement_timestamp() AT TIME ZONE 'UTC')::date AS day
       FROM generate_series(0, $7::bigint - 1) AS n
     ), ${database.hasOneTable ? INTO_ONE_TABLE : INTO_THE_QUEUE}
     SELECT min(id) AS first FROM seeded`,
    [
      lanes.merchantId,
      lanes.shopIds,
      lanes.laneIds,
      lanes.laneIds.length,
      lanes.endpoint,
      webhookBody(),
      count,
      (nextPaymentId += count) - count,
      waiting ? 1 : 0,
      waiting ? '1 hour' : '0',
    ],
  );
  return seeded!.first;
}

/** Empties what a round has filled. Identities go on, so that no id means two deliveries in one run. */
export const emptyDeliveries = (database: BenchDatabase): Promise<void> =>
  database.run('TRUNCATE pending_deliveries, webhook_bodies, webhook_deliveries, webhook_attempts');

/**
 * Ahead of seeding: what rounds before have left is written out now and not meanwhile. Not after it: as in real life the
 * rows are young when they are delivered, and their pages need no full image in the log.
 */
export const checkpoint = (database: BenchDatabase): Promise<void> => database.run('CHECKPOINT');

/** After seeding: what autovacuum would do in the middle of the round. */
export const settle = (database: BenchDatabase): Promise<void> =>
  database.run('VACUUM (ANALYZE) pending_deliveries, webhook_bodies, webhook_deliveries, webhook_attempts');

/** Whether every delivery that was due has its attempt on record. */
export async function areAllRecorded(database: BenchDatabase, firstId: number): Promise<boolean> {
  const [row] = await database.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT FROM all_deliveries WHERE status = 'pending' AND attempts = 0 AND id >= $1) AS open`,
    [firstId],
  );
  return !row!.open;
}
