import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A page of idempotency keys has room for their answers, which are ten times as long as the keys: an answer then writes no
 * index entry (HOT). A page is as full in the end as without the room.
 */
export class RoomForAnswers1764010757000 implements MigrationInterface {
  name = 'RoomForAnswers1764010757000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys SET (fillfactor = 18)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys RESET (fillfactor)');
  }
}
