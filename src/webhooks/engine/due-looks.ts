import type { DueAnswer } from './delivery.queries.js';

/** Deliveries that one look reads: some milliseconds. */
const SLICE = 1_000;
/** A look at the beginning may always take this long; one that takes longer is made seldom. */
const CHEAP_MS = 20;
const PAUSE_PER_WORK = 20;
const LONGEST_PAUSE_MS = 60_000;

/** Reads so many due deliveries behind a position in the order of (due time, id). */
export interface Look {
  after: string;
  afterId: number;
  limit: number;
}

const BEGINNING: Look = { after: '-infinity', afterId: 0, limit: SLICE };

/**
 * Which due deliveries are looked at, so that a look costs the same however many there are, and none is overlooked.
 * - The oldest, each time. Where that is all, nothing else is needed.
 * - Of a longer backlog, which may be one lane's and hide all others: also what became due since the last look, and one
 *   more slice of the rest, on from the slice before and begun anew at the end.
 * - Behind remains that PostgreSQL cannot clear away yet, the oldest take long to reach. Then seldom.
 */
export class DueLooks {
  private rest: Look | undefined;
  private recent: Look | undefined;
  private notBefore = -Infinity;

  constructor(private readonly look: (look: Look) => Promise<DueAnswer>) {}

  async next(what: 'all' | 'recent' = 'all'): Promise<DueAnswer[]> {
    const recent = this.recent;
    if (what === 'recent' && recent) return [await this.read(recent)];
    const oldest = performance.now() >= this.notBefore ? await this.oldest() : undefined;
    if (oldest && !isFull(oldest)) return [oldest];
    const latest = recent && (await this.read(recent));
    return [oldest, latest, await this.further()].filter((answer) => answer !== undefined);
  }

  private async oldest(): Promise<DueAnswer> {
    const startedAt = performance.now();
    const answer = await this.read(BEGINNING);
    const tookMs = performance.now() - startedAt;
    const pauseMs = tookMs <= CHEAP_MS ? 0 : Math.min(LONGEST_PAUSE_MS, tookMs * PAUSE_PER_WORK);
    this.notBefore = performance.now() + pauseMs;
    this.rest = isFull(answer) ? (this.rest ?? behind(answer)) : undefined;
    return answer;
  }

  private async further(): Promise<DueAnswer | undefined> {
    if (!this.rest) return undefined;
    const answer = await this.read(this.rest);
    this.rest = isFull(answer) ? behind(answer) : undefined;
    return answer;
  }

  private async read(look: Look): Promise<DueAnswer> {
    const answer = await this.look(look);
    this.recent = { after: answer.recent, afterId: 0, limit: SLICE };
    return answer;
  }
}

const isFull = ({ looked }: DueAnswer): boolean => looked === SLICE;
const behind = ({ last_due_at: after, last_id: afterId }: DueAnswer): Look => ({
  after: after!,
  afterId: afterId!,
  limit: SLICE,
});
