import type { Queryable, Statement } from './database.js';

/** Ids that processes may have given after what was restored, and which were heard of outside: far more than in any loss. */
const SKIPPED_IDS = 1_000_000_000;
/** Starts of PostgreSQL that may have written events after it. */
const SKIPPED_EPOCHS = 1_000;

interface SkippedSequence {
  name: string;
  /** The next id comes behind it. */
  value: number;
}

/** $1 how many. Sequences of ids alone: those of turns hold times. */
const SKIP_IDS: Statement = {
  name: 'after_restore.skip_ids',
  text: `SELECT sequencename AS name, setval(format('%I.%I', schemaname, sequencename), coalesce(last_value, 0) + $1) AS value
    FROM pg_sequences WHERE schemaname = 'public' AND sequencename LIKE '%\\_id\\_seq' AND sequencename <> 'migrations_id_seq'
    ORDER BY sequencename`,
};

/** $1 how many. No server has started at the moment that it is given, so that it is nobody's. */
const SKIP_EPOCHS: Statement = {
  name: 'after_restore.skip_epochs',
  text: `INSERT INTO event_epochs (epoch, postmaster_started_at)
    SELECT coalesce(max(epoch), 0) + $1, clock_timestamp() FROM event_epochs`,
};

/**
 * Makes a restored database give no id, and no position of an event, that the one which is lost may have given: merchants,
 * receivers and providers remember those. Before any process serves. Twice is as good as once.
 */
export async function skipLostIds(database: Queryable): Promise<SkippedSequence[]> {
  await database.query(SKIP_EPOCHS, [SKIPPED_EPOCHS]);
  return database.query<SkippedSequence>(SKIP_IDS, [SKIPPED_IDS]);
}
