import type { Identity } from './session-cache';

/** What a request must know of the session. */
interface CurrentSession {
  /** Without it the API refuses what the console writes. */
  csrfToken: () => string | undefined;
  identity: () => Identity;
  /** Asks the server again; resolves when it has answered, or does not. */
  ask: () => Promise<unknown>;
  /** Told when a change is refused because the session has ended. */
  noteRefusedWrite: () => void;
}

type Send = (request: Request) => Promise<Response>;

/**
 * As `fetch`, with the session: its cookie goes along by itself, its CSRF token with every request.
 * - 401: the session may have ended, so the server is asked who is signed in; that shows the sign-in page from everywhere.
 * - 403 `csrf_token_invalid`: another tab has prolonged the session. Sent once more with the new token, unless somebody else
 *   is signed in by now.
 * - An answer that comes when somebody else is signed in is kept from the page.
 */
export function withSession(session: CurrentSession, send: Send): Send {
  const sendNow = (request: Request): Promise<Response> => {
    const token = session.csrfToken();
    if (token !== undefined) request.headers.set('x-csrf-token', token);
    return send(request);
  };
  return async (request) => {
    const asker = session.identity();
    const isSame = (): boolean => session.identity() === asker;
    const again = request.clone();
    let response = await sendNow(request);
    if (response.status === 401) {
      if (request.method !== 'GET') session.noteRefusedWrite();
      void session.ask();
    }
    if (await hasOldToken(response)) {
      await session.ask();
      if (isSame()) response = await sendNow(again);
    }
    return isSame() ? response : ofAnother(response);
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

/** A problem as the API's are; with a status that nobody repeats a request for. */
const ofAnother = ({ headers }: Response): Response =>
  Response.json(
    {
      title: 'Another session has begun meanwhile',
      detail: 'what this request came to is not shown in it',
      status: 403,
      success: false,
      code: 'session_changed',
      request_id: headers.get('x-request-id') ?? '',
    },
    { status: 403, headers: { 'content-type': 'application/problem+json' } },
  );
