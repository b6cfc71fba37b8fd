import { eventually } from '../eventually.js';
import assert from 'node:assert/strict';

export interface ApiResponse<T = unknown> {
  status: number;
  headers: Headers;
  /** Parsed if the answer is JSON (or problem+json), text otherwise, `undefined` if empty. */
  body: T;
}

type RequestHeaders = Record<string, string>;

/** Calls the service over HTTP like a client program. `body` is sent as JSON unless it is a string. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly token?: string,
  ) {}

  /** A client with a new access token. `scope`: space-separated; absent: all scopes of the client. */
  static async login(url: string, clientId: string, secret: string, scope?: string): Promise<ApiClient> {
    const response = await new ApiClient(url).post<{ access_token: string }>('/auth/token', {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      ...(scope !== undefined && { scope }),
    });
    assert.equal(response.status, 200, `login failed: ${JSON.stringify(response.body)}`);
    return new ApiClient(url, response.body.access_token);
  }

  get<T = unknown>(path: string, headers?: RequestHeaders): Promise<ApiResponse<T>> {
    return this.request('GET', path, undefined, headers);
  }

  post<T = unknown>(path: string, body?: unknown, headers?: RequestHeaders): Promise<ApiResponse<T>> {
    return this.request('POST', path, body, headers);
  }

  patch<T = unknown>(path: string, body?: unknown, headers?: RequestHeaders): Promise<ApiResponse<T>> {
    return this.request('PATCH', path, body, headers);
  }

  delete<T = unknown>(path: string, body?: unknown, headers?: RequestHeaders): Promise<ApiResponse<T>> {
    return this.request('DELETE', path, body, headers);
  }

  async request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: RequestHeaders = {},
  ): Promise<ApiResponse<T>> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(response, text) as T };
  }
}

function parse(response: Response, text: string): unknown {
  if (text === '') return undefined;
  return /[/+]json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

/**
 * Repeats the request while the answer is 503, as clients do: on a busy machine some of many requests for one row time
 * out waiting for its lock.
 */
export const served = <T>(ask: () => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> =>
  eventually(async () => {
    const answer = await ask();
    return answer.status === 503 ? null : answer;
  });

/** A client whose every request is `served`. */
export class PatientClient extends ApiClient {
  override request<T = unknown>(...request: Parameters<ApiClient['request']>): Promise<ApiResponse<T>> {
    return served(() => super.request<T>(...request));
  }
}
