import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['payments', 'payment_attempts'];

/**
 * Vacuum follows the tables of payments: lists read the entries of dead rows. A page of attempts has room for their ends, which
 * then write no index entry under load either.
 */
export class VacuumedPayments1764010702000 implements MigrationInterface {
  name = 'VacuumedPayments1764010702000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(
        `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
      );
    }
    await queryRunner.query('ALTER TABLE payment_attempts SET (fillfactor = 60)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payment_attempts SET (fillfactor = 80)');
    for (const table of TABLES) {
      await queryRunner.query(
        `ALTER TABLE ${table} RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_cost_delay)`,
      );
    }
  }
}
