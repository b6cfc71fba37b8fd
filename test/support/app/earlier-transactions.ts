import type { TestDatabase } from '../servers/database.js';
import { eventually } from '../eventually.js';

/**
 * Waits until all that is written becomes visible in `GET /events`: a transaction of any test of the cluster, if it is
 * earlier, holds back the events after it, for example the activation of a flow.
 */
export async function earlierTransactions({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  const { rows } = await pool.query<{ number: string }>('SELECT pg_current_xact_id()::text AS number');
  await eventually(async () => {
    const { rows: ended } = await pool.query('SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8', [
      rows[0]!.number,
    ]);
    return ended.length === 1;
  });
}
