import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Outcomes of shops by hour, which `approval_cells` count. Workers of the version before still write the table, so only a
 * new database goes without it; in others the next version drops it.
 */
export class NoOutcomeHours1764010810000 implements MigrationInterface {
  name = 'NoOutcomeHours1764010810000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const merchants = (await queryRunner.query('SELECT id FROM merchants LIMIT 1')) as object[];
    if (merchants.length === 0) await queryRunner.query('DROP TABLE shop_outcome_hours');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const DOWN = [
  `CREATE TABLE IF NOT EXISTS shop_outcome_hours (
    shop_id bigint NOT NULL,
    hour timestamptz(0) NOT NULL,
    approved integer NOT NULL,
    declined integer NOT NULL,
    failed integer NOT NULL,
    unusable integer NOT NULL DEFAULT 0,
    PRIMARY KEY (shop_id, hour)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX IF NOT EXISTS shop_outcome_hours_hour ON shop_outcome_hours (hour)',
];
