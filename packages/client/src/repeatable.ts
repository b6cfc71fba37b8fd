/** POST operations that create something: a repeat is safe if both requests have the same `Idempotency-Key`. */
const KEYED = [
  '/payments',
  '/payments/{id}/refunds',
  '/customers/{id}/payment-methods',
  '/providers/sandbox/transactions/{transactionId}/captures',
  '/providers/sandbox/transactions/{transactionId}/disputes',
  '/providers/sandbox/transactions/{transactionId}/refunds',
  '/providers/sandbox/transactions/{transactionId}/voids',
];

/** POST operations that change nothing, or nothing the second time. */
const REPEATABLE = [
  '/auth/token',
  '/customers/{id}/erase',
  '/flows/simulate',
  '/flows/{id}/backtest',
  '/flows/{id}/replay',
  '/flows/{id}/rollouts/{rolloutId}/abort',
  '/flows/{id}/rollouts/{rolloutId}/promote',
  '/flows/{id}/versions/{version}/activate',
  '/flows/{id}/versions/{version}/approval-requests',
  '/flows/{id}/versions/{version}/approve',
  '/payments/{id}/cancel',
  '/payments/{id}/capture',
  '/payments/{id}/next-action',
  '/payments/{id}/refund',
  '/payments/{id}/sync',
  '/webhooks/verify',
];

/** Whether the operation takes an `Idempotency-Key` and needs one to be repeated. */
export const needsKey = (method: string, path: string): boolean => method === 'post' && KEYED.includes(path);

const anyOf = (paths: readonly string[]): RegExp =>
  new RegExp(`(${paths.map((path) => path.replace(/\{[^}]+\}/g, '[^/]+')).join('|')})$`);

const KEYED_URL = anyOf(KEYED);
const REPEATABLE_URL = anyOf(REPEATABLE);

/** Whether a request that may have been executed can be sent again. */
export function isRepeatable({ method, url, headers }: Request): boolean {
  const { pathname } = new URL(url);
  if (method !== 'POST') return true;
  return KEYED_URL.test(pathname) ? headers.has('idempotency-key') : REPEATABLE_URL.test(pathname);
}
