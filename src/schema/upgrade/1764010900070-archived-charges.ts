import type { QueryRunner } from 'typeorm';
import { create } from './online.js';
import { Step } from './step.js';

export class ArchivedCharges1764010900070 extends Step {
  readonly name = 'ArchivedCharges1764010900070';

  async up(queryRunner: QueryRunner): Promise<void> {
    await create(queryRunner, 'archived_charges', 'archived_charges_reference', 'archived_charges_transaction_id');
  }
}
