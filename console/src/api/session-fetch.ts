import type { Identity } from './session-cache';

/** The parts of the session that a request needs. */
interface CurrentSession {
  /** The API refuses writes of the console without it. */
  csrfToken: () => string | undefined;
  identity: () => Identity;
  /** Asks the server again who is signed in; resolves also when the request fails. */
  refresh: () => Promise<unknown>;
  /** Called when a write is refused because the session has ended. */
  noteRefusedWrite: () => void;
}

type Send = (request: Request) => Promise<Response>;

/**
 * `fetch` within a session: the browser sends its cookie, this function adds its CSRF token.
 * - 401: the session may have ended, so the server is asked who is signed in. From any page, this leads to the sign-in page.
 * - 403 `csrf_token_invalid`: another tab has extended the session. The request is sent once more with the new token, unless
 *   another user has signed in since.
 * - An answer that arrives after another user has signed in is withheld from the page.
 */
export function withSession(session: CurrentSession, send: Send): Send {
  const sendNow = (request: Request): Promise<Response> => {
    const token = session.csrfToken();
    if (token !== undefined) request.headers.set('x-csrf-token', token);
    return send(request);
  };
  return async (request) => {
    const sender = session.identity();
    const isSame = (): boolean => session.identity() === sender;
    const again = request.clone();
    let response = await sendNow(request);
    if (response.status === 401) {
      if (request.method !== 'GET') session.noteRefusedWrite();
      void session.refresh();
    }
    if (await hasOldToken(response)) {
      await session.refresh();
      if (isSame()) response = await sendNow(again);
    }
    return isSame() ? response : sessionChanged(response);
  };
}

async function hasOldToken(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return body?.code === 'csrf_token_invalid';
}

/** A problem in the API's format, with a status that the client does not retry. */
const sessionChanged = ({ headers }: Response): Response =>
  Response.json(
    {
      title: 'The session has changed',
      detail: 'the result of this request belongs to the session before and is not shown',
      status: 403,
      success: false,
      code: 'session_changed',
      request_id: headers.get('x-request-id') ?? '',
    },
    { status: 403, headers: { 'content-type': 'application/problem+json' } },
  );
