import type { UnusableCause, UnusableMethods } from '../shop-outcomes.queries.js';

/** Decline codes that are the merchant's to correct. */
export const SHOP_WARNINGS = ['payment_method_unusable', 'permission_missing'] as const;

export type ShopWarningCode = (typeof SHOP_WARNINGS)[number];

export interface ShopWarning extends UnusableMethods {
  code: ShopWarningCode;
}

/**
 * `counted`: all payments of both codes, which are counted without their reason. `causes`: the reasons of the newest
 * declines. What has no reason among them counts as an unusable payment method. Pure.
 */
export function warningsOf(counted: UnusableMethods, causes: readonly UnusableCause[]): ShopWarning[] {
  const of = (code: ShopWarningCode) => causes.find((cause) => cause.code === code);
  const missing = of('permission_missing');
  const payments = counted.payments - (missing?.payments ?? 0);
  const since = (missing && of('payment_method_unusable')?.since) ?? counted.since;
  return [
    ...(payments > 0 ? [{ code: SHOP_WARNINGS[0], payments, since }] : []),
    ...(missing ? [{ code: SHOP_WARNINGS[1], payments: missing.payments, since: missing.since }] : []),
  ];
}
