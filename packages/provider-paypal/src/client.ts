import {
  type AccessToken,
  type ApiAnswer,
  ApiCallError,
  type ApiRequest,
  type ConnectorContext,
  isApiCallError,
  isObject,
} from '@payment-orchestrator/provider-kit';
import type { Account } from './credentials.js';
import type { Order } from './documents.js';

/** A definite answer of PayPal that the call was not executed. Its texts are not kept: they may repeat data of payers. */
export class PayPalRefusal extends Error {
  constructor(
    readonly status: number,
    /** PayPal's code of the reason, if it gives one. */
    readonly issue?: string,
    /** Where the payer may choose another means of payment. */
    readonly redirect?: string,
  ) {
    super(issue === undefined ? `PayPal answered ${status}` : `PayPal answered ${status} ${issue}`);
  }
}

/** 409: a call on the same object is under way. Like a 5xx or a proxy's answer, it says nothing about the outcome. */
const isUnknown = (status: number): boolean =>
  status === 409 || status < 200 || status >= 500 || (status >= 300 && status < 400);

interface Sent {
  body?: object;
  /** The idempotency key: kept for 6 hours with orders, for 45 days with captures, voids and refunds. */
  key?: string;
}

/** The Orders v2 and Payments v2 APIs of PayPal, for one call of ours. */
export class PayPalApi {
  private readonly base: string;

  constructor(
    private readonly context: Pick<ConnectorContext, 'http' | 'accessTokens'>,
    private readonly account: Account,
    private readonly signal: AbortSignal,
  ) {
    this.base = account.origins[0] ?? '';
  }

  /** Returns the body of a 2xx answer. Throws a `PayPalRefusal`; after any other error the outcome is unknown. */
  async call(method: ApiRequest['method'], path: string, { body, key }: Sent = {}): Promise<unknown> {
    const { clientId, secret } = this.account;
    const send = (token: string): Promise<ApiAnswer> =>
      this.context.http.call(
        {
          method,
          url: new URL(path, this.base),
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(method === 'POST' && { 'content-type': 'application/json', prefer: 'return=representation' }),
            ...(key !== undefined && { 'paypal-request-id': key }),
          },
          ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
        },
        this.signal,
      );
    const issue = (signal: AbortSignal): Promise<AccessToken> => this.issueToken(signal);
    const token = { key: [this.base, clientId, secret], issue, send };
    return resultOf(await this.context.accessTokens.call(token, this.signal));
  }

  /** A new access token, valid for some hours: https://developer.paypal.com/api/rest/authentication/ */
  async issueToken(signal: AbortSignal = this.signal): Promise<AccessToken> {
    const { clientId, secret } = this.account;
    const answer = await this.context.http.call(
      {
        method: 'POST',
        url: new URL('/v1/oauth2/token', this.base),
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
      signal,
    );
    const { access_token: token, expires_in: seconds } = (resultOf(answer) ?? {}) as Record<string, unknown>;
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) || typeof seconds !== 'number')
      throw new ApiCallError(true, 'PayPal answered without an access token');
    return { token, expiresInMs: seconds * 1_000 };
  }

  async order(id: string): Promise<Order> {
    return orderOf(await this.call('GET', `/v2/checkout/orders/${encodeURIComponent(id)}`));
  }

  /** `undefined`: the account has no such order. PayPal forgets one that its payer did not approve within some hours. */
  async findOrder(id: string): Promise<Order | undefined> {
    try {
      return await this.order(id);
    } catch (error) {
      if (error instanceof PayPalRefusal && error.status === 404) return undefined;
      throw error;
    }
  }
}

function resultOf({ statusCode: status, body }: ApiAnswer): unknown {
  if (isUnknown(status)) throw new ApiCallError(true, `PayPal answered ${status}`);
  if (status === 401 || status === 429) throw new PayPalRefusal(status);
  if (status === 204 || body.length === 0) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(body.toString());
  } catch {
    throw new ApiCallError(true, 'the answer is no JSON');
  }
  if (!isObject(json)) throw new ApiCallError(true, 'the answer is no JSON object');
  if (status < 300) return json;
  const { name, details, links } = json as { name?: unknown; details?: { issue?: unknown }[]; links?: Link[] };
  const issue = (Array.isArray(details) ? details[0]?.issue : undefined) ?? name;
  const isCode = typeof issue === 'string' && /^[A-Z][A-Z0-9_]{1,80}$/.test(issue);
  throw new PayPalRefusal(status, isCode ? issue : undefined, linkOf({ links }, ['redirect']));
}

interface Link {
  rel?: string;
  href?: string;
}

export function linkOf(
  { links }: { links?: readonly Link[] | undefined },
  rels: readonly string[],
): string | undefined {
  const found = Array.isArray(links)
    ? (links as Link[]).find(({ rel }) => rel !== undefined && rels.includes(rel))
    : undefined;
  return typeof found?.href === 'string' ? found.href : undefined;
}

/** Throws for an answer that is no order of ours: its outcome is unknown. */
export function orderOf(json: unknown): Order {
  const { id, purchase_units: units } = (json ?? {}) as { id?: unknown; purchase_units?: unknown };
  const [unit] = Array.isArray(units) ? (units as { amount?: unknown }[]) : [];
  if (typeof id !== 'string' || id === '' || !isMoney(unit?.amount)) throw new Error('PayPal answered no whole order');
  return json as Order;
}

export const isMoney = (value: unknown): boolean => {
  const { currency_code: currency, value: text } = (value ?? {}) as Record<string, unknown>;
  return typeof currency === 'string' && typeof text === 'string' && /^\d{1,15}(\.\d{1,3})?$/.test(text);
};

/** The reason if the call was certainly not processed, and another one may be. */
export function unavailableReason(error: unknown): string | undefined {
  if (isApiCallError(error)) return error.sent ? undefined : `PayPal could not be reached: ${error.message}`;
  if (!(error instanceof PayPalRefusal)) return undefined;
  const isDenied =
    error.status === 403 && (error.issue === undefined || /^(NOT_AUTHORIZED|PERMISSION_DENIED)$/.test(error.issue));
  return isDenied || error.status === 401 || error.status === 429 ? error.message : undefined;
}
