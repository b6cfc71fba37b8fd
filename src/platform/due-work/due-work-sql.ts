/**
 * SQL about rows of `due_work` inside statements of features. A row is written in the statement that writes its subject,
 * and deleted in the one that ends it, so that no work is lost and none remains. The time `infinity`: no worker does it,
 * but it stays visible. A worker that moves the time has claimed the work until then.
 */
export interface DueSubject {
  /** The kind of work, a constant. */
  kind: string;
  /** SQL of the subject's id. */
  id: string;
  /** SQL of the number of its part; default: the whole. */
  part?: string;
  /** SQL of whose work it is, for lists; default: of no one. */
  owner?: string;
}

/** Condition: the row `d` of `due_work` is about the subject. */
export const isDueWorkOf = ({ kind, id, part = '0' }: DueSubject): string =>
  `d.kind = '${kind}' AND d.subject_id = ${id} AND d.part = ${part}`;

/**
 * Condition: work of the kind is due. Rows at `infinity` are not in the index of due times, which PostgreSQL uses only for
 * conditions that leave them out.
 */
export const isDue = (kind: string): string =>
  `kind = ${kind} AND due_at <= statement_timestamp() AND due_at < 'infinity'`;

/** The time at which the subject is due; `NULL`: no worker does the work, or there is none. */
export const dueAtOf = (subject: DueSubject): string =>
  `(SELECT nullif(d.due_at, 'infinity') FROM due_work d WHERE ${isDueWorkOf(subject)})`;

/** Adds the work of each row of `relation`, due at `dueAt`. */
export const addDueWorkFrom = (relation: string, { kind, id, part = '0', owner = 'NULL' }: DueSubject, dueAt: string) =>
  `INSERT INTO due_work (kind, subject_id, part, owner_id, due_at)
      SELECT '${kind}', ${id}, ${part}, ${owner}, ${dueAt} FROM ${relation}`;

/** Like {@link addDueWorkFrom}, for subjects that may have the work already: its time moves. */
export const setDueWorkFrom = (relation: string, subject: DueSubject, dueAt: string): string =>
  `${addDueWorkFrom(relation, subject, dueAt)}
      ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at`;

/**
 * The list of ids lets PostgreSQL look rows up regardless of its estimate of the table's size. It reads the whole relation
 * first, whose rows are thus locked before those of `due_work`.
 */
const isOneOf = (relation: string, { id }: DueSubject): string => `= ANY (ARRAY(SELECT ${id} FROM ${relation}))`;
const isDueWorkIn = (relation: string, subject: DueSubject, isOfThese = isOneOf(relation, subject)): string =>
  `d.subject_id ${isOfThese} AND ${isDueWorkOf(subject)}`;

/** Ends the work of each row of `relation`. `isOfThese`: the condition on their ids, if the statement knows a narrower one. */
export const endDueWorkFrom = (relation: string, subject: DueSubject, isOfThese?: string): string =>
  `DELETE FROM due_work d USING ${relation} WHERE ${isDueWorkIn(relation, subject, isOfThese)}`;

/** Moves the work of each row of `relation` to `dueAt`; `which`: a condition on the row `d`. */
export const moveDueWorkFrom = (relation: string, subject: DueSubject, dueAt: string, which = 'true'): string =>
  `UPDATE due_work d SET due_at = ${dueAt} FROM ${relation} WHERE ${isDueWorkIn(relation, subject)} AND ${which}`;
