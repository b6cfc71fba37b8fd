import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The scope `flows:activate`, and who wrote and activated each version of a flow. `flows:write` included activation: clients
 * that hold it keep it by the new scope, which processes of the version before ignore. Those processes write versions
 * without an author, as are all versions from before.
 */
export class FlowReasons1764010440000 implements MigrationInterface {
  name = 'FlowReasons1764010440000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE flow_versions ADD COLUMN IF NOT EXISTS created_by text, ADD COLUMN IF NOT EXISTS activated_by text,
       ADD COLUMN IF NOT EXISTS reason text`,
    );
    await queryRunner.query(
      `UPDATE api_clients SET scopes = scopes || 'flows:activate'::text
       WHERE 'flows:write' = ANY (scopes) AND 'flows:activate' <> ALL (scopes)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE api_clients SET scopes = array_remove(scopes, 'flows:activate')`);
    await queryRunner.query(
      'ALTER TABLE flow_versions DROP COLUMN created_by, DROP COLUMN activated_by, DROP COLUMN reason',
    );
  }
}
