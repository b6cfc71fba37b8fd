import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The public id of an event, for the body of a change of status: the same value as `idOf` of event-log.service.ts and
 * `push_webhook_events()`. PL/pgSQL keeps its plan, and shows none of its own in the statements that write payments.
 */
export class EventIds1764010541000 implements MigrationInterface {
  name = 'EventIds1764010541000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE OR REPLACE FUNCTION event_id(id bigint) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
        BEGIN
          RETURN 'evt_' || left(encode(sha256(convert_to(
            (SELECT installation FROM event_log) || ':' || id, 'UTF8')), 'hex'), 32);
        END $$`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION event_id');
  }
}
