/**
 * Which deliveries have been handled: a table, a Redis, or memory. The service delivers at least once, so the same
 * `webhook-id` may come again: after an answer that was lost, after a crash, by hand.
 *
 * `remember` is called after the handler is through and before the webhook is acknowledged. A process that dies between
 * the two has handled it and does not know: the next attempt is handled again. Where that must not be, keep the id in a
 * unique column and insert it in the handler's own transaction.
 */
export interface Duplicates {
  /** Whether the delivery has been handled. */
  seen(id: string): boolean | Promise<boolean>;
  remember(id: string): void | Promise<void>;
}

/** The latest `max` ids of this process; lost with it. Enough for one process whose handler may run twice after a restart. */
export function rememberInMemory(max = 10_000): Duplicates {
  const ids = new Set<string>();
  return {
    seen: (id) => ids.has(id),
    remember: (id) => {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > max && oldest !== undefined) ids.delete(oldest);
    },
  };
}
