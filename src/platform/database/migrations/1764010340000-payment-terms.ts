import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { withoutLockLimit } from '../migration-locks.js';

/** Payments per statement of the backfill, which locks their customers for a few milliseconds. */
const BATCH = 2_000;

/**
 * Finds payments by values of their metadata, and customers by their e-mail address. A term is the hash of a value with
 * the merchant, the hash of its key, and the payment. Triggers write and delete terms, because processes of the version
 * before create and erase payments too. A change of status does not touch them. If the migration is interrupted, it
 * continues when it runs again.
 */
export class PaymentTerms1764010340000 implements MigrationInterface {
  name = 'PaymentTerms1764010340000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
    await withoutLockLimit(queryRunner, () => this.backfill(queryRunner));
    for (const [name, definition] of Object.entries(INDEXES)) await createIndex(queryRunner, name, definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }

  private async backfill(queryRunner: QueryRunner): Promise<void> {
    let last: string | null | undefined = '0';
    while (last) {
      const rows = (await queryRunner.query(FILL_BATCH, [last, BATCH])) as { last: string | null }[];
      last = rows[0]?.last;
    }
  }
}

const UP = [
  `CREATE TABLE IF NOT EXISTS payment_terms (
    value_hash bigint NOT NULL,
    payment_id bigint NOT NULL,
    key_hash integer NOT NULL,
    PRIMARY KEY (value_hash, key_hash, payment_id)
  )`,
  // the first ten texts, numbers and booleans of at most 128 characters; distinct, because hashes of keys may collide
  `CREATE OR REPLACE FUNCTION terms_of_metadata(merchant bigint, metadata json)
    RETURNS TABLE (value_hash bigint, key_hash integer) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT DISTINCT hashtextextended(m.text, merchant), hashtext(m.key)
      FROM (SELECT e.key, e.value #>> '{}' AS text FROM json_each(metadata) e
        WHERE json_typeof(e.value) IN ('string', 'number', 'boolean') AND length(e.value #>> '{}') <= 128 LIMIT 10) m
    $$`,
  `CREATE OR REPLACE FUNCTION insert_payment_terms() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO payment_terms (value_hash, key_hash, payment_id)
      SELECT t.value_hash, t.key_hash, a.id FROM added a CROSS JOIN LATERAL terms_of_metadata(a.merchant_id, a.metadata) t;
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE FUNCTION delete_payment_terms() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM payment_terms p USING terms_of_metadata(OLD.merchant_id, OLD.metadata) t
      WHERE p.value_hash = t.value_hash AND p.key_hash = t.key_hash AND p.payment_id = OLD.id;
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE TRIGGER payments_insert_terms AFTER INSERT ON payments
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION insert_payment_terms()`,
  `CREATE OR REPLACE TRIGGER payments_delete_terms AFTER UPDATE OF metadata ON payments FOR EACH ROW
    WHEN (OLD.metadata IS NOT NULL AND NEW.metadata IS NULL) EXECUTE FUNCTION delete_payment_terms()`,
];

/**
 * Writes the terms of payments after $1, at most $2 of them. It shares the lock of their customers, so that an erasure
 * comes before this statement, which then finds no customer, or after it and deletes the terms.
 */
const FILL_BATCH = `WITH batch AS MATERIALIZED (
    SELECT id, merchant_id, customer_id, metadata FROM payments WHERE id > $1 ORDER BY id LIMIT $2
  ), kept AS MATERIALIZED (
    SELECT id FROM customers WHERE id = ANY (ARRAY(SELECT customer_id FROM batch)) AND erased_at IS NULL ORDER BY id FOR SHARE
  ), filled AS (
    INSERT INTO payment_terms (value_hash, key_hash, payment_id)
    SELECT t.value_hash, t.key_hash, b.id FROM batch b CROSS JOIN LATERAL terms_of_metadata(b.merchant_id, b.metadata) t
    WHERE b.customer_id IS NULL OR b.customer_id IN (SELECT id FROM kept)
    ON CONFLICT DO NOTHING
  )
  SELECT max(id) AS last FROM batch`;

/**
 * The address is hashed: the index contains no personal data. `merchant_id` is never null: its condition hides the index
 * from statements that only have an id. With a plan made while the table was empty they would read the whole index.
 */
const INDEXES = {
  customers_merchant_id_id: 'ON customers (merchant_id, id) WHERE merchant_id IS NOT NULL',
  refunds_merchant_id_provider_refund_id_id:
    'ON refunds (merchant_id, provider_refund_id, id) WHERE provider_refund_id IS NOT NULL',
  customers_email_hash_id: `ON customers (hashtextextended(lower(email COLLATE "C"), merchant_id), id) WHERE email IS NOT NULL`,
};

const DOWN = [
  'DROP INDEX customers_email_hash_id',
  'DROP INDEX refunds_merchant_id_provider_refund_id_id',
  'DROP INDEX customers_merchant_id_id',
  'DROP TRIGGER payments_delete_terms ON payments',
  'DROP TRIGGER payments_insert_terms ON payments',
  'DROP FUNCTION delete_payment_terms',
  'DROP FUNCTION insert_payment_terms',
  'DROP FUNCTION terms_of_metadata',
  'DROP TABLE payment_terms',
];
