import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where API processes put their counts together when there is no Redis. Nobody misses it after a crash. */
export class RateLimits1763740000000 implements MigrationInterface {
  name = 'RateLimits1763740000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // no index on full_at: updates stay on their page, and who cleans up reads a small table
    await queryRunner.query(`CREATE UNLOGGED TABLE rate_limits (
      key text PRIMARY KEY,
      full_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE rate_limits');
  }
}
