/**
 * Storage for handled deliveries: a table, Redis or memory. The service delivers at least once, so the same `webhook-id` may
 * come again: after a lost answer, after a crash, or when a person resends it. `key` contains the shop and the `webhook-id`.
 * So the owner of one shop's secret, who chooses its ids, cannot mark deliveries of another shop as handled.
 *
 * `remember` is called after the handler and before the webhook is acknowledged. If the process dies between handler and
 * `remember`, the next attempt is handled again. To prevent that, insert the shop and the id in the handler's own transaction,
 * with a unique constraint.
 */
export interface Duplicates {
  /** Whether the delivery was handled already. */
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
