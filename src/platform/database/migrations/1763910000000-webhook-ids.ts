import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ids of deliveries that no other database gives (docs/decisions/034-webhook-ids.md), webhook secrets that sign from a
 * later moment on, and redeliveries that workers carry out. Changes the catalog alone; nothing that older processes read
 * or write changes.
 */
export class WebhookIds1763910000000 implements MigrationInterface {
  name = 'WebhookIds1763910000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const [row] = (await queryRunner.query(FIRST_MOMENT)) as [{ moment: string }];
    await queryRunner.query(webhookId(randomBytes(16).toString('hex'), row.moment));
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/**
 * Deliveries from before keep their numbers, which their receivers may have seen; so do those of the next hour, in which
 * older workers may still make some of their attempts.
 */
const FIRST_MOMENT = `SELECT CASE
    WHEN EXISTS (SELECT FROM webhook_deliveries) OR EXISTS (SELECT FROM pending_deliveries)
    THEN (now() + interval '1 hour')::text ELSE '-infinity' END AS moment`;

/**
 * `whd_` and a UUIDv7 (RFC 9562, 5.7): the millisecond of the delivery's creation, and of a hash that is keyed with a secret of
 * this database what fits besides its version (7) and variant (the highest bits of b). Made anew whenever it is needed:
 * it takes no room in the row and none in an index. Not declared immutable, or it would not be inlined.
 */
const webhookId = (salt: string, firstMoment: string): string => `
  CREATE FUNCTION webhook_id(delivery_id bigint, created_at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN created_at < TIMESTAMPTZ '${firstMoment}' THEN delivery_id::text ELSE
    'whd_' || (lpad(to_hex((extract(epoch FROM created_at) * 1000)::bigint), 12, '0') || '7' || overlay(
      left(encode(sha256('\\x${salt}'::bytea || int8send(delivery_id)), 'hex'), 19) PLACING 'b' FROM 4))::uuid END`;

const UP = [
  // until then the secret before signs, and what is in webhook_secret is announced only
  'ALTER TABLE shops ADD COLUMN webhook_secret_active_from timestamptz',
  // one row for each shop that a request is about; it goes with its last delivery
  `CREATE TABLE webhook_redeliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id bigint NOT NULL,
    shop_id bigint NOT NULL,
    filter_hash text NOT NULL,
    status text NOT NULL,
    webhook_endpoint text,
    created_from timestamptz NOT NULL,
    created_to timestamptz NOT NULL,
    first_id bigint NOT NULL,
    after_id bigint NOT NULL,
    last_id bigint NOT NULL,
    redelivered bigint NOT NULL DEFAULT 0,
    requested_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    stepped_at timestamptz NOT NULL DEFAULT '-infinity',
    UNIQUE (shop_id, filter_hash)
  )`,
  'CREATE INDEX webhook_redeliveries_merchant_id_stepped_at ON webhook_redeliveries (merchant_id, stepped_at)',
];

const DOWN = [
  'DROP TABLE webhook_redeliveries',
  // a secret that does not sign yet is forgotten
  `UPDATE shops SET webhook_secret = previous_webhook_secret, previous_webhook_secret = NULL,
    previous_webhook_secret_expires_at = NULL WHERE webhook_secret_active_from > clock_timestamp()`,
  'ALTER TABLE shops DROP COLUMN webhook_secret_active_from',
  'DROP FUNCTION webhook_id',
];
