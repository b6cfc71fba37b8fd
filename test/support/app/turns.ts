import type { Pool } from 'pg';

/** Makes all shared work of workers due now, whoever did it last. */
export const makeTurnsDue = (pool: Pool) =>
  pool.query(`SELECT setval(c.oid::regclass, 1) FROM pg_class c WHERE c.relkind = 'S' AND c.relname LIKE '%\\_turn'`);

/**
 * As where no worker has been for long: those that stopped would count for seven seconds more, and the more workers count, the
 * less often each looks for what is due (up to two seconds). One that still runs counts again with its next beat.
 */
export async function forgetWorkers(pool: Pool): Promise<void> {
  await pool.query('DELETE FROM worker_beats');
  await makeTurnsDue(pool);
}
