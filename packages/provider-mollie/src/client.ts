import {
  ApiCallError,
  type ApiClient,
  type ApiRequest,
  isApiCallError,
  isObject,
} from '@payment-orchestrator/provider-kit';
import type { Capture, Payment, Refund } from './documents.js';

/** A definite answer of Mollie that the call was not executed. Its texts are not kept: they may repeat data of payers. */
export class MollieRefusal extends Error {
  constructor(
    readonly status: number,
    /** The field of the request that Mollie refuses, if it names one. */
    readonly field: string | undefined,
  ) {
    super(field === undefined ? `Mollie answered ${status}` : `Mollie answered ${status} about ${field}`);
  }
}

/**
 * 400: the idempotency key was used with another call. 409: its first call is under way, or an equal refund was made a
 * moment ago. Like a 5xx and a proxy's redirect, both say nothing about the first call.
 */
const isUnknown = (status: number): boolean =>
  (status >= 300 && status < 400) || status === 400 || status === 409 || status >= 500;

type Method = ApiRequest['method'];
interface Sent {
  body?: object;
  /** The idempotency key, kept for an hour. */
  key?: string;
}

/** A page of payments, newest first, and the id at which the next page begins; `null`: there is none. */
export interface PaymentsPage {
  payments: readonly Payment[];
  next: string | null;
}

/** The Payments API v2 of Mollie, for one call of ours. */
export class MollieApi {
  constructor(
    private readonly http: ApiClient,
    private readonly base: string,
    private readonly credentials: Record<string, unknown>,
    private readonly signal: AbortSignal,
  ) {}

  /** Returns the body of a 2xx answer. Throws a `MollieRefusal`; after any other error the outcome is unknown. */
  async call(method: Method, path: string, { body, key }: Sent = {}): Promise<unknown> {
    const { statusCode: status, body: bytes } = await this.http.call(
      {
        method,
        url: new URL(`/v2${path}`, this.base),
        headers: {
          authorization: `Bearer ${String(this.credentials['api_key'])}`,
          accept: 'application/hal+json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      this.signal,
    );
    if (isUnknown(status)) throw new ApiCallError(true, `Mollie answered ${status}`);
    // 202 for a release, 204 for a revoked mandate
    if (bytes.length === 0 && status >= 200 && status < 300) return undefined;
    const json = JSON.parse(bytes.toString()) as unknown;
    if (!isObject(json)) throw new ApiCallError(true, 'the answer is no JSON object');
    if (status >= 200 && status < 300) return json;
    const { field } = json;
    throw new MollieRefusal(status, typeof field === 'string' && /^[\w.[\]]{1,60}$/.test(field) ? field : undefined);
  }

  /** The payment with its refunds and chargebacks. */
  async payment(id: string): Promise<Payment> {
    return this.call('GET', `/payments/${encodeURIComponent(id)}?embed=refunds,chargebacks`) as Promise<Payment>;
  }

  /** `undefined`: Mollie has no such payment in this profile and mode. */
  async findPayment(id: string): Promise<Payment | undefined> {
    try {
      return await this.payment(id);
    } catch (error) {
      if (error instanceof MollieRefusal && error.status === 404) return undefined;
      throw error;
    }
  }

  async page(from: string | null): Promise<PaymentsPage> {
    const path = `/payments?limit=250${from === null ? '' : `&from=${encodeURIComponent(from)}`}`;
    const { _embedded: embedded, _links: links } = (await this.call('GET', path)) as {
      _embedded: { payments: Payment[] };
      _links: { next?: { href: string } | null };
    };
    return {
      payments: embedded.payments,
      next: links.next ? new URL(links.next.href).searchParams.get('from') : null,
    };
  }

  /** The payment with the reference; payments are listed from the newest, so `since` ends the search. */
  async search(reference: string, since: Date): Promise<Payment | undefined> {
    for (let from: string | null = null; ;) {
      const { payments, next }: PaymentsPage = await this.page(from);
      const found = payments.find(({ metadata }) => metadata?.reference === reference);
      if (found) return found;
      const oldest = payments.at(-1);
      if (next === null || !oldest || new Date(oldest.createdAt) < since) return undefined;
      from = next;
    }
  }

  /** All captures or refunds of a payment: there are fewer than a page has. */
  async operations(id: string, kind: 'captures' | 'refunds'): Promise<readonly (Capture | Refund)[]> {
    const path = `/payments/${encodeURIComponent(id)}/${kind}?limit=250`;
    const { _embedded: embedded } = (await this.call('GET', path)) as {
      _embedded: Record<typeof kind, (Capture | Refund)[]>;
    };
    return embedded[kind];
  }
}

/** The reason if the call was certainly not processed, and another one may be. */
export function unavailableReason(error: unknown): string | undefined {
  if (isApiCallError(error)) return error.sent ? undefined : `Mollie could not be reached: ${error.message}`;
  return error instanceof MollieRefusal && [401, 403, 429].includes(error.status) ? error.message : undefined;
}

/** Mollie processed the call and refused it. */
export const isRefusal = (error: unknown): error is MollieRefusal =>
  error instanceof MollieRefusal && unavailableReason(error) === undefined;
