import type { QueryRunner } from 'typeorm';
import { withoutLockLimit } from '../../platform/database/migration-locks.js';
import { create, createOnline, dropIndexes } from './online.js';
import { Step } from './step.js';

/**
 * Moves the due times of operations into `due_work`, and takes `state` out of all indexes of `provider_operations`: the
 * answer to a charge becomes a HOT update.
 * - Processes of the version before write `next_try_at`; triggers copy it. They do not see when the operations of this
 *   version are due, so workers of this version try those. Their counts of open operations read the whole table.
 * - The unique indexes have the columns that `ON CONFLICT` of those processes names. A refused operation leaves them when
 *   another one of its kind is recorded: its attempt moves to `earlier_attempt`.
 */
export class DueOperations1764010900050 extends Step {
  readonly name = 'DueOperations1764010900050';

  async up(queryRunner: QueryRunner): Promise<void> {
    await create(queryRunner, 'due_work');
    for (const statement of CONSTRAINTS) await queryRunner.query(statement);
    for (const statement of COPIED) await createOnline(queryRunner, statement);
    await withoutLockLimit(queryRunner, async () => {
      for (const statement of MOVE) await queryRunner.query(statement);
    });
    await create(queryRunner, 'due_work_due_at', 'due_work_owner_id');
    await create(queryRunner, 'provider_operations_key', 'provider_operations_capture_key');
    await dropIndexes(queryRunner, ...REPLACED);
  }
}

const CONSTRAINTS = [
  // the checks would refuse the end of an operation of a process of the version before, and refused operations
  `ALTER TABLE provider_operations
    DROP CONSTRAINT IF EXISTS provider_operations_check,
    DROP CONSTRAINT IF EXISTS provider_operations_attempt_check,
    ADD CONSTRAINT provider_operations_attempt_check
      CHECK (num_nonnulls(attempt, charge_attempt, earlier_attempt) = 1) NOT VALID`,
  'ALTER TABLE provider_operations VALIDATE CONSTRAINT provider_operations_attempt_check',
];

const IS_OPEN = `state IN ('open', 'pending', 'unknown')`;

const COPIED = [
  `CREATE FUNCTION copy_next_try_at() RETURNS trigger LANGUAGE plpgsql AS $$
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
  `CREATE TRIGGER provider_operations_copy_first_try AFTER INSERT ON provider_operations
    FOR EACH ROW WHEN (NEW.next_try_at IS NOT NULL) EXECUTE FUNCTION copy_next_try_at()`,
  `CREATE TRIGGER provider_operations_copy_next_try AFTER UPDATE OF next_try_at ON provider_operations
    FOR EACH ROW WHEN (OLD.next_try_at IS DISTINCT FROM NEW.next_try_at) EXECUTE FUNCTION copy_next_try_at()`,
  // operations of this version have no entry
  'CREATE INDEX provider_operations_next_try_at ON provider_operations (next_try_at) WHERE next_try_at IS NOT NULL',
];

const MOVE = [
  `INSERT INTO due_work (kind, subject_id, part, owner_id, due_at)
    SELECT 'operation', payment_id, id, merchant_id, coalesce(next_try_at, 'infinity') FROM provider_operations
    WHERE ${IS_OPEN} ORDER BY payment_id, id ON CONFLICT DO NOTHING`,
  // refused operations that a later one of their kind has replaced
  `UPDATE provider_operations o SET earlier_attempt = coalesce(attempt, charge_attempt), attempt = NULL, charge_attempt = NULL
    WHERE o.state = 'refused' AND o.earlier_attempt IS NULL
      AND ((o.kind <> 'charge' AND o.attempt IS NOT NULL) OR o.kind = 'capture')
      AND EXISTS (SELECT FROM provider_operations l WHERE l.payment_id = o.payment_id AND l.kind = o.kind AND l.id <> o.id
        AND coalesce(l.attempt, l.charge_attempt) = coalesce(o.attempt, o.charge_attempt)
        AND (l.state <> 'refused' OR l.id > o.id))`,
];

const REPLACED = [
  'provider_operations_open',
  'provider_operations_open_of_merchant',
  'provider_operations_maybe_stuck',
  'provider_operations_live_key',
  'provider_operations_live_capture',
  'provider_operations_live_refund',
];
