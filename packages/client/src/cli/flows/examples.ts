import type { RoutingRequest } from '@payment-orchestrator/routing';
import { type Fields as Shape, fieldErrors } from '@payment-orchestrator/routing/definition/shape-errors';
import {
  type ValueRule,
  booleanError,
  idError,
  integerIn,
  matching,
  oneOf,
  textOf,
} from '@payment-orchestrator/routing/definition/value-rules';
import { CAPTURE_MODES } from '@payment-orchestrator/routing/facts/capture-mode';
import { isCountry } from '@payment-orchestrator/routing/facts/country';
import { amountError, currencyError } from '@payment-orchestrator/routing/facts/money';
import { CARD_FUNDINGS } from '@payment-orchestrator/routing/facts/payment-method';
import type { FlowFile } from './flow-file.js';
import { type Fields, isFields, type Place, placeOf } from './named-definition.js';
import { type TestShops, textPath } from './test-shops.js';

/** A payment, and the shops that a flow may give it to. */
export interface Example {
  file: FlowFile;
  /** The place of the example in its file. */
  place: Place;
  flow: string;
  /** In words. */
  subject: string;
  payment: RoutingRequest;
  /** Shops that are assumed to be unhealthy. */
  down: number[];
  /** One of the three. */
  expected: {
    /** All shops that the payment may go to first, in any order. */
    shops?: string[];
    /** The code of the rule that declines it. */
    declined?: string;
    noShop?: boolean;
  };
}

const objectError: ValueRule = (value) => (isFields(value) ? undefined : 'must be an object');
const countryError: ValueRule = (value) =>
  isCountry(value) ? undefined : 'must be an ISO 3166-1 alpha-2 country code such as DE';
const nameList: ValueRule = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
    ? undefined
    : 'must be a list of names of shops';

const PAYMENT: Shape = {
  // the currency decides about the digits
  amount: { rule: (value) => (typeof value === 'number' ? amountError(value, '') : 'must be a number') },
  currency: { rule: currencyError },
  country: { rule: countryError },
  customer_id: { rule: idError },
  metadata: { rule: objectError },
  capture: { rule: oneOf(CAPTURE_MODES) },
  payment_method: {
    rule: objectError,
    fields: {
      type: { rule: textOf(1, 32) },
      options: {
        rule: (value) => (Array.isArray(value) && value.every(isFields) ? undefined : 'must be a list of accounts'),
        items: { provider: { rule: textOf(1, 64), isRequired: true }, account: { rule: textOf(1, 80) } },
      },
      card: {
        rule: objectError,
        fields: {
          scheme: { rule: matching(/^[a-z0-9_-]{1,32}$/) },
          bin: { rule: matching(/^\d{6,8}$/) },
          last4: { rule: matching(/^\d{4}$/) },
          funding: { rule: oneOf(CARD_FUNDINGS) },
          issuer_country: { rule: countryError },
          expiry_month: { rule: integerIn(1, 12) },
          expiry_year: { rule: integerIn(2000, 2099) },
        },
      },
    },
  },
};

const EXAMPLE: Shape = {
  flow: { rule: textOf(1, 200), isRequired: true },
  name: { rule: textOf(1, 200) },
  payment: { rule: objectError, fields: PAYMENT },
  down: { rule: nameList },
  shop: { rule: textOf(1, 200) },
  shops: { rule: nameList },
  declined: { rule: textOf(1, 50) },
  no_shop: { rule: booleanError },
};

const EXPECTATIONS = ['shop', 'shops', 'declined', 'no_shop'];

/** An example of a file, whose fields were checked. */
interface GivenExample {
  flow: string;
  name?: string;
  payment?: Fields;
  down?: string[];
  shop?: string;
  shops?: string[];
  declined?: string;
  no_shop?: boolean;
}

/** The examples of a file. Adds what is invalid to `errors`, as `path:line: message`. */
export function examplesIn(file: FlowFile, shops: TestShops, errors: string[]): Example[] {
  const given = file.sections.examples ?? [];
  const refuse = (place: Place, message: string): void => {
    errors.push(file.errorAt(['examples', ...place], `${textPath(['examples', ...place])} ${message}`).message);
  };
  if (!Array.isArray(given)) {
    errors.push(file.errorAt(['examples'], 'examples takes a list').message);
    return [];
  }
  return given.flatMap((each: unknown, index): Example[] => {
    const before = errors.length;
    if (!isFields(each)) refuse([index], 'must be an object');
    else checkExample(each, shops, (place, message) => refuse([index, ...place], message));
    return errors.length > before ? [] : [exampleOf(file, index, each as GivenExample, shops)];
  });
}

function checkExample(given: Fields, shops: TestShops, refuse: (place: Place, message: string) => void): void {
  const wrong = fieldErrors(given, EXAMPLE, '');
  for (const { field, message } of wrong) refuse(placeOf(field), message);
  if (wrong.length > 0) return;
  const { payment = {}, shop, shops: several = [], down = [] } = given as unknown as GivenExample;
  const { amount = 100, currency = 'USD' } = payment as { amount?: number; currency?: string };
  const error = amountError(amount, currency);
  if (error !== undefined) refuse(['payment', 'amount'], `${error}, got ${amount}`);
  if (EXPECTATIONS.filter((name) => (given[name] ?? null) !== null).length !== 1) {
    refuse([], `must have exactly one of ${EXPECTATIONS.join(', ')}`);
  }
  if (given['no_shop'] === false) refuse(['no_shop'], 'must be true, or absent');
  const names: [Place, string][] = [
    ...(shop === undefined || shop === null ? [] : [[['shop'], shop] as [Place, string]]),
    ...(several ?? []).map((name, at): [Place, string] => [['shops', at], name]),
    ...(down ?? []).map((name, at): [Place, string] => [['down', at], name]),
  ];
  for (const [place, name] of names) {
    if (shops.idOf(name) === undefined) refuse(place, `names no known shop, takes one of ${shops.names}, got ${name}`);
  }
}

function exampleOf(file: FlowFile, index: number, given: GivenExample, shops: TestShops): Example {
  const { flow, name, payment: written, down, shop, shops: several, declined, no_shop: noShop } = given;
  const payment = requestOf(written ?? {});
  const { amount, currency, country } = payment;
  const words = [`${amount} ${currency}`, ...(country === undefined ? [] : [`from ${country}`])].join(' ');
  const outage = down ? ` while ${down.join(', ')} ${down.length === 1 ? 'is' : 'are'} down` : '';
  const expected = shop ? [shop] : several;
  return {
    file,
    place: ['examples', index],
    flow,
    subject: name ?? `${words}${outage}`,
    payment,
    down: (down ?? []).map((each) => shops.idOf(each)!),
    expected: {
      ...(expected && { shops: expected }),
      ...(declined && { declined }),
      ...(noShop === true && { noShop }),
    },
  };
}

/** Reads a payment with the defaults of `POST /flows/simulate`. */
function requestOf(given: Fields): RoutingRequest {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { customer_id: customerId, payment_method: paymentMethod, ...facts } = present;
  return {
    amount: 100,
    currency: 'USD',
    ...facts,
    ...(customerId !== undefined && { customerId: customerId as number }),
    ...(paymentMethod !== undefined && { paymentMethod: paymentMethod as object }),
  };
}
