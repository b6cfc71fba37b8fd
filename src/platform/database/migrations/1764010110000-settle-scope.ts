import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The scope `payments:settle`. No client gets it by the migration, also not with `payments:write`: whoever settles an
 * operation decides about money against the provider, so it must be given by name. A return to the version before takes
 * it away, because that version does not know it.
 */
export class SettleScope1764010110000 implements MigrationInterface {
  name = 'SettleScope1764010110000';

  async up(): Promise<void> {
    // nothing changes; see above
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE api_clients SET scopes = array_remove(scopes, 'payments:settle')`);
  }
}
