import { TokenError, UnexpectedAnswerError } from './errors.js';
import type { Send } from './retries.js';
import type { components } from './schema.js';

/** The credentials that `npm run cli -- client:create` prints. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** Scopes, separated by spaces; default: all scopes of the client. */
  scope?: string;
}

/** A token, or a function that returns one for each request. */
interface TokenCredentials {
  token: string | (() => string | Promise<string>);
}

/** Client credentials, your own tokens, or `none` if your own `fetch` adds the authorization, such as a cookie. */
export type Credentials = ClientCredentials | TokenCredentials | 'none';

type TokenResponse = components['schemas']['TokenResponse'];

interface Token {
  text: string;
  renewAt: number;
}

/** A token is renewed this long before it expires; a short-lived token in the last tenth of its life. */
const AHEAD_MS = 60_000;

/** Provides the token for each request. Concurrent requests share one fetch; the token is renewed before it expires. */
export class TokenSource {
  private current: Token | undefined;
  private next: Promise<Token> | undefined;

  constructor(
    private readonly credentials: Exclude<Credentials, 'none'>,
    private readonly baseUrl: string,
    private readonly send: Send,
  ) {}

  /** Throws `TokenError` if the API refuses the credentials. */
  async get(): Promise<string> {
    if ('token' in this.credentials) {
      const { token } = this.credentials;
      return typeof token === 'string' ? token : token();
    }
    if (this.current && Date.now() < this.current.renewAt) return this.current.text;
    this.next ??= this.request(this.credentials).finally(() => (this.next = undefined));
    this.current = await this.next;
    return this.current.text;
  }

  /** Drops a refused token; returns whether there may be another one. */
  forget(refused: string): boolean {
    if ('token' in this.credentials) return typeof this.credentials.token === 'function';
    if (this.current?.text === refused) this.current = undefined;
    return true;
  }

  private async request({ clientId, clientSecret, scope }: ClientCredentials): Promise<Token> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope !== undefined && { scope }),
    });
    const askedAt = Date.now();
    const response = await this.send(new Request(`${this.baseUrl}/auth/token`, { method: 'POST', body: form }));
    const text = await response.text();
    if (!response.ok) throw refusal(response.status, text);
    const { access_token, expires_in } = JSON.parse(text) as TokenResponse;
    const lifeMs = expires_in * 1_000;
    return { text: access_token, renewAt: askedAt + lifeMs - Math.min(AHEAD_MS, lifeMs / 10) };
  }
}

function refusal(status: number, text: string): Error {
  try {
    const { error, error_description } = JSON.parse(text) as Partial<components['schemas']['TokenError']>;
    if (error !== undefined) return new TokenError(error, error_description ?? '');
  } catch {
    // no JSON, so the answer is not from the API
  }
  return new UnexpectedAnswerError(status, text.slice(0, 1_000));
}
