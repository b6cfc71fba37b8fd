import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments of the sandbox count in clusters of their own, from 256, so that they can be left out where a rollout uses
 * real shops. Later attempts may change a payment's provider: then its count moves. Payments before the migration stay in the
 * clusters below. The version before adds the sums of all clusters, as it did.
 */
export class SandboxRolloutCounts1764010550000 implements MigrationInterface {
  name = 'SandboxRolloutCounts1764010550000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const trigger = (columns: string, change = ''): string =>
  `CREATE OR REPLACE TRIGGER payments_recount_in_rollout AFTER UPDATE OF ${columns} ON payments FOR EACH ROW
    WHEN (NEW.rollout_id IS NOT NULL AND (OLD.status <> NEW.status
      OR (OLD.amount_authorized > 0) <> (NEW.amount_authorized > 0)${change}))
    EXECUTE FUNCTION count_rollout_payment()`;

const UP = [
  `CREATE OR REPLACE FUNCTION count_rollout_payment() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      is_sandbox integer := (NEW.payment_provider = 'sandbox')::integer;
      begun integer := 1;
      approvals integer := rollout_approvals(NEW.status, NEW.amount_authorized);
      declines integer := (NEW.status = 'failed')::integer;
      left_cluster integer;
      left_approvals integer := 0;
      left_declines integer := 0;
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        left_approvals := rollout_approvals(OLD.status, OLD.amount_authorized);
        left_declines := (OLD.status = 'failed')::integer;
        IF (OLD.payment_provider = 'sandbox')::integer = is_sandbox THEN
          begun := 0;
          approvals := approvals - left_approvals;
          declines := declines - left_declines;
          IF approvals = 0 AND declines = 0 THEN RETURN NULL; END IF;
        ELSE
          left_cluster := (1 - is_sandbox) << 8;
        END IF;
      END IF;
      INSERT INTO flow_rollout_counts AS c (rollout_id, stage, candidate, cluster, slot, payments, approved, declined)
      SELECT r.id, NEW.rollout_stage, NEW.flow_version = r.version,
        moved.cluster + (hashint8(coalesce(NEW.customer_id, NEW.id)) & 255),
        (floor(extract(epoch FROM now()) / 3600)::bigint << 22) + pg_backend_pid(), moved.payments, moved.approved, moved.declined
      FROM flow_rollouts r CROSS JOIN (
        VALUES (is_sandbox << 8, begun, approvals, declines), (left_cluster, -1, -left_approvals, -left_declines)
      ) moved (cluster, payments, approved, declined)
      WHERE r.id = NEW.rollout_id AND moved.cluster IS NOT NULL
      ON CONFLICT (rollout_id, stage, candidate, cluster, slot) DO UPDATE SET payments = c.payments + excluded.payments,
        approved = c.approved + excluded.approved, declined = c.declined + excluded.declined;
      RETURN NULL;
    END $$`,
  trigger(
    'status, amount_authorized, payment_provider',
    ` OR (OLD.payment_provider = 'sandbox') <> (NEW.payment_provider = 'sandbox')`,
  ),
];

/** As in the migration `flow-rollouts`. */
const DOWN = [
  trigger('status, amount_authorized'),
  `CREATE OR REPLACE FUNCTION count_rollout_payment() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      begun integer := 1;
      approvals integer := rollout_approvals(NEW.status, NEW.amount_authorized);
      declines integer := (NEW.status = 'failed')::integer;
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        begun := 0;
        approvals := approvals - rollout_approvals(OLD.status, OLD.amount_authorized);
        declines := declines - (OLD.status = 'failed')::integer;
        IF approvals = 0 AND declines = 0 THEN RETURN NULL; END IF;
      END IF;
      INSERT INTO flow_rollout_counts AS c (rollout_id, stage, candidate, cluster, slot, payments, approved, declined)
      SELECT r.id, NEW.rollout_stage, NEW.flow_version = r.version, hashint8(coalesce(NEW.customer_id, NEW.id)) & 255,
        (floor(extract(epoch FROM now()) / 3600)::bigint << 22) + pg_backend_pid(), begun, approvals, declines
      FROM flow_rollouts r WHERE r.id = NEW.rollout_id
      ON CONFLICT (rollout_id, stage, candidate, cluster, slot) DO UPDATE SET payments = c.payments + excluded.payments,
        approved = c.approved + excluded.approved, declined = c.declined + excluded.declined;
      RETURN NULL;
    END $$`,
];
