/**
 * Which deliveries have been handled: a table, a Redis, or memory. The service delivers at least once, so the same
 * `webhook-id` may come again: after an answer that was lost, after a crash, by hand. `key` names the shop and the
 * `webhook-id`: who holds one shop's secret chooses ids, and must not make those of another shop seem handled.
 *
 * `remember` is called after the handler is through and before the webhook is acknowledged. A process that dies between
 * the two has handled it and does not know: the next attempt is handled again. Where that must not be, keep the shop
 * and the id in a unique constraint and insert them in the handler's own transaction.
 */
export interface Duplicates {
  /** Whether the delivery has been handled. */
  seen(key: string): boolean | Promise<boolean>;
  remember(key: string): void | Promise<void>;
}

/**
 * The latest `max` keys of this process; lost with it. Enough for one process whose handler may run twice after a restart.
 * Throws `TypeError` for a `max` that would remember nothing, or without end.
 */
export function rememberInMemory(max = 10_000): Duplicates {
  if (!Number.isSafeInteger(max) || max < 1) {
    throw new TypeError(`rememberInMemory: got ${max}, takes a whole number from 1`);
  }
  const keys = new Set<string>();
  return {
    seen: (key) => keys.has(key),
    remember: (key) => {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > max && oldest !== undefined) keys.delete(oldest);
    },
  };
}
