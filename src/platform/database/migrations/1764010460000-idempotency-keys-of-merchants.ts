import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/** Keys per statement of the backfill: its row locks last a few milliseconds. */
const BATCH = 1_000;
/** Tables whose rows have both a merchant and an idempotency key. */
const TABLES = ['refunds', 'saved_payment_methods'];

/**
 * An idempotency key belongs to its merchant, whichever client sends it. Of equal keys that two clients of a merchant
 * have used before, the first stays the merchant's; in `idempotency_keys` the other one stays its client's. The trigger
 * is for processes of the version before, which write no merchant; it can be dropped with the next version. If the
 * migration is interrupted, it continues when it runs again.
 */
export class IdempotencyKeysOfMerchants1764010460000 implements MigrationInterface {
  name = 'IdempotencyKeysOfMerchants1764010460000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys ADD COLUMN IF NOT EXISTS merchant_id bigint');
    await createIndex(
      queryRunner,
      'idempotency_keys_merchant_id_key',
      'ON idempotency_keys (merchant_id, key)',
      'UNIQUE INDEX',
    );
    await queryRunner.query(
      `CREATE OR REPLACE FUNCTION merchant_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          SELECT c.merchant_id INTO NEW.merchant_id FROM api_clients c WHERE c.client_id = NEW.client_id
            AND NOT EXISTS (SELECT FROM idempotency_keys k WHERE k.merchant_id = c.merchant_id AND k.key = NEW.key);
          RETURN NEW;
        END $$`,
    );
    await queryRunner.query(
      `CREATE OR REPLACE TRIGGER idempotency_keys_merchant BEFORE INSERT ON idempotency_keys FOR EACH ROW
        WHEN (NEW.merchant_id IS NULL) EXECUTE FUNCTION merchant_of_key()`,
    );
    await backfill(queryRunner);
    for (const table of TABLES) await ownByMerchant(queryRunner, table);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      const name = `${table}_idempotency_key`;
      await queryRunner.query(`DROP INDEX ${name}`);
      await queryRunner.query(
        `CREATE UNIQUE INDEX ${name} ON ${table} (client_id, idempotency_key) WHERE idempotency_key IS NOT NULL`,
      );
    }
    await queryRunner.query('DROP TRIGGER idempotency_keys_merchant ON idempotency_keys');
    await queryRunner.query('DROP FUNCTION merchant_of_key()');
    await queryRunner.query('DROP INDEX idempotency_keys_merchant_id_key');
    await queryRunner.query('ALTER TABLE idempotency_keys DROP COLUMN merchant_id');
  }
}

/** In the order of the primary key. Of equal keys of a merchant the first client's gets the merchant. */
async function backfill(queryRunner: QueryRunner): Promise<void> {
  for (let [client, key] = ['', '']; ;) {
    const [rows] = (await queryRunner.query(
      `WITH batch AS (
          SELECT client_id, key FROM idempotency_keys WHERE (client_id, key) > ($1, $2) ORDER BY client_id, key LIMIT ${BATCH}
        ), owned AS (
          UPDATE idempotency_keys k SET merchant_id = c.merchant_id
          FROM batch s JOIN api_clients c ON c.client_id = s.client_id
          WHERE k.client_id = s.client_id AND k.key = s.key AND k.merchant_id IS NULL AND NOT EXISTS (
            SELECT FROM api_clients o JOIN idempotency_keys e ON e.client_id = o.client_id AND e.key = s.key
            WHERE o.merchant_id = c.merchant_id AND (e.merchant_id IS NOT NULL OR o.client_id < s.client_id))
        )
        SELECT client_id, key FROM batch ORDER BY client_id DESC, key DESC LIMIT 1`,
      [client, key],
    )) as { client_id: string; key: string }[];
    if (!rows) return;
    ({ client_id: client, key } = rows);
  }
}

async function ownByMerchant(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.query(
    `UPDATE ${table} r SET idempotency_key = NULL WHERE idempotency_key IS NOT NULL AND EXISTS (
      SELECT FROM ${table} e WHERE e.merchant_id = r.merchant_id AND e.idempotency_key = r.idempotency_key AND e.id < r.id)`,
  );
  await replaceKey(queryRunner, table);
}

/** Keeps the name of the index: processes of both versions recognise a violation by it. */
async function replaceKey(queryRunner: QueryRunner, table: string): Promise<void> {
  const name = `${table}_idempotency_key`;
  const current = (await queryRunner.query('SELECT FROM pg_indexes WHERE indexname = $1 AND indexdef LIKE $2', [
    name,
    '%(merchant_id, idempotency_key)%',
  ])) as object[];
  if (current.length > 0) return;
  const definition = `ON ${table} (merchant_id, idempotency_key) WHERE idempotency_key IS NOT NULL`;
  await createIndex(queryRunner, `${name}_of_merchant`, definition, 'UNIQUE INDEX');
  await queryRunner.query(`DROP INDEX IF EXISTS ${name}; ALTER INDEX ${name}_of_merchant RENAME TO ${name}`);
}
