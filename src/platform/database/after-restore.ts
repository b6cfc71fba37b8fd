import type { Queryable, Statement } from './database.js';

/** Number of ids to skip: far more than processes can have assigned between the backup and the loss. */
const SKIPPED_IDS = 1_000_000_000;
/** Number of PostgreSQL starts (event epochs) to skip. */
const SKIPPED_EPOCHS = 1_000;

interface SkippedSequence {
  name: string;
  /** The next id is greater than this value. */
  value: number;
}

/** $1 number of ids. Only sequences of ids; the sequences of `<task>_turn` hold times. */
const SKIP_IDS: Statement = {
  name: 'after_restore.skip_ids',
  text: `SELECT sequencename AS name, setval(format('%I.%I', schemaname, sequencename), coalesce(last_value, 0) + $1) AS value
    FROM pg_sequences WHERE schemaname = 'public' AND sequencename LIKE '%\\_id\\_seq' AND sequencename <> 'migrations_id_seq'
    ORDER BY sequencename`,
};

/** $1 number of epochs. No server started at this exact time, so the epoch belongs to no server. */
const SKIP_EPOCHS: Statement = {
  name: 'after_restore.skip_epochs',
  text: `INSERT INTO event_epochs (epoch, postmaster_started_at)
    SELECT coalesce(max(epoch), 0) + $1, clock_timestamp() FROM event_epochs`,
};

/**
 * Prevents a restored database from assigning ids, and positions of events, that the lost database may have assigned:
 * merchants, receivers and providers remember those. Run it before any process serves. Running it twice does no harm.
 */
export async function skipLostIds(database: Queryable): Promise<SkippedSequence[]> {
  await database.query(SKIP_EPOCHS, [SKIPPED_EPOCHS]);
  return database.query<SkippedSequence>(SKIP_IDS, [SKIPPED_IDS]);
}
