import { setTimeout as delay } from 'node:timers/promises';

/** After a call for so many, the next waits for more: where so many come at once, throughput is what all of them wait for. */
const CROWD = 16;
const PAUSE_MS = 3;

interface Waiter<V> {
  resolve(value: V): void;
  reject(error: unknown): void;
}

/**
 * Gathers concurrent calls for one key into one: while a call for the key is under way, those that come meanwhile wait
 * and then go together. Nobody waits without a call being under way, but for 3 ms in a crowd, and no call gets a result
 * that was fetched before the call was made. When a joint call fails, all who were in it fail.
 *
 * Not a `Batcher`, although both join calls: a payment passes two of these one after the other, so a lone caller starts at
 * once and not at the end of the turn; and there is a queue for each key, of which nothing stays once nobody waits.
 */
export class Coalescer<K, V> {
  /** Who waits behind the call under way; a key without a call under way has no entry. */
  private readonly waiting = new Map<K, Waiter<V>[]>();

  /** `callTogether` answers for `count` callers with as many values. */
  constructor(private readonly callTogether: (key: K, count: number) => Promise<readonly V[]>) {}

  call(key: K): Promise<V> {
    return new Promise((resolve, reject) => {
      const waiters = this.waiting.get(key);
      if (waiters) {
        waiters.push({ resolve, reject });
      } else {
        void this.drain(key, [{ resolve, reject }]);
      }
    });
  }

  /** Never rejects: every outcome goes to the waiters. */
  private async drain(key: K, first: Waiter<V>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.waiting.get(key) ?? []) {
      this.waiting.set(key, []);
      await this.serve(key, batch);
      if (batch.length >= CROWD) await delay(PAUSE_MS);
    }
    this.waiting.delete(key);
  }

  private async serve(key: K, batch: Waiter<V>[]): Promise<void> {
    try {
      const values = await this.callTogether(key, batch.length);
      batch.forEach((waiter, index) => waiter.resolve(values[index]!));
    } catch (error) {
      for (const waiter of batch) waiter.reject(error);
    }
  }
}
