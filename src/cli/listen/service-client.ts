import { CommandError } from '../terminal.js';

/** With a token, or with what gets one. */
export type Credentials = { token: string } | { clientId: string; clientSecret: string };

export interface ServiceAddress {
  /** Such as https://payments.example, without a slash at the end. */
  url: string;
  credentials: Credentials;
}

/** What the service answers that is no success, in one line. `retryAfterMs`: when it asks to be left alone until then. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}

const UNAUTHORIZED = 401;
/** What may pass without anybody's doing: the service is busy, or on its way up or down. */
const PASSING = [408, 429, 500, 502, 503, 504];

/** Opens the service's stream of events. A token is fetched when there is none, or when it is not taken any more. */
export class ServiceClient {
  private token: string | undefined;

  constructor(private readonly service: ServiceAddress) {
    this.token = 'token' in service.credentials ? service.credentials.token : undefined;
  }

  /**
   * The stream behind `lastEventId`. Throws a `CommandError` when trying again is of no use, a `Refusal` when it may be,
   * and what `fetch` throws without an answer.
   */
  async events(search: URLSearchParams, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const response = await this.open(search, lastEventId, signal);
    if (response.status !== UNAUTHORIZED || 'token' in this.service.credentials) return accepted(response);
    this.token = undefined;
    await response.body?.cancel();
    return accepted(await this.open(search, lastEventId, signal));
  }

  private async open(search: URLSearchParams, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    this.token ??= await this.fetchToken(signal);
    const headers = {
      authorization: `Bearer ${this.token}`,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return fetch(`${this.service.url}/events?${search.toString()}`, { headers, signal });
  }

  /** It may do what listening takes, and nothing else. */
  private async fetchToken(signal: AbortSignal): Promise<string> {
    const { url, credentials } = this.service;
    if ('token' in credentials) return credentials.token;
    const basic = [credentials.clientId, credentials.clientSecret].map(encodeURIComponent).join(':');
    const response = await fetch(`${url}/auth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'webhooks:read' }),
      signal,
    });
    const { access_token: token } = (await (await accepted(response)).json()) as { access_token: string };
    return token;
  }
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const line = `${response.status} ${response.statusText}: ${reasonIn(await response.text())}`;
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  if (PASSING.includes(response.status)) throw new Refusal(line, (Number.isFinite(seconds) ? seconds : 0) * 1_000);
  throw new CommandError(`${new URL(response.url).pathname} answered ${line}`);
}

/** Of a problem, or of an OAuth error; else the beginning of what there is. */
function reasonIn(text: string): string {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const reason = body['detail'] ?? body['error_description'] ?? body['title'] ?? body['error'];
    if (typeof reason === 'string') return reason;
  } catch {
    // no JSON: a proxy's page, say
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}

/** Why there was no answer: what `fetch` says of a connection is in its error's cause. */
export function connectionReason(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || ((cause as { code?: string }).code ?? message) : message;
}
