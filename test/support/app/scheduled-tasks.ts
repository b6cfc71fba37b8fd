import type { Pool } from 'pg';

/** Makes all scheduled tasks due now. */
export const makeTasksDue = (pool: Pool) => pool.query('UPDATE scheduled_tasks SET next_run_at = now()');

/**
 * Simulates that no worker has run for a long time. Stopped workers would count for seven more seconds, and the more
 * workers count, the less often each polls (up to every two seconds). A running worker counts again with its next
 * heartbeat.
 */
export async function forgetWorkers(pool: Pool): Promise<void> {
  await pool.query('DELETE FROM worker_beats');
  await makeTasksDue(pool);
}
