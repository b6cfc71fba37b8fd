import type { PoolClient } from 'pg';

const PINS = 'SET enable_seqscan = off; SET enable_bitmapscan = off';

/**
 * Keeps the connections of serving processes to plans that hold whatever the statistics say. A queue is often analysed
 * while it is empty; the planner then reads it from end to end, or gathers all of it into a bitmap, when it is full. All
 * that requests and deliveries read goes by an index; where there is none, PostgreSQL still reads the table.
 * By SET on each new connection: PgBouncer refuses startup options. Where it shares connections between transactions, set
 * the two for the role instead (`ALTER ROLE … SET enable_seqscan = off`). Never `enable_sort`: grouped inserts need it.
 */
export async function pinPlans(client: PoolClient): Promise<void> {
  await client.query(PINS);
}
