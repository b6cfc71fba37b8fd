import { CommandError } from './terminal.js';

/** A token, or the credentials to get one. */
export type Credentials = { token: string } | { clientId: string; clientSecret: string };

export interface ServiceAddress {
  /** The base URL, such as https://payments.example, without a trailing slash. */
  url: string;
  credentials: Credentials;
}

/** An unsuccessful response of the service, in one line. `retryAfterMs`: the pause that the service asks for. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}

/** Statuses that may be temporary: the service is busy, starting or stopping. */
const TRANSIENT = [408, 429, 500, 502, 503, 504];

/** A token of the service's client with only these scopes, without `scope` with all of the client; or the given token. */
export async function accessToken(
  { url, credentials }: ServiceAddress,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if ('token' in credentials) return credentials.token;
  const basic = [credentials.clientId, credentials.clientSecret].map(encodeURIComponent).join(':');
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    signal,
  });
  const { access_token: token } = (await (await accepted(response)).json()) as { access_token: string };
  return token;
}

/** The response, if it is a success. Throws a `Refusal` if a retry may help, otherwise a `CommandError`. */
export async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const line = `${response.status} ${response.statusText}: ${reasonIn(await response.text())}`;
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  if (TRANSIENT.includes(response.status)) throw new Refusal(line, (Number.isFinite(seconds) ? seconds : 0) * 1_000);
  throw new CommandError(`${new URL(response.url).pathname} answered ${line}`);
}

/** The reason in a problem or an OAuth error, otherwise the beginning of the body. */
function reasonIn(text: string): string {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const reason = body['detail'] ?? body['error_description'] ?? body['title'] ?? body['error'];
    if (typeof reason === 'string') return reason;
  } catch {
    // not JSON, for example a proxy's page
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}

/** The reason why there was no response: `fetch` puts it into the cause of its error. */
export function connectionReason(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || ((cause as { code?: string }).code ?? message) : message;
}
