import { ApiCallError, type ApiClient, isApiCallError, isObject } from '@payment-orchestrator/provider-kit';

/** A definite answer that the call was not executed. Its texts are not kept: they may repeat data of payers. */
export class AcmeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(`Acme answered ${status} ${code}`.trim());
  }

  /** Rejected before processing, because of our identity or our rate. */
  get isUnavailable(): boolean {
    return [401, 403, 429].includes(this.status);
  }
}

interface AcmeCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
  /** Acme keeps it for a day. */
  key?: string;
}

/** The API of Acme. */
export class AcmeApi {
  constructor(
    private readonly http: ApiClient,
    private readonly base: string,
  ) {}

  /** Returns the object of a 2xx answer. Throws an `AcmeRefusal`; after any other error the outcome is unknown. */
  async call(
    { api_key: apiKey }: Record<string, unknown>,
    { method, path, body, key }: AcmeCall,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const answer = await this.http.call(
      {
        method,
        url: new URL(path, this.base),
        headers: {
          authorization: `Bearer ${String(apiKey)}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      signal,
    );
    const { statusCode: status } = answer;
    if (status >= 200 && status < 300) return objectOf(JSON.parse(answer.body.toString()));
    const { code = '' } = status < 400 || status >= 500 ? {} : errorOf(answer.body);
    // a redirect, a 5xx, and a key that is in use or was used otherwise say nothing about the first call
    if (status < 400 || status >= 500 || status === 409 || code.startsWith('key_'))
      throw new ApiCallError(true, `Acme answered ${status}`);
    throw new AcmeRefusal(status, code);
  }
}

function objectOf(json: unknown): Record<string, unknown> {
  if (isObject(json)) return json;
  throw new Error('Acme gave an answer that is no object');
}

/** The code of an error; none if a proxy answered. */
function errorOf(body: Buffer): { code?: string } {
  try {
    const { code } = JSON.parse(body.toString()) as { code?: unknown };
    return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? { code } : {};
  } catch {
    return {};
  }
}

/** The reason if the call was certainly not processed, and another one may be. */
export function unavailableReason(error: unknown): string | undefined {
  if (isApiCallError(error)) return error.sent ? undefined : `Acme could not be reached: ${error.message}`;
  return error instanceof AcmeRefusal && error.isUnavailable ? error.message : undefined;
}
