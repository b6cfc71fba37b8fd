import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One step of an upgrade while processes of both versions serve. It runs outside of a transaction, so that no lock is held
 * while another one is waited for; begun anew after an interruption, it continues.
 */
export abstract class Step implements MigrationInterface {
  abstract readonly name: string;
  readonly transaction = false;

  abstract up(queryRunner: QueryRunner): Promise<void>;

  down(): Promise<never> {
    return Promise.reject(new Error('the schema of the previous version comes back only by a restore'));
  }
}
