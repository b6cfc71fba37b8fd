/** SQL that moves the next tries of operations `o` to a time, for those that `which` is true of. */
export const moveTries = (at: string, which: string): string =>
  `UPDATE due_work d SET due_at = ${at} FROM provider_operations o
    WHERE d.kind = 'operation' AND d.subject_id = o.payment_id AND d.part = o.id AND (${which})`;

/** SQL that gives operations `o` a state and stops them, as recovery does after three days. Returns `payment_id` and `id`. */
export const stopOperations = (which: string, state = `'unknown'`): string =>
  `WITH stopped AS (UPDATE provider_operations o SET state = ${state} WHERE ${which} RETURNING payment_id, id), work AS (
      INSERT INTO due_work (kind, subject_id, part, due_at) SELECT 'operation', payment_id, id, 'infinity' FROM stopped
      ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at
    ) SELECT payment_id, id FROM stopped`;

/** SQL condition: the operation `o` has a row of `due_work`. */
export const HAS_WORK = `EXISTS (SELECT FROM due_work d
    WHERE d.kind = 'operation' AND d.subject_id = o.payment_id AND d.part = o.id)`;

/** SQL condition: a worker tries the operation `o` at some time. */
export const IS_TRIED = `EXISTS (SELECT FROM due_work d
    WHERE d.kind = 'operation' AND d.subject_id = o.payment_id AND d.part = o.id AND d.due_at < 'infinity')`;
