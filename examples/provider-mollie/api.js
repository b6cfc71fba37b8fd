import { ApiCallError, isApiCallError } from '@payment-orchestrator/provider-kit';

/** A definite answer of Mollie that the call was not executed. Its texts are not kept: they may repeat data of payers. */
export class MollieRefusal extends Error {
  constructor(status, field) {
    super(field === undefined ? `Mollie answered ${status}` : `Mollie answered ${status} about ${field}`);
    this.status = status;
    /** The field of the request that Mollie refuses, if it names one. */
    this.field = field;
  }
}

/**
 * 400: the idempotency key was used with another call. 409: its first call is under way, or an equal refund was made a
 * moment ago. Like a 5xx, both say nothing about the first call.
 */
const isUnknown = (status) => status === 400 || status === 409 || status >= 500;

/** The Payments API v2 of Mollie. */
export class MollieApi {
  constructor(http, base) {
    this.http = http;
    this.base = base;
  }

  /**
   * Returns the body of a 2xx answer. Throws a `MollieRefusal`; after any other error the outcome is unknown. `key`: the
   * idempotency key, kept for an hour; Mollie ignores it except with POST.
   */
  async call({ api_key: apiKey }, method, path, signal, { body, key } = {}) {
    const { statusCode: status, body: bytes } = await this.http.call(
      {
        method,
        url: new URL(`/v2${path}`, this.base),
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: 'application/hal+json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      signal,
    );
    if (isUnknown(status)) throw new ApiCallError(true, `Mollie answered ${status}`);
    const json = JSON.parse(bytes.toString());
    if (status >= 200 && status < 300) return json;
    throw new MollieRefusal(status, typeof json.field === 'string' ? json.field : undefined);
  }

  /** The payment with its refunds and chargebacks. */
  payment(credentials, id, signal) {
    const path = `/payments/${encodeURIComponent(id)}?embed=refunds,chargebacks`;
    return this.call(credentials, 'GET', path, signal);
  }

  /** A page of payments, newest first, and the id at which the next page begins; `null`: there is none. */
  async page(credentials, from, signal) {
    const path = `/payments?limit=250${from === null ? '' : `&from=${encodeURIComponent(from)}`}`;
    const { _embedded: embedded, _links: links } = await this.call(credentials, 'GET', path, signal);
    const next = links.next ? new URL(links.next.href).searchParams.get('from') : null;
    return { payments: embedded.payments, next };
  }
}

/** The reason if the call was certainly not processed, and another one may be. */
export function unavailableReason(error) {
  if (isApiCallError(error)) return error.sent ? undefined : `Mollie could not be reached: ${error.message}`;
  return error instanceof MollieRefusal && [401, 403, 429].includes(error.status) ? error.message : undefined;
}
