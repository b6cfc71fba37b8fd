import type { QueryRunner } from 'typeorm';
import { Step } from './step.js';

/** Agreements with payers, which later charges without the payer name. Processes of the version before leave them empty. */
export class Agreements1764010900090 extends Step {
  readonly name = 'Agreements1764010900090';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payments ADD COLUMN IF NOT EXISTS agreement text');
    await queryRunner.query(`ALTER TABLE saved_payment_methods ADD COLUMN IF NOT EXISTS agreement text,
      ADD COLUMN IF NOT EXISTS transaction_id text`);
  }
}
