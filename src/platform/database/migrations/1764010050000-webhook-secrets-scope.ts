import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `webhooks:read` included the webhook secrets of shops. Clients that hold it keep them by the new scope, which processes of
 * the version before ignore. Clients are few; their rows are locked for as long as one statement takes.
 */
export class WebhookSecretsScope1764010050000 implements MigrationInterface {
  name = 'WebhookSecretsScope1764010050000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE api_clients SET scopes = scopes || 'webhooks:secrets'::text
       WHERE 'webhooks:read' = ANY (scopes) AND 'webhooks:secrets' <> ALL (scopes)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE api_clients SET scopes = array_remove(scopes, 'webhooks:secrets')`);
  }
}
