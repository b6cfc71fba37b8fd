// Why not a setting: it would be wrong for the next pooler. Why not PgBouncer 1.21 as a requirement: we promise 1.18, which the tests run on.
//
// Behind a pooler in transaction mode every transaction may be another session's. What we SET would stay with whoever gets
// the session next, so bounds and plans come with the role (`role-settings.ts`); and a statement prepared under a name may
// be unknown where it is to run.
import { randomUUID } from 'node:crypto';
import type { ClientBase, QueryConfig } from 'pg';

/**
 * Has statements prepared under their names where the pooler keeps account of them, as PgBouncer does from 1.21 on with
 * `max_prepared_statements`, and without a name otherwise: each is then planned anew. Asked of every new connection, so a
 * pooler may be exchanged for another one, or be one of several.
 */
export async function adaptToPooler(client: ClientBase): Promise<void> {
  if (await keepsPreparedStatements(client)) return;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((first: unknown, ...rest: unknown[]) => query(withoutName(first), ...rest)) as typeof client.query;
}

/** A pooler that keeps account gives the statement a name of its own: the server does not know it under ours. */
async function keepsPreparedStatements(client: ClientBase): Promise<boolean> {
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
