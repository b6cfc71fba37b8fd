import {
  ApiCallError,
  type ApiClient,
  type ApiRequest,
  isApiCallError,
  isObject,
} from '@payment-orchestrator/provider-kit';
import { hostOf } from './credentials.js';

/** A definite answer of Checkout.com that the call was not executed. It has codes only: its texts may repeat data of payers. */
export class CheckoutRefusal extends Error {
  constructor(
    readonly status: number,
    readonly codes: readonly string[],
  ) {
    super(['Checkout.com answered', status, ...codes].join(' '));
  }
}

/**
 * 409: the first call under the key is under way; earlier 429 with `duplicate_request`. Like a 5xx or a redirect of a
 * proxy, both say nothing about that call.
 */
const isUnknown = (status: number, codes: readonly string[]): boolean =>
  status < 400 || status === 409 || status >= 500 || codes.includes('duplicate_request');

export const paymentPath = (id: string): string => `/payments/${encodeURIComponent(id)}`;

/** Checkout.com's API for one call of ours. */
export class CheckoutApi {
  constructor(
    private readonly http: ApiClient,
    private readonly base: string | undefined,
    readonly credentials: Record<string, unknown>,
    private readonly signal: AbortSignal,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call('GET', path) as Promise<T>;
  }

  /** `key`: the idempotency key; a 2xx answer is kept for a day; the body of a repeat is not compared. */
  post<T>(path: string, body: object, key: string): Promise<T> {
    return this.call('POST', path, body, key) as Promise<T>;
  }

  /** Its answer is 204; another 2xx is none of Checkout.com's. */
  async delete(path: string): Promise<void> {
    if ((await this.call('DELETE', path)) !== undefined) throw new Error('Checkout.com answered a removal with a body');
  }

  /** Returns the body of a 2xx answer. Throws a `CheckoutRefusal`; after any other error the outcome is unknown. */
  private async call(method: ApiRequest['method'], path: string, body?: object, key?: string): Promise<unknown> {
    const { statusCode: status, body: bytes } = await this.http.call(
      {
        method,
        url: new URL(path, this.base ?? hostOf(this.credentials)),
        headers: {
          authorization: `Bearer ${String(this.credentials['secret_key'])}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'cko-idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      this.signal,
    );
    const json = readJson(bytes);
    const isOk = status >= 200 && status < 300;
    if (isOk && (json !== undefined || status === 204)) return json;
    const { error_codes: given } = isObject(json) ? json : {};
    const all: unknown[] = Array.isArray(given) ? given : [];
    const codes = all.filter((code) => typeof code === 'string' && /^\w{1,80}$/.test(code)) as string[];
    if (isUnknown(status, codes)) throw new ApiCallError(true, `Checkout.com answered ${status}`);
    throw new CheckoutRefusal(status, codes);
  }
}

/** An object or a list; `undefined`: neither. Some refusals have no body. */
function readJson(bytes: Buffer): object | undefined {
  try {
    const json = JSON.parse(bytes.toString()) as unknown;
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The reason if the call was certainly not processed, and another one may be. `isChange`: of a payment, whose state is
 * what 403 is about.
 */
export function unavailableReason(error: unknown, { isChange = false } = {}): string | undefined {
  if (isApiCallError(error)) return error.sent ? undefined : `Checkout.com could not be reached: ${error.message}`;
  const statuses = isChange ? [401, 429] : [401, 403, 429];
  return error instanceof CheckoutRefusal && statuses.includes(error.status) ? error.message : undefined;
}
