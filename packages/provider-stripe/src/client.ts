import type { Stripe } from 'stripe';
import type { ApiAnswer, ApiClient, ApiRequest } from '@payment-orchestrator/provider-kit';

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;
type HttpResponse = Awaited<ReturnType<HttpClient['makeRequest']>>;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** Loads the SDK when the first shop needs it, because it takes 400 ms of a cold start. */
export const loadStripe = async (): Promise<typeof Stripe> => (await import('stripe')).Stripe;

/**
 * The SDK for one call: it does not pass an AbortSignal on, so its transport holds the call's own. Its retries are off.
 * Its one built-in retry, of a closed connection, depends on the error's `code`, and ours has none of the socket's.
 */
export async function stripeClient(
  http: ApiClient,
  base: URL,
  secretKey: string,
  signal: AbortSignal,
): Promise<Stripe> {
  const StripeSdk = await loadStripe();
  return new StripeSdk(secretKey, {
    httpClient: transport(http, signal),
    host: base.hostname,
    port: base.port || DEFAULT_PORTS[base.protocol],
    protocol: base.protocol === 'https:' ? 'https' : 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

const transport = (http: ApiClient, signal: AbortSignal): HttpClient => ({
  getClientName: () => 'undici',
  makeRequest: async (host, port, path, method, headers, body, protocol) => {
    const request: ApiRequest = {
      method: method as ApiRequest['method'],
      url: new URL(`${protocol}://${host}:${port}${path}`),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(method === 'GET' ? {} : { body }),
    };
    return response(await http.call(request, signal), request);
  },
});

/** Passes on only the headers that we read: the SDK would print `stripe-notice` on stderr. */
function response({ statusCode, headers, body }: ApiAnswer, request: ApiRequest): HttpResponse {
  const names = ['request-id', 'idempotent-replayed'];
  const kept = names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
  return {
    getStatusCode: () => statusCode,
    getHeaders: () => Object.fromEntries(kept) as Record<string, string>,
    getRawResponse: () => ({}),
    toStream: () => body,
    toJSON: () => Promise.resolve().then(() => readBody(statusCode, body, objectOf(request))),
  };
}

/** The `object` of answers by the resource in the path. */
const OBJECTS: Readonly<Record<string, string>> = {
  account: 'account',
  customers: 'customer',
  payment_intents: 'payment_intent',
  payment_methods: 'payment_method',
  refunds: 'refund',
};

/** The `object` that Stripe answers a call with. */
function objectOf({ method, url }: ApiRequest): string | undefined {
  const [resource = '', action] = url.pathname.split('/').slice(2);
  if (action === 'search') return 'search_result';
  return method === 'GET' && action === undefined && resource !== 'account' ? 'list' : OBJECTS[resource];
}

/**
 * Parses an answer. The SDK takes any body without `error` for a success, regardless of its status, such as a gateway's
 * 502 `{}`, and any object for the expected one, such as a proxy's 200 `{}`.
 */
function readBody(statusCode: number, body: Buffer, expected: string | undefined): object {
  const json: unknown = JSON.parse(body.toString('utf8'));
  if (typeof json !== 'object' || json === null) throw new Error('the answer is no JSON object');
  const isError = statusCode < 200 || statusCode > 299;
  if (isError !== 'error' in json) throw new Error(`the answer's status ${statusCode} contradicts its body`);
  if (isError) return json;
  if ((json as { object?: unknown }).object !== expected) throw new Error(`the answer is no ${expected}`);
  if (expected === 'list' && !Array.isArray((json as { data?: unknown }).data)) throw new Error('the list has no data');
  return json;
}
