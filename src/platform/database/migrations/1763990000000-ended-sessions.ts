import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions of people that were ended before their time (docs/decisions/040-the-console.md). Processes of the version before
 * look at none of it. Changes the catalog alone.
 */
export class EndedSessions1763990000000 implements MigrationInterface {
  name = 'EndedSessions1763990000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // `over_at`: when it would have ended by itself, after which nobody asks for it
    await queryRunner.query('CREATE TABLE ended_sessions (id uuid PRIMARY KEY, over_at timestamptz(0) NOT NULL)');
    await queryRunner.query('CREATE INDEX ended_sessions_over_at ON ended_sessions (over_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ended_sessions');
  }
}
