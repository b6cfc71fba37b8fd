import type { DueAnswer } from './due-lanes.queries.js';

/** Deliveries that one statement reads, in a few milliseconds. */
const SLICE = 1_000;

/** A position in the queue, ordered by due time and id. */
export interface Position {
  dueAt: string;
  id: number;
}

const BEGINNING: Position = { dueAt: '-infinity', id: 0 };

/**
 * Reads the due deliveries in slices, so that a scan costs the same for any backlog. Each scan reads the oldest slice. If
 * that is full, it also reads the slice after the one of the last scan. So one lane with a long backlog hides no others.
 */
export class DueScan {
  private next: Position | undefined;

  /** `read` returns at most `limit` due deliveries after the position. */
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
