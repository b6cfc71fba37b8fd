import { Batcher } from './batcher.js';

const MAX_TOGETHER = 10_000;

interface Queue<V> {
  batcher: Batcher<void, V>;
  callers: number;
}

/**
 * A `Batcher` for each key with one run at a time, which goes when no caller waits: concurrent calls for one key become few.
 * No call gets a result that was fetched before the call was made. When a joint call fails, all its callers fail.
 */
export class KeyedBatcher<K, V> {
  private readonly queues = new Map<K, Queue<V>>();

  /** `callTogether` answers for `count` callers with as many values. */
  constructor(private readonly callTogether: (key: K, count: number) => Promise<V[]>) {}

  async call(key: K): Promise<V> {
    const queue = this.queues.get(key) ?? this.open(key);
    queue.callers += 1;
    try {
      return await queue.batcher.add();
    } finally {
      queue.callers -= 1;
      if (queue.callers === 0) this.queues.delete(key);
    }
  }

  private open(key: K): Queue<V> {
    const batcher = new Batcher<void, V>((callers) => this.callTogether(key, callers.length), {
      maxSize: MAX_TOGETHER,
      maxConcurrent: 1,
    });
    const queue = { batcher, callers: 0 };
    this.queues.set(key, queue);
    return queue;
  }
}
