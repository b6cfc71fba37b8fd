import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

const NAME = 'idempotency_keys_merchant_id_key';
const WHOLE = 'ON idempotency_keys (merchant_id, key)';

/**
 * Leaves keys without a merchant out of the index of merchants' keys, so that only statements that name the merchant can
 * use it. A plan for keys and their clients that was made while the table was empty read the whole index: before
 * version 18, its cost on an empty table is less than that of looking up ten keys.
 */
export class KeysWithMerchants1764010765000 implements MigrationInterface {
  name = 'KeysWithMerchants1764010765000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const replaced = (await queryRunner.query(
      `SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indpred IS NOT NULL`,
      [NAME],
    )) as object[];
    if (replaced.length > 0) return;
    await createIndex(queryRunner, `${NAME}_known`, `${WHOLE} WHERE merchant_id IS NOT NULL`, 'UNIQUE INDEX');
    await queryRunner.query(`DROP INDEX IF EXISTS ${NAME}; ALTER INDEX ${NAME}_known RENAME TO ${NAME}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${NAME}`);
    await queryRunner.query(`CREATE UNIQUE INDEX ${NAME} ${WHOLE}`);
  }
}
