import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `lane_reconciler_turn` is there already. */
const TURNS = [
  'worker_beats_turn',
  'payment_expiry_turn',
  'operation_recovery_turn',
  'waiting_notifications_turn',
  'chore_customer_erasures_turn',
  'chore_endpoint_outcomes_turn',
  'chore_failing_endpoints_turn',
  'chore_idempotency_keys_turn',
  'chore_provider_notifications_turn',
  'chore_shop_counters_turn',
  'chore_shop_outcome_hours_turn',
  'chore_shop_outcomes_turn',
  'chore_webhook_bodies_turn',
  'chore_webhook_deliveries_turn',
  'chore_webhook_events_turn',
  'chore_webhook_redeliveries_turn',
];

/**
 * Workers that live, and what one of them does at a time (`WorkerTurns`). A beat counts until its time is over. The table
 * is not logged: after a crash of the server the workers tell that they live again within seconds.
 */
export class WorkerBeats1763970000000 implements MigrationInterface {
  name = 'WorkerBeats1763970000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE UNLOGGED TABLE worker_beats (until timestamptz NOT NULL, worker uuid NOT NULL)');
    await queryRunner.query('CREATE INDEX worker_beats_until ON worker_beats (until, worker)');
    for (const turn of TURNS) await queryRunner.query(`CREATE SEQUENCE ${turn} AS bigint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const turn of TURNS) await queryRunner.query(`DROP SEQUENCE ${turn}`);
    await queryRunner.query('DROP TABLE worker_beats');
  }
}
