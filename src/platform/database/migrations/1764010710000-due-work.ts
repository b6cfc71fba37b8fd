import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { withoutLockLimit } from '../migration-locks.js';

/**
 * Moves the due times of operations into `due_work`, and takes `state` out of all indexes of `provider_operations`: the
 * answer to a charge becomes a HOT update.
 * - Processes of the version before write `next_try_at`; triggers copy it. They do not see when the operations of this
 *   version are due, so workers of this version try those. Their counts of open operations read the whole table.
 * - The unique indexes have the columns that `ON CONFLICT` of those processes names. A refused operation leaves them when
 *   another one of its kind is recorded: its attempt moves to `earlier_attempt`.
 * - If the migration is interrupted, it continues when it runs again.
 */
export class DueWork1764010710000 implements MigrationInterface {
  name = 'DueWork1764010710000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
    await queryRunner.query('ALTER TABLE provider_operations VALIDATE CONSTRAINT provider_operations_attempt_check');
    await withoutLockLimit(queryRunner, async () => {
      for (const statement of MOVE) await queryRunner.query(statement);
    });
    for (const [name, { kind, definition }] of Object.entries(INDEXES))
      await createIndex(queryRunner, name, definition, kind);
    await withoutLockLimit(queryRunner, async () => {
      for (const name of Object.keys(OLD_INDEXES)) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
    for (const [name, { kind, definition }] of Object.entries(OLD_INDEXES))
      await queryRunner.query(`CREATE ${kind} ${name} ${definition}`);
    await queryRunner.query('DROP TABLE due_work');
  }
}

type Indexes = Record<string, { kind: 'INDEX' | 'UNIQUE INDEX'; definition: string }>;

const IS_OPEN = `state IN ('open', 'pending', 'unknown')`;

const UP = [
  // rows live for a second; an update moves due_at, which is indexed, so free space in pages would help none
  `CREATE TABLE IF NOT EXISTS due_work (
    kind text NOT NULL,
    subject_id bigint NOT NULL,
    part bigint NOT NULL DEFAULT 0,
    owner_id bigint,
    due_at timestamptz(3) NOT NULL,
    PRIMARY KEY (kind, subject_id, part)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0)`,
  // the check would refuse the end of an operation of a process of the version before
  `ALTER TABLE provider_operations
    ADD COLUMN IF NOT EXISTS earlier_attempt smallint,
    DROP CONSTRAINT IF EXISTS provider_operations_check,
    DROP CONSTRAINT IF EXISTS provider_operations_attempt_check`,
  `ALTER TABLE provider_operations ADD CONSTRAINT provider_operations_attempt_check
    CHECK (num_nonnulls(attempt, charge_attempt, earlier_attempt) = 1) NOT VALID`,
  `CREATE OR REPLACE FUNCTION copy_next_try_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.state IN ('open', 'pending', 'unknown') THEN
        INSERT INTO due_work (kind, subject_id, part, owner_id, due_at)
        VALUES ('operation', NEW.payment_id, NEW.id, NEW.merchant_id, coalesce(NEW.next_try_at, 'infinity'))
        ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at;
      ELSE
        DELETE FROM due_work WHERE kind = 'operation' AND subject_id = NEW.payment_id AND part = NEW.id;
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE TRIGGER provider_operations_copy_first_try AFTER INSERT ON provider_operations
    FOR EACH ROW WHEN (NEW.next_try_at IS NOT NULL) EXECUTE FUNCTION copy_next_try_at()`,
  `CREATE OR REPLACE TRIGGER provider_operations_copy_next_try AFTER UPDATE OF next_try_at ON provider_operations
    FOR EACH ROW WHEN (OLD.next_try_at IS DISTINCT FROM NEW.next_try_at) EXECUTE FUNCTION copy_next_try_at()`,
];

const MOVE = [
  `INSERT INTO due_work (kind, subject_id, part, owner_id, due_at)
    SELECT 'operation', payment_id, id, merchant_id, coalesce(next_try_at, 'infinity') FROM provider_operations WHERE ${IS_OPEN}
    ORDER BY payment_id, id ON CONFLICT DO NOTHING`,
  // refused operations that a later one of their kind has replaced
  `UPDATE provider_operations o SET earlier_attempt = coalesce(attempt, charge_attempt), attempt = NULL, charge_attempt = NULL
    WHERE o.state = 'refused' AND o.earlier_attempt IS NULL
      AND ((o.kind <> 'charge' AND o.attempt IS NOT NULL) OR o.kind = 'capture')
      AND EXISTS (SELECT FROM provider_operations l WHERE l.payment_id = o.payment_id AND l.kind = o.kind AND l.id <> o.id
        AND coalesce(l.attempt, l.charge_attempt) = coalesce(o.attempt, o.charge_attempt)
        AND (l.state <> 'refused' OR l.id > o.id))`,
];

const INDEXES: Indexes = {
  due_work_kind_due_at: { kind: 'INDEX', definition: 'ON due_work (kind, due_at)' },
  due_work_owner_id: { kind: 'INDEX', definition: 'ON due_work (owner_id, kind) WHERE owner_id IS NOT NULL' },
  provider_operations_key: {
    kind: 'UNIQUE INDEX',
    definition: `ON provider_operations (payment_id, attempt, kind) WHERE kind <> 'charge'`,
  },
  provider_operations_capture_key: {
    kind: 'UNIQUE INDEX',
    definition: `ON provider_operations (payment_id, charge_attempt) WHERE kind = 'capture'`,
  },
  // for processes of the version before; operations of this version have no entry
  provider_operations_next_try_at: {
    kind: 'INDEX',
    definition: 'ON provider_operations (next_try_at) WHERE next_try_at IS NOT NULL',
  },
};

const OLD_INDEXES: Indexes = {
  provider_operations_open: { kind: 'INDEX', definition: `ON provider_operations (next_try_at) WHERE ${IS_OPEN}` },
  provider_operations_open_of_merchant: {
    kind: 'INDEX',
    definition: `ON provider_operations (merchant_id, created_at) WHERE ${IS_OPEN}`,
  },
  provider_operations_maybe_stuck: {
    kind: 'INDEX',
    definition: `ON provider_operations (created_at) WHERE stuck_at IS NULL AND (state = 'unknown'
      OR (state = 'open' AND kind <> 'charge') OR (state IN ('open', 'pending') AND next_try_at IS NULL))`,
  },
  provider_operations_live_key: {
    kind: 'UNIQUE INDEX',
    definition: `ON provider_operations (payment_id, attempt, kind) WHERE kind <> 'charge' AND state <> 'refused'`,
  },
  provider_operations_live_capture: {
    kind: 'UNIQUE INDEX',
    definition: `ON provider_operations (payment_id, charge_attempt) WHERE kind = 'capture' AND state <> 'refused'`,
  },
  provider_operations_live_refund: {
    kind: 'UNIQUE INDEX',
    definition: `ON provider_operations (refund_id) WHERE refund_id IS NOT NULL AND state <> 'refused'`,
  },
};

const DOWN = [
  'DROP TRIGGER provider_operations_copy_first_try ON provider_operations',
  'DROP TRIGGER provider_operations_copy_next_try ON provider_operations',
  'DROP FUNCTION copy_next_try_at',
  'DROP INDEX provider_operations_next_try_at',
  'DROP INDEX provider_operations_key',
  'DROP INDEX provider_operations_capture_key',
  `UPDATE provider_operations SET next_try_at = NULL WHERE NOT ${IS_OPEN} AND next_try_at IS NOT NULL`,
  `UPDATE provider_operations o SET next_try_at = nullif(d.due_at, 'infinity') FROM due_work d
    WHERE d.kind = 'operation' AND d.subject_id = o.payment_id AND d.part = o.id AND o.${IS_OPEN}`,
  // the void or reversal has its attempt in `attempt`, the capture in `charge_attempt`
  `UPDATE provider_operations SET attempt = CASE WHEN kind <> 'capture' THEN earlier_attempt END,
    charge_attempt = CASE WHEN kind = 'capture' THEN earlier_attempt END, earlier_attempt = NULL WHERE earlier_attempt IS NOT NULL`,
  `ALTER TABLE provider_operations DROP CONSTRAINT provider_operations_attempt_check,
    ADD CONSTRAINT provider_operations_attempt_check CHECK (num_nonnulls(attempt, charge_attempt) = 1),
    ADD CONSTRAINT provider_operations_check CHECK (next_try_at IS NULL OR ${IS_OPEN}), DROP COLUMN earlier_attempt`,
];
