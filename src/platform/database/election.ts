import { Injectable } from '@nestjs/common';
import { Database, type Statement } from './database.js';

/**
 * $1 the sequence, $2 ms. A sequence and not a row: it leaves no dead versions, which an old snapshot would keep and every
 * later turn would have to read past.
 */
const TAKE_TURN: Statement = {
  name: 'election.take_turn',
  text: `SELECT setval($1::regclass, clock.ms + $2) FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS clock (ms)
    WHERE clock.ms >= coalesce(pg_sequence_last_value($1::regclass), 0)`,
};

/** $1 the sequence. */
const RECORD_END: Statement = {
  name: 'election.record_end',
  text: 'SELECT setval($1::regclass, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)',
};

/**
 * Lets one process of all do what one is enough for. Two that ask within the same moment may both get the turn, so it is
 * for work that may be done twice. Holds no lock and no connection: nothing is left behind by a process that dies.
 */
@Injectable()
export class Election {
  constructor(private readonly database: Database) {}

  /** Whether the turn is ours; nobody else gets one for `intervalMs`. `sequence`: one made for this work by a migration. */
  async takeTurn(sequence: string, intervalMs: number): Promise<boolean> {
    return (await this.database.query(TAKE_TURN, [sequence, intervalMs])).length > 0;
  }

  /** That the work of a turn has ended well. `sequence`: another one, made for it by a migration. */
  async recordEnd(sequence: string): Promise<void> {
    await this.database.query(RECORD_END, [sequence]);
  }
}
