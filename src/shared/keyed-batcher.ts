import { Batcher } from './batcher.js';

const MAX_TOGETHER = 10_000;

interface Queue<V> {
  batcher: Batcher<void, V>;
  callers: number;
}

/**
 * Combines concurrent calls for one key: a `Batcher` per key with one run at a time, removed when no caller waits.
 * No caller gets a result that was fetched before its call. If a combined call fails, all its callers get the error.
 */
export class KeyedBatcher<K, V> {
  private readonly queues = new Map<K, Queue<V>>();

  /** `callTogether` returns `count` values, one for each caller. */
  constructor(private readonly callTogether: (key: K, count: number) => Promise<V[]>) {}

  async call(key: K): Promise<V> {
    const queue = this.queues.get(key) ?? this.create(key);
    queue.callers += 1;
    try {
      return await queue.batcher.add();
    } finally {
      queue.callers -= 1;
      if (queue.callers === 0) this.queues.delete(key);
    }
  }

  private create(key: K): Queue<V> {
    const batcher = new Batcher<void, V>((callers) => this.callTogether(key, callers.length), {
      maxSize: MAX_TOGETHER,
      maxConcurrent: 1,
    });
    const queue = { batcher, callers: 0 };
    this.queues.set(key, queue);
    return queue;
  }
}
