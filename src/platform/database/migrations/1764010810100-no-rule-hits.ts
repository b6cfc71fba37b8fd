import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Hits of rules, which payments tell when someone asks. Processes of the version before still write the table with each
 * payment, so only a new database goes without it; in others the next version drops it.
 */
export class NoRuleHits1764010810100 implements MigrationInterface {
  name = 'NoRuleHits1764010810100';

  async up(queryRunner: QueryRunner): Promise<void> {
    const merchants = (await queryRunner.query('SELECT id FROM merchants LIMIT 1')) as object[];
    if (merchants.length === 0) await queryRunner.query('DROP TABLE flow_rule_hits');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const DOWN = [
  `CREATE TABLE IF NOT EXISTS flow_rule_hits (
    flow_id bigint NOT NULL,
    rule_key text NOT NULL,
    hour timestamptz(0) NOT NULL,
    slot integer NOT NULL,
    hits bigint NOT NULL,
    PRIMARY KEY (flow_id, rule_key, hour, slot)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX IF NOT EXISTS flow_rule_hits_of_connections ON flow_rule_hits (hour) WHERE slot > 0',
  'CREATE INDEX IF NOT EXISTS flow_rule_hits_of_hours ON flow_rule_hits (hour) WHERE slot = 0',
];
