/**
 * Storage for handled events: a table, Redis or memory. The service delivers at least once, so the same event may come
 * again: after a lost answer, after a crash, when a person resends it, or from a standing endpoint and the payment's own
 * address. `key` contains the shop, and the payment, status and `timestamp` of a change, or the `webhook-id` of another event.
 * So the owner of one shop's secret, who chooses its ids, cannot mark deliveries of another shop as handled.
 *
 * `remember` is called after the handler and before the webhook is acknowledged. If the process dies between handler and
 * `remember`, the next attempt is handled again. To prevent that, insert the same values in the handler's own transaction,
 * with a unique constraint.
 */
export interface Duplicates {
  /** Whether the event was handled already. */
  seen(key: string): boolean | Promise<boolean>;
  remember(key: string): void | Promise<void>;
}

/**
 * Keeps the latest `max` keys in memory. Enough for one process whose handler may run twice after a restart. Throws `TypeError`
 * if `max` is not a whole number from 1.
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
