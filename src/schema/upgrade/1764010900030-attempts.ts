import type { QueryRunner } from 'typeorm';
import { create, dropIndexes, inBatches } from './online.js';
import { Step } from './step.js';

/**
 * The outcome of an attempt changes no column that an index names. An attempt whose payment may go on at another shop is
 * found by `left_transaction_id`, and declines are counted from their start.
 */
export class Attempts1764010900030 extends Step {
  readonly name = 'Attempts1764010900030';

  async up(queryRunner: QueryRunner): Promise<void> {
    await create(queryRunner, 'name_left_transaction', 'payment_attempts_name_left');
    await inBatches(queryRunner, { table: 'payment_attempts', column: 'payment_id', size: 2_000 }, BACKFILL);
    await create(queryRunner, 'payment_attempts_left_transaction_id', 'payment_attempts_declines_by_start');
    await dropIndexes(queryRunner, 'payment_attempts_shop_id_provider_transaction_id', 'payment_attempts_declines');
  }
}

const BACKFILL = `UPDATE payment_attempts SET left_transaction_id = provider_transaction_id
  WHERE payment_id > $1 AND payment_id <= $2 AND outcome IN ('soft_declined', 'unavailable')
    AND left_transaction_id IS NULL AND provider_transaction_id IS NOT NULL`;
