import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import { type FieldError, isObject } from '@payment-orchestrator/provider-kit';
import type { Json } from './client.js';

type Fields = Readonly<Record<string, unknown>>;

/** The data that Adyen's Drop-in or a Component collected (`state.data`), with fields that the merchant adds. */
export interface CollectedMethod {
  fields: Json<Pick<PaymentRequest, (typeof PASSED_ON_NAMES)[number]>>;
  /** Adyen's type of the payment method, such as `scheme`. */
  type: string;
}

/**
 * Fields of `/payments` that may come with a payment. All others are ours, or change what is charged.
 * https://docs.adyen.com/api-explorer/Checkout/72/post/payments
 */
const PASSED_ON_NAMES = [
  'accountInfo',
  'authenticationData',
  'bankAccount',
  'billingAddress',
  'browserInfo',
  'channel',
  'checkoutAttemptId',
  'company',
  'countryCode',
  'dateOfBirth',
  'deliveryAddress',
  'deviceFingerprint',
  'installments',
  'lineItems',
  'merchantRiskIndicator',
  'origin',
  'paymentMethod',
  'riskData',
  'shopperEmail',
  'shopperIP',
  'shopperLocale',
  'shopperName',
  'shopperTaxInfo',
  'socialSecurityNumber',
  'telephoneNumber',
  'threeDS2RequestData',
] as const satisfies readonly (keyof PaymentRequest)[];
const PASSED_ON: ReadonlySet<string> = new Set(PASSED_ON_NAMES);
/** Fields of `state.data` that are not for `/payments`, or that the request to this service decides. */
const LEFT_OUT: ReadonlySet<string> = new Set(['clientStateDataIndicator', 'storePaymentMethod']);
/** Fields of `authenticationData` that do not change what the payment is. */
const AUTHENTICATION: ReadonlySet<string> = new Set(['attemptAuthentication', 'threeDSRequestData']);
/** Card data that the payer's page did not encrypt. */
const NOT_ENCRYPTED: ReadonlySet<string> = new Set(['cvc', 'expiryMonth', 'expiryYear', 'number']);
/** Fields of a payment method that is already stored. */
const STORED: ReadonlySet<string> = new Set(['recurringDetailReference', 'storedPaymentMethodId']);

/** Errors of collected data, by field; empty if Adyen may get it. Never repeats a value. */
export function collectedErrors(data: Fields): FieldError[] {
  const unknown = Object.keys(data).filter((name) => !PASSED_ON.has(name) && !LEFT_OUT.has(name));
  return [
    ...unknown.map((field) => ({ field, message: `is not passed on to Adyen; it takes ${list(PASSED_ON)}` })),
    ...methodErrors(data['paymentMethod']),
    ...authenticationErrors(data['authenticationData']),
  ];
}

/** Reads data that `collectedErrors` accepts; `undefined` for other data. */
export function readCollected(data: Fields | undefined): CollectedMethod | undefined {
  if (data === undefined || collectedErrors(data).length > 0) return undefined;
  const fields: Fields = Object.fromEntries(Object.entries(data).filter(([name]) => PASSED_ON.has(name)));
  return { fields: fields as CollectedMethod['fields'], type: (data['paymentMethod'] as { type: string }).type };
}

function methodErrors(method: unknown): FieldError[] {
  const field = 'paymentMethod';
  if (!isObject(method)) return [{ field, message: 'is required: the paymentMethod of Drop-in or a Component' }];
  const names = Object.keys(method);
  const isTyped = typeof method['type'] === 'string' && /^\w{1,64}$/.test(method['type']);
  return [
    ...(isTyped ? [] : [{ field: `${field}.type`, message: 'must be a type of Adyen, such as scheme' }]),
    ...errorsAt(field, NOT_ENCRYPTED, names, "must be encrypted by Adyen's Components"),
    ...errorsAt(field, STORED, names, 'must be given as token: <shopperReference>/<storedPaymentMethodId>'),
  ];
}

function authenticationErrors(given: unknown): FieldError[] {
  const field = 'authenticationData';
  if (given === undefined) return [];
  if (!isObject(given)) return [{ field, message: 'must be an object' }];
  const unknown = Object.keys(given).filter((name) => !AUTHENTICATION.has(name));
  const message = `is not passed on to Adyen; it takes ${list(AUTHENTICATION)}`;
  const isValid = given['threeDSRequestData'] === undefined || isObject(given['threeDSRequestData']);
  return [
    ...unknown.map((name) => ({ field: `${field}.${name}`, message })),
    ...(isValid ? [] : [{ field: `${field}.threeDSRequestData`, message: 'must be an object' }]),
  ];
}

const errorsAt = (parent: string, refused: ReadonlySet<string>, names: string[], message: string): FieldError[] =>
  names.filter((name) => refused.has(name)).map((name) => ({ field: `${parent}.${name}`, message }));

const list = (names: ReadonlySet<string>): string => [...names].join(', ');
