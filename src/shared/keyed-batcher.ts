import { Batcher } from './batcher.js';

/** After a run for so many, the next waits for more: where so many come at once, throughput is what all of them wait for. */
const CROWD = 16;
const SPACING_MS = 3;
const MAX_TOGETHER = 10_000;

interface Queue<V> {
  batcher: Batcher<void, V>;
  callers: number;
}

/**
 * A `Batcher` for each key, one run of a key at a time, of which nothing stays once nobody waits: concurrent calls for one key
 * become few. No call gets a result that was fetched before the call was made. When a joint call fails, all who were in it fail.
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
      maxRuns: 1,
      full: CROWD,
      spacingMs: SPACING_MS,
    });
    const queue = { batcher, callers: 0 };
    this.queues.set(key, queue);
    return queue;
  }
}
