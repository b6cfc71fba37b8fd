/** Whether `error` is PostgreSQL's unique_violation (SQLSTATE 23505) of the given constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const source = (error as { driverError?: unknown }).driverError ?? error;
  const { code, constraint: violated } = source as { code?: string; constraint?: string };
  return code === '23505' && violated === constraint;
}

/**
 * Data exceptions (22), violated constraints (23), rollbacks by deadlock or serialization (40), rows beyond a limit of
 * PostgreSQL (54), a lock that was not to be had in time and a statement that took too long.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const OF_SOME_ROWS = /^((22|23|40|54)...|55P03|57014)$/;

/**
 * Whether `error` tells that PostgreSQL rolled a statement back on account of some of its rows: nothing of it is done, and
 * the others may succeed without them. True of timeouts as well: they end a statement before its commit begins. Never of
 * a lost connection or a shutdown, which leave open what was committed.
 */
export function isRowFault(error: unknown): boolean {
  const source = (error as { driverError?: unknown } | null)?.driverError ?? error;
  const code = (source as { code?: unknown } | null)?.code;
  return typeof code === 'string' && OF_SOME_ROWS.test(code);
}

/** Whether a lock was not to be had in time (`lock_timeout`), or PostgreSQL ended a deadlock at the cost of this statement. */
export function isLockFault(error: unknown): boolean {
  const source = (error as { driverError?: unknown } | null)?.driverError ?? error;
  return ['55P03', '40P01'].includes((source as { code?: string } | null)?.code ?? '');
}

/** Whether `error` is PostgreSQL's foreign_key_violation (SQLSTATE 23503). */
export const isForeignKeyViolation = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === '23503';

/** Whether `error` is PostgreSQL's undefined_table (SQLSTATE 42P01). */
export const isUndefinedTable = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '42P01';
