// Behind a pooler in transaction mode each transaction may run in another session. A setting that we SET would stay for
// the next client of that session, so time-outs and planner settings come from the role (`role-settings.ts`). And a
// prepared statement may be unknown in the session that is to run it.
//
// Why not a setting for prepared statements: it would be wrong for the next pooler. Why not require PgBouncer 1.21: we
// promise 1.18, which the tests run on.
import { randomUUID } from 'node:crypto';
import type { ClientBase, QueryConfig } from 'pg';

/**
 * Uses named prepared statements where the pooler tracks them, as PgBouncer does from 1.21 on with
 * `max_prepared_statements`. Otherwise statements have no name, and each run is planned again. Every new connection is
 * probed, because a pooler may be replaced, or be one of several.
 */
export async function adaptToPooler(client: ClientBase): Promise<void> {
  if (await tracksPreparedStatements(client)) return;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((first: unknown, ...rest: unknown[]) => query(withoutName(first), ...rest)) as typeof client.query;
}

/** A pooler that tracks statements renames them, so the server does not know ours by its name. */
async function tracksPreparedStatements(client: ClientBase): Promise<boolean> {
  const name = `probe_${randomUUID()}`;
  await client.query('BEGIN');
  const probe = { name, text: 'SELECT FROM pg_prepared_statements WHERE name = $1', values: [name] };
  const isServers = (await client.query(probe)).rowCount === 1;
  await client.query(isServers ? `DEALLOCATE "${name}"; COMMIT` : 'COMMIT');
  return !isServers;
}

const withoutName = (query: unknown): unknown => {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query;
  const { name: _, ...unnamed } = query as QueryConfig;
  return unnamed;
};
