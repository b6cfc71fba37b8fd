/** Whether `error` is PostgreSQL's unique_violation (SQLSTATE 23505) of the given constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const source = (error as { driverError?: unknown }).driverError ?? error;
  const { code, constraint: violated } = source as { code?: string; constraint?: string };
  return code === '23505' && violated === constraint;
}
