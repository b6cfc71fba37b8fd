import type { DueAnswer } from './due-lanes.queries.js';

/** Deliveries that one statement reads: some milliseconds. */
const SLICE = 1_000;

/** A place in the queue, in the order of due time and id. */
export interface Position {
  dueAt: string;
  id: number;
}

const BEGINNING: Position = { dueAt: '-infinity', id: 0 };

/**
 * Reads the due deliveries in slices, so a scan costs the same however many there are, and overlooks none: the oldest slice
 * each time, and of a longer backlog, which may be of one lane and hide all others, one more slice behind the one before.
 */
export class DueScan {
  private next: Position | undefined;

  /** `read`: at most `limit` due deliveries after the position. */
  constructor(private readonly read: (after: Position, limit: number) => Promise<DueAnswer>) {}

  async run(): Promise<DueAnswer[]> {
    const oldest = await this.read(BEGINNING, SLICE);
    if (!isFull(oldest)) {
      this.next = undefined;
      return [oldest];
    }
    const further = await this.read(this.next ?? endOf(oldest), SLICE);
    this.next = isFull(further) ? endOf(further) : undefined;
    return [oldest, further];
  }
}

const isFull = ({ read }: DueAnswer): boolean => read === SLICE;
const endOf = ({ last_due_at: dueAt, last_id: id }: DueAnswer): Position => ({ dueAt: dueAt!, id: id! });
