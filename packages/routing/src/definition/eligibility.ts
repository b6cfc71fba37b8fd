import type { Condition, RoutingRequest } from './condition.js';
import type { ShopConditions } from './definition.js';
import { CURRENCIES } from '../facts/money.js';
import { hasOptionFor } from '../facts/payment-method.js';
import type { ShopSummary } from '../facts/shop.js';

/** A flow's shop with all data that routing needs. */
export interface RoutableShop {
  readonly shop: ShopSummary;
  readonly priority: number;
  readonly weight: number;
  /** The position (from 0) among the flow's shops by weight; among equal weights, the later shop comes first. */
  readonly weightRank: number;
  /** Whether both the shop itself and its membership in the flow are enabled. */
  readonly enabled: boolean;
  readonly conditions: ShopConditions;
}

type Passes = (shop: RoutableShop, request: RoutingRequest) => boolean;

/**
 * The tests that a shop must pass, under the name of the failure. Amounts compare exactly: doubles that represent
 * decimals of at most 15 significant digits have the same order as the decimals.
 */
const TESTS = {
  disabled: (shop) => shop.enabled,
  currency: ({ conditions: { currencies } }, { currency }) => currencies === undefined || currencies.includes(currency),
  country: ({ conditions: { countries } }, { country }) =>
    countries === undefined || (country !== undefined && countries.includes(country)),
  min_amount: ({ conditions: { min_amount: min } }, { amount }) => min === undefined || amount >= min,
  max_amount: ({ conditions: { max_amount: max } }, { amount }) => max === undefined || amount <= max,
  no_payment_method: ({ shop }, request) => hasPaymentMethod(shop, request),
  capability_missing: ({ shop }, { capture, currency, paymentMethod }) =>
    (capture !== 'manual' || shop.capturesManually === true) &&
    shop.refusedCurrencies?.has(currency) !== true &&
    takesType(shop, paymentMethod),
} satisfies Record<string, Passes>;

/** Whether the payer's payment method is in the shop's account. Without options any account may have it. */
const hasPaymentMethod = (shop: ShopSummary, { paymentMethod }: RoutingRequest): boolean =>
  paymentMethod?.options === undefined || hasOptionFor(paymentMethod.options, shop);

/** Whether the provider takes payment methods of this type. Without a type nothing is known about it. */
const takesType = (
  { paymentMethodTypes: types }: ShopSummary,
  paymentMethod: RoutingRequest['paymentMethod'],
): boolean => types === undefined || paymentMethod?.type === undefined || types.includes(paymentMethod.type);

export type EligibilityTest = keyof typeof TESTS;

const NAMED_TESTS = Object.entries(TESTS) as [EligibilityTest, Passes][];

/**
 * Whether the shop may receive the request. All tests in one function, because it runs for every shop of every payment.
 * `isRefused`: whether any provider of the flow refuses the currency, which is known once per payment.
 */
export function isEligible(
  { shop, enabled, conditions }: RoutableShop,
  request: RoutingRequest,
  isRefused = shop.refusedCurrencies?.has(request.currency),
): boolean {
  const { paymentMethod } = request;
  if (paymentMethod !== undefined && !(hasPaymentMethod(shop, request) && takesType(shop, paymentMethod))) return false;
  if (!enabled || (request.capture === 'manual' && shop.capturesManually !== true)) return false;
  if (isRefused === true && shop.refusedCurrencies?.has(request.currency) === true) return false;
  const { currencies, countries, min_amount: min, max_amount: max } = conditions;
  if (currencies !== undefined && !currencies.includes(request.currency)) return false;
  if (countries !== undefined && (request.country === undefined || !countries.includes(request.country))) return false;
  return (min === undefined || request.amount >= min) && (max === undefined || request.amount <= max);
}

/** The tests that exclude the shop, in the order above; empty for an eligible shop. */
export const failedTests = (shop: RoutableShop, request: RoutingRequest): EligibilityTest[] =>
  NAMED_TESTS.filter(([, passes]) => !passes(shop, request)).map(([name]) => name);

/** The conditions of a shop in a flow, in the format of rules. */
export const conditionOf = ({
  currencies,
  countries,
  min_amount: min,
  max_amount: max,
}: ShopConditions): Condition => ({
  ...(currencies && { currency: { in: currencies } }),
  ...(countries && { country: { in: countries } }),
  ...(min !== undefined && { amount: { min } }),
  ...(max !== undefined && { all: [{ amount: { max } }] }),
});

/** The condition that a shop's provider makes for a request, in the format of rules. */
export function providerCondition({ refusedCurrencies, paymentMethodTypes: types }: ShopSummary): Condition {
  const currency = currencyCondition(refusedCurrencies);
  if (types === undefined) return currency;
  const field = 'payment_method.type';
  return { ...currency, any: [{ [field]: { in: [...types] } }, { [field]: { exists: false } }] };
}

function currencyCondition(refused: ShopSummary['refusedCurrencies']): Condition {
  if (refused === undefined) return {};
  // the shorter list: each named currency is one more value to search
  if (refused.size <= CURRENCIES.length / 2) return { currency: { not: [...refused] } };
  return { currency: { in: CURRENCIES.filter((currency) => !refused.has(currency)) } };
}
