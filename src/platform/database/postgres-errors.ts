/**
 * PostgreSQL's own error inside TypeORM's. SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const sourceOf = (error: unknown): { code?: unknown; constraint?: unknown } =>
  (error as { driverError?: object } | null)?.driverError ?? error ?? {};

/** Whether `error` is a unique_violation of the given constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  sourceOf(error).code === '23505' && sourceOf(error).constraint === constraint;

/**
 * SQLSTATEs of errors that some of a statement's rows cause: data exceptions (22), violated constraints (23), rollbacks
 * by deadlock or serialization (40), rows beyond a limit (54), a lock that was not available in time (55P03), and a
 * statement that took too long (57014).
 */
const ROW_FAULT = /^((22|23|40|54)...|55P03|57014)$/;

/**
 * Whether PostgreSQL rolled a statement back because of some of its rows. Then none of it is done, and the other rows
 * may succeed without them. Also true of time-outs, which end a statement before its commit begins. Never true of a
 * lost connection or a shutdown: after those it is unknown what was committed.
 */
export const isRowFault = (error: unknown): boolean => ROW_FAULT.test(String(sourceOf(error).code));

/** Whether a lock was not available in time (`lock_timeout`), or PostgreSQL ended a deadlock at the cost of this statement. */
export const isLockFault = (error: unknown): boolean => ['55P03', '40P01'].includes(String(sourceOf(error).code));

/** Whether the statement took too long (`statement_timeout`). */
export const isQueryCanceled = (error: unknown): boolean => sourceOf(error).code === '57014';

/** Whether `error` is a foreign_key_violation. */
export const isForeignKeyViolation = (error: unknown): boolean => sourceOf(error).code === '23503';

/** Whether `error` is an undefined_table. */
export const isUndefinedTable = (error: unknown): boolean => sourceOf(error).code === '42P01';
