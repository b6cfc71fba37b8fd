import type { QueryRunner } from 'typeorm';
import { create, createOnline, replaceIndex } from './online.js';
import { Step } from './step.js';

/** Keys per statement of the backfill: its row locks last a few milliseconds. */
const BATCH = 1_000;
/** Tables whose rows have both a merchant and an idempotency key. */
const TABLES = ['refunds', 'saved_payment_methods'];

/**
 * An idempotency key belongs to its merchant, whichever client sends it. Of equal keys that two clients of a merchant
 * have used before, the first stays the merchant's; in `idempotency_keys` the other one stays its client's. The trigger
 * is for processes of the version before, which write no merchant.
 */
export class KeysOfMerchants1764010900010 extends Step {
  readonly name = 'KeysOfMerchants1764010900010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await create(queryRunner, 'idempotency_keys_merchant_id_key');
    for (const statement of MERCHANT_OF_KEY) await createOnline(queryRunner, statement);
    await backfill(queryRunner);
    for (const table of TABLES) {
      await queryRunner.query(
        `UPDATE ${table} r SET idempotency_key = NULL WHERE idempotency_key IS NOT NULL AND EXISTS (SELECT FROM ${table} e
          WHERE e.merchant_id = r.merchant_id AND e.idempotency_key = r.idempotency_key AND e.id < r.id)`,
      );
      await replaceIndex(queryRunner, `${table}_idempotency_key`, '(merchant_id, idempotency_key)');
    }
  }
}

const MERCHANT_OF_KEY = [
  `CREATE FUNCTION merchant_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT c.merchant_id INTO NEW.merchant_id FROM api_clients c WHERE c.client_id = NEW.client_id
        AND NOT EXISTS (SELECT FROM idempotency_keys k WHERE k.merchant_id = c.merchant_id AND k.key = NEW.key);
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER idempotency_keys_merchant BEFORE INSERT ON idempotency_keys FOR EACH ROW
    WHEN (NEW.merchant_id IS NULL) EXECUTE FUNCTION merchant_of_key()`,
];

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
