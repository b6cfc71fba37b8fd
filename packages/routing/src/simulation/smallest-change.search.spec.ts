import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  acceptedDefinition,
  scenarioIn,
  situationOf,
  smallRequest,
} from '../../../../test/support/fuzz/flow-arbitraries.js';
import { resultOf } from '../result-of.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { amountError, currencyDigits } from '../facts/money.js';
import { CARD_FUNDINGS, type PaymentMethodFacts } from '../facts/payment-method.js';
import { isSettable, type RoutingRequest, valueAt, withValueAt } from '../definition/condition.js';
import { candidatesFor, isProbing } from '../decision/candidates.js';
import { withOverrides } from './overrides.js';
import { type Change, decideScenario, prepare, type PreparedScenario } from './scenario.js';
import { SmallestChanges } from './smallest-change.js';

const MAX_CENTS = 60;
const COUNTERS_AHEAD = 100;
const TIER = ['order', 'tier'];

const scenarios = acceptedDefinition(MAX_CENTS)
  .chain((definition) => situationOf(definition, smallRequest(MAX_CENTS)))
  .map(scenarioIn);

const pickOf = (scenario: PreparedScenario): number | undefined => decideScenario(scenario).shop?.shop.id;

const unitsOf = (amount: number, currency: string): number => Math.round(amount * 10 ** currencyDigits(currency)!);

/** Every minor unit up to beyond all bounds. */
function amountsOf({ currency }: RoutingRequest): number[] {
  return Array.from({ length: MAX_CENTS + 2 }, (_, index) => (index + 1) / 10 ** currencyDigits(currency)!);
}

/** Every value that the generated conditions tell apart, in one field of the payment method. */
const FACTS: Record<string, unknown[]> = {
  type: ['card', 'wallet', 'else', undefined],
  'card.scheme': ['visa', 'mastercard', 'else', undefined],
  'card.bin': ['411111', '41111122', '412222', '444444', '555555', undefined],
  'card.funding': [...CARD_FUNDINGS, undefined],
  'card.issuer_country': ['DE', undefined],
};
const ACCOUNTS = ['sandbox', 'stripe'].flatMap((provider) =>
  ['default', 'eu'].map((account) => ({ provider, account })),
);

/** The payment method with another fact, or with one more account. */
function otherPaymentMethods(method: PaymentMethodFacts | undefined): PaymentMethodFacts[] {
  const others = Object.entries(FACTS).flatMap(([field, values]) =>
    values.map((value) => withValueAt(method, field.split('.'), value) as PaymentMethodFacts),
  );
  const { options } = method ?? {};
  return [...others, ...(options ? ACCOUNTS.map((account) => ({ ...method, options: [...options, account] })) : [])];
}

/**
 * Every request that differs in one field and may change a result of the generated conditions; each with the field's
 * name.
 */
function otherRequests(request: RoutingRequest): [string, RoutingRequest][] {
  const currencies = ['USD', 'EUR', 'JPY', 'GBP', 'BHD'].filter((code) => !amountError(request.amount, code));
  const tiers = ['gold', 'silver', 7, true, 'else', undefined].filter(
    (tier) => tier !== valueAt(request.metadata, TIER) && isSettable(request.metadata, TIER, tier),
  );
  return [
    ...amountsOf(request).map((amount): [string, RoutingRequest] => ['amount', { ...request, amount }]),
    ...currencies.map((currency): [string, RoutingRequest] => ['currency', { ...request, currency }]),
    ...['DE', 'FR', 'US', 'AT', undefined].map((country): [string, RoutingRequest] => [
      'country',
      { ...request, country },
    ]),
    ...otherPaymentMethods(request.paymentMethod).map((paymentMethod): [string, RoutingRequest] => [
      'payment_method',
      { ...request, paymentMethod },
    ]),
    ...[request.customerId ?? 1, undefined].map((customerId): [string, RoutingRequest] => [
      'customer_id',
      { ...request, customerId },
    ]),
    ...tiers.map((tier): [string, RoutingRequest] => [
      'metadata',
      { ...request, metadata: withValueAt(request.metadata, TIER, tier) as Record<string, unknown> },
    ]),
  ];
}

const FIELDS = ['amount', 'currency', 'country', 'payment_method', 'metadata', 'customer_id'];
const placeOf = (field: string): number => FIELDS.indexOf(field.split('.')[0]!);

/** The changes of the request, of the shop's state, and of the counter that pick the shop. */
function enough(
  scenario: PreparedScenario,
  shopId: number,
): { requests: [string, RoutingRequest][]; states: string[]; counters: number[] } {
  const { request, counter } = scenario;
  return {
    requests: otherRequests(request).filter(([, other]) => pickOf({ ...scenario, request: other }) === shopId),
    states: (['enabled', 'healthy'] as const).filter(
      (name) => pickOf(prepare(withOverrides(scenario, { shops: { [shopId]: { [name]: true } } }))) === shopId,
    ),
    counters: Array.from({ length: COUNTERS_AHEAD }, (_, index) => counter + 1 + index).filter(
      (at) => pickOf({ ...scenario, counter: at }) === shopId,
    ),
  };
}

/** Smaller changes that brute force finds; may be empty. */
function smaller(scenario: PreparedScenario, shopId: number, change: Change | null): unknown[] {
  const { requests, states, counters } = enough(scenario, shopId);
  const isFound = ([field]: [string, RoutingRequest]) => field !== 'amount' || !comparesMargins(scenario);
  if (change === null) return [...requests.filter(isFound), ...states, ...counters];
  const isKeptOut = isOut(scenario, shopId);
  const place = placeOf(change.field);
  if (place < 0) {
    if (change.field === 'at_counter') return counters.filter((at) => at < Number(change.to));
    return isKeptOut && !/enabled$|healthy$/.test(change.field) ? [...states, ...requests] : [];
  }
  const { amount, currency } = scenario.request;
  const distance = (value: number): number => Math.abs(unitsOf(value, currency) - unitsOf(amount, currency));
  return [
    ...(isKeptOut ? states : [...counters]),
    ...requests.filter(([field]) => placeOf(field) < place),
    ...requests.filter(
      ([field, other]) =>
        field === 'amount' &&
        place === 0 &&
        !comparesMargins(scenario) &&
        distance(other.amount) < distance(Number(change.to)),
    ),
  ];
}

/** Amounts at which margins cross are not searched: a known amount that picks the shop may be farther away. */
const comparesMargins = ({ definition }: PreparedScenario): boolean =>
  JSON.stringify(definition).includes('"objective":"margin"');

function isOut({ flow, request, statsByShop }: PreparedScenario, shopId: number): boolean {
  const shop = flow.shops.find((each) => each.shop.id === shopId)!;
  return !candidatesFor(flow, request, statsByShop).chosen?.pool.shops.includes(shop) || isProbing(shop, statsByShop);
}

describe('the smallest change, compared with brute force', () => {
  it('leaves brute force no smaller one, and is null only if none exists', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const changes = new SmallestChanges(scenario);
        const picked = pickOf(scenario);
        for (const { shop } of scenario.flow.shops) {
          if (shop.id === picked) continue;
          const change = resultOf(changes.find(shop.id));
          expect([shop.id, change, smaller(scenario, shop.id, change)]).toEqual([shop.id, change, []]);
        }
      }),
      { numRuns: runs(75) },
    );
  });
});
