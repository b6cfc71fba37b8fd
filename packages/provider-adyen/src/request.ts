import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { ChargeRequest, PaymentMethodInput } from '@payment-orchestrator/provider-kit';
import type { Json } from './client.js';
import { type CollectedMethod, readCollected } from './collected.js';
import { payerFields } from './payer.js';

/**
 * Adyen requires a return address. A request without one has no payer to redirect, so this name, which never exists
 * (RFC 2606), is not visited.
 */
const NO_RETURN_URL = 'https://no-return-url.invalid/';
const TOKEN = /^(?<shopper>[\x21-\x7e]{3,190})\/(?<stored>[A-Za-z0-9]{1,64})$/;
/** Types that can be charged without a redirect. */
const CARDS_AND_WALLETS: ReadonlySet<string> = new Set(['scheme', 'applepay', 'googlepay']);

/** A stored payment method of Adyen and the `shopperReference` that it is stored for. */
interface StoredMethod {
  shopper: string;
  stored: string;
}

/** The charged payment method: a stored one, or one that the payer has just entered. */
export type AdyenMethod = StoredMethod | CollectedMethod;
type AdyenRequest = Json<PaymentRequest>;
type NextActionType = PaymentMethodInput['nextActionType'];

/**
 * Reads `<shopperReference>/<storedPaymentMethodId>` (Adyen finds the second only under the first) or the data of
 * Drop-in. `undefined` for others.
 */
export function readMethod({ token, data }: PaymentMethodInput = {}): AdyenMethod | undefined {
  return readToken(token) ?? readCollected(data);
}

/** The stored payment method that a token names; `undefined` for others. */
export const readToken = (token: string | undefined): StoredMethod | undefined =>
  TOKEN.exec(token ?? '')?.groups as StoredMethod | undefined;

/** Whether the payer of this method may have to leave the page, so that they need an address to return to. */
export const needsReturnUrl = (method: AdyenMethod): boolean =>
  'fields' in method && !CARDS_AND_WALLETS.has(method.type);

/** A request to `/payments`. Captures at once or only when asked, regardless of the account's settings. */
export function paymentRequest(
  request: ChargeRequest,
  method: AdyenMethod,
  value: number,
  merchantAccount: string,
): AdyenRequest {
  const { reference, currency, country, customer, returnUrl, paymentMethod, initiator } = request;
  const isPayerThere = returnUrl !== undefined && initiator !== 'merchant';
  const specific =
    'fields' in method
      ? collectedFields(method, isPayerThere, paymentMethod?.nextActionType)
      : storedFields(method, isPayerThere, request);
  return {
    ...payerFields(request),
    ...(country !== null && { countryCode: country }),
    ...(customer?.email && { shopperEmail: customer.email }),
    ...(customer?.firstName &&
      customer.lastName && { shopperName: { firstName: customer.firstName, lastName: customer.lastName } }),
    ...specific,
    ...(request.save && 'fields' in method && storing(request)),
    amount: { currency, value },
    merchantAccount,
    reference,
    returnUrl: returnUrl ?? NO_RETURN_URL,
    ...(request.capture === 'manual' ? { additionalData: { manualCapture: 'true' } } : { captureDelayHours: 0 }),
    ...(isPayerThere && { redirectToIssuerMethod: 'GET', redirectFromIssuerMethod: 'GET' }),
  } satisfies AdyenRequest;
}

/** `UnscheduledCardOnFile` also covers an agreement that the merchant does not name. */
const MODELS = { subscription: 'Subscription', unscheduled: 'UnscheduledCardOnFile' } as const;

/** The `shopperReference` of a customer whose payment method is saved. */
const shopperOf = (customerId: number): string => `customer-${customerId}`;

/** For later charges with and without the payer. https://docs.adyen.com/online-payments/tokenization/create-tokens */
const storing = ({ customer, agreement }: ChargeRequest) =>
  ({
    storePaymentMethod: true,
    recurringProcessingModel: MODELS[agreement ?? 'unscheduled'],
    ...(customer && { shopperReference: shopperOf(customer.id) }),
  }) satisfies Partial<AdyenRequest>;

/**
 * With a return address the payer is present and may be redirected to authenticate. Without it a card that requires
 * authentication is refused with `Authentication required`.
 */
const storedFields = (
  { shopper, stored }: StoredMethod,
  isPayerThere: boolean,
  { initiator, agreement = 'unscheduled', firstCharge }: ChargeRequest,
) =>
  ({
    paymentMethod: { type: 'scheme', storedPaymentMethodId: stored, ...network(initiator, firstCharge) },
    shopperReference: shopper,
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: isPayerThere || initiator === 'customer' ? 'CardOnFile' : MODELS[agreement],
    authenticationData: isPayerThere ? { threeDSRequestData: { nativeThreeDS: 'disabled' } } : NEVER,
    ...(isPayerThere && { channel: 'Web' }),
  }) satisfies Partial<AdyenRequest>;

/** The card network's id of the payer's first charge, for a charge without the payer. */
const network = (initiator: ChargeRequest['initiator'], { networkTransactionId }: ChargeRequest['firstCharge'] = {}) =>
  initiator === 'merchant' && networkTransactionId !== undefined
    ? { networkPaymentReference: networkTransactionId }
    : {};

/** Without a return address there is no authentication either: Adyen may replace the native one by a redirect. */
const collectedFields = ({ fields }: CollectedMethod, isPayerThere: boolean, wanted: NextActionType) =>
  ({
    channel: 'Web',
    ...fields,
    shopperInteraction: 'Ecommerce',
    authenticationData: isPayerThere ? authentication(fields, wanted) : NEVER,
  }) satisfies Partial<AdyenRequest>;

type Authentication = NonNullable<AdyenRequest['authenticationData']>;

const NEVER: Authentication = { attemptAuthentication: 'never' };

/** Native if the merchant asks for it, or if the page can show it: it then sends `browserInfo` and `origin`. */
function authentication(fields: CollectedMethod['fields'], wanted: NextActionType): Authentication {
  const given = fields.authenticationData ?? {};
  const canBeNative = fields.browserInfo !== undefined && fields.origin !== undefined;
  const isNative = wanted === undefined ? canBeNative : wanted === 'provider_action';
  const nativeThreeDS = isNative ? 'preferred' : 'disabled';
  return { ...given, threeDSRequestData: { nativeThreeDS, ...given.threeDSRequestData } };
}
