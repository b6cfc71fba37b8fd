/**
 * A CTE named `lazy` that keeps its statement from waiting for the disk when it commits; put it first and `lazy` into a
 * FROM, or it is not evaluated. Others see the commit at once. A crash of the server may lose it for as long as nothing
 * that waits has been committed after it: WAL is flushed in order. So it is for what is worth nothing without a later
 * commit, or after a crash. https://www.postgresql.org/docs/current/wal-async-commit.html
 */
export const LAZY_COMMIT = `lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;
