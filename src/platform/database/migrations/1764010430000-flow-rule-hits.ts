import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many payments each rule of a flow decided, by the hour of their creation. A rule is known by a hash of its JSON, so
 * that its hits survive versions. Processes of the version before count none.
 */
export class FlowRuleHits1764010430000 implements MigrationInterface {
  name = 'FlowRuleHits1764010430000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE flow_rule_hits');
  }
}

const UP = [
  // slot: the connection that counts, so that counting never waits; 0: the sum of a past hour
  `CREATE TABLE flow_rule_hits (
    flow_id bigint NOT NULL,
    rule_key text NOT NULL,
    hour timestamptz(0) NOT NULL,
    slot integer NOT NULL,
    hits bigint NOT NULL,
    PRIMARY KEY (flow_id, rule_key, hour, slot)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX flow_rule_hits_of_connections ON flow_rule_hits (hour) WHERE slot > 0',
  'CREATE INDEX flow_rule_hits_of_hours ON flow_rule_hits (hour) WHERE slot = 0',
];
