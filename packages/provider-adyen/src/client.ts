import type { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js';
import type { RecurringApi } from '@adyen/api-library/lib/src/services/checkout/recurringApi.js';
import type Client from '@adyen/api-library/lib/src/client.js';
import type { PaymentDetailsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsRequest.js';
import type { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js';
import type { PaymentMethodsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentMethodsRequest.js';
import type { PaymentMethodsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentMethodsResponse.js';
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import { type ApiAnswer, type ApiClient, isObject } from '@payment-orchestrator/provider-kit';
import type { AdyenCredentials } from './credentials.js';
import { AdyenApiError } from './failure.js';

type HttpClient = Client.default['httpClient'];

/** A class of the SDK as JSON: dates and enums are texts. */
export type Json<T> = T extends string
  ? `${T}`
  : T extends Date
    ? string
    : T extends readonly (infer Item)[]
      ? readonly Json<Item>[]
      : T extends object
        ? { readonly [Field in keyof T]: Json<T[Field]> }
        : T;

/** The requests that are posted, and their answers. */
interface Calls {
  '/payments': [PaymentRequest, PaymentResponse];
  '/payments/details': [PaymentDetailsRequest, PaymentDetailsResponse];
  '/paymentMethods': [PaymentMethodsRequest, PaymentMethodsResponse];
}
type Post = <Path extends keyof Calls>(
  path: Path,
  body: Json<Calls[Path][0]>,
  options?: { idempotencyKey: string },
) => Promise<Calls[Path][1]>;

/** Adyen's Checkout API for one call of ours. */
export interface AdyenCheckout {
  /**
   * Posts without the SDK's classes: they leave out fields that their version does not know, and most of an action in
   * an answer of `/payments/details`. `path`: without the version, such as `/payments`.
   */
  post: Post;
  modifications: ModificationsApi;
  recurring: RecurringApi;
}

/** The SDK replaces the host for the live environment. */
const CHECKOUT = 'https://checkout-test.adyen.com/v72';

/**
 * Loads only the needed APIs of the SDK, when the first shop needs them: its index takes 4 s of a cold start, these 400
 * ms. The SDK does not pass an AbortSignal on, so its transport holds the call's own. Only its transport retries, and
 * ours does not.
 */
export async function adyenCheckout(
  http: ApiClient,
  base: URL | undefined,
  { apiKey, livePrefix, liveRegion }: AdyenCredentials,
  signal: AbortSignal,
): Promise<AdyenCheckout> {
  const [client, modifications, recurring] = await Promise.all([
    import('@adyen/api-library/lib/src/client.js'),
    import('@adyen/api-library/lib/src/services/checkout/modificationsApi.js'),
    import('@adyen/api-library/lib/src/services/checkout/recurringApi.js'),
  ]);
  const config = {
    apiKey,
    environment: (livePrefix === undefined ? 'TEST' : 'LIVE') as Client.default['config']['environment'],
    ...(livePrefix !== undefined && { liveEndpointUrlPrefix: livePrefix }),
  };
  const sdk = new client.default.default(
    config,
    transport(http, (endpoint) => urlOf(endpoint, base, liveRegion), apiKey, signal),
  );
  const checkout = new (class extends modifications.ModificationsApi {
    readonly post: Post = async (path, body, options) => {
      const url = this.createBaseUrl(`${CHECKOUT}${path}`);
      const answer = await sdk.httpClient.request(url, JSON.stringify(body), sdk.config, true, options);
      return JSON.parse(answer) as Calls[typeof path][1];
    };
  })(sdk);
  return {
    post: checkout.post,
    modifications: checkout,
    recurring: new recurring.RecurringApi(sdk),
  };
}

/** The SDK only knows the live host of the EU. https://docs.adyen.com/development-resources/live-endpoints */
function urlOf(endpoint: string, base: URL | undefined, region: string | undefined): URL {
  if (base) return new URL(new URL(endpoint).pathname, base);
  const host = '-checkout-live.adyenpayments.com/';
  return new URL(region === undefined ? endpoint : endpoint.replace(host, host.replace('live.', `live-${region}.`)));
}

const transport = (
  http: ApiClient,
  url: (endpoint: string) => URL,
  apiKey: string,
  signal: AbortSignal,
): HttpClient => ({
  request: async (endpoint, json, _config, _isApiKeyRequired, options) => {
    const isRemoval = options?.method === 'DELETE';
    const target = url(endpoint);
    if (isRemoval) target.search = new URLSearchParams(options?.params).toString();
    const answer = await http.call(
      {
        method: isRemoval ? 'DELETE' : 'POST',
        url: target,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'x-api-key': apiKey,
          ...(options?.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
        },
        ...(!isRemoval && { body: json }),
      },
      signal,
    );
    return readBody(answer);
  },
});

/** Returns the JSON object of a successful call, because the SDK would accept any other text as an answer. */
function readBody({ statusCode, headers, body }: ApiAnswer): string {
  const text = body.toString('utf8');
  if (statusCode === 204) return '';
  const isOk = statusCode >= 200 && statusCode < 300;
  const json = isOk ? (JSON.parse(text) as unknown) : readError(text);
  if (!isObject(json)) throw new Error('the answer is no JSON object');
  if (isOk) return text;
  const { errorCode, errorType } = json;
  throw new AdyenApiError(statusCode, codeOf(errorCode), codeOf(errorType), headers['transient-error'] === 'true');
}

/** A gateway's error may be no JSON. */
function readError(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

const codeOf = (value: unknown): string => (typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : '');
