import type { Pool } from 'pg';

/** Makes all scheduled tasks due now, whoever ran them last. */
export const makeTasksDue = (pool: Pool) => pool.query('UPDATE scheduled_tasks SET next_run_at = now()');

/**
 * As where no worker has been for long: those that stopped would count for seven seconds more, and the more workers count, the
 * less often each looks for what is due (up to two seconds). One that still runs counts again with its next heartbeat.
 */
export async function forgetWorkers(pool: Pool): Promise<void> {
  await pool.query('DELETE FROM worker_beats');
  await makeTasksDue(pool);
}
