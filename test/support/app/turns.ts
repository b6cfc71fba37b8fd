import type { Pool } from 'pg';

/** Makes all shared work of workers due now, whoever did it last. */
export const makeTurnsDue = (pool: Pool) =>
  pool.query(`SELECT setval(c.oid::regclass, 1) FROM pg_class c WHERE c.relkind = 'S' AND c.relname LIKE '%\\_turn'`);
