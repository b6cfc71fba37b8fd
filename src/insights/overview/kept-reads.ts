import { LRUCache } from 'lru-cache';

/** Concurrent viewers of one merchant get the same answer. */
const KEPT_MS = 2_000;
const MAX_MERCHANTS = 1_000;

/** Answers of at most two seconds ago. One read per merchant at a time, for any number of pages. */
export class KeptReads<Answer> {
  /** Includes reads in progress. */
  private readonly answers = new LRUCache<number, Promise<Answer>>({ max: MAX_MERCHANTS, ttl: KEPT_MS });

  constructor(private readonly read: (merchantId: number) => Promise<Answer>) {}

  of(merchantId: number): Promise<Answer> {
    const known = this.answers.get(merchantId);
    if (known) return known;
    const answer = this.read(merchantId);
    this.answers.set(merchantId, answer);
    answer.catch(() => this.answers.delete(merchantId));
    return answer;
  }
}
