import { ConnectionError, ProblemError, type Schema, UnexpectedAnswerError } from '@payment-orchestrator/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client';
import { forgetWithSession, type Identity, identityOf, type Scope, type Session, SESSION_KEY } from './session-cache';

/** For all tabs: until when the last session was to last, unless somebody has signed out of it. */
const ENDS_KEY = 'console.session-ends';

/** Why nobody is signed in, when somebody was. */
export interface SessionEnd {
  isExpired: boolean;
  /** What was sent last was refused for it. */
  hasRefusedWrite: boolean;
}

/** Ahead of the half hour in which the server prolongs it. */
const ASK_AGAIN_MS = 10 * 60_000;

/** `null`: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: current,
  staleTime: ASK_AGAIN_MS / 2,
  refetchInterval: ASK_AGAIN_MS,
  // another tab may have changed it
  refetchOnWindowFocus: 'always',
});

/** Whom people can sign in with besides a client's secret. */
export const signInSettingsQuery = queryOptions({
  queryKey: ['sign-in-settings'],
  queryFn: async (): Promise<{ oidc_provider: string | null }> => {
    const response = await fetch('/console/settings');
    const { data } = (await response.json()) as { data: { oidc_provider: string | null } };
    return data;
  },
  staleTime: Infinity,
});

/** Of a page behind the sign-in: there is one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('nobody is signed in');
  return data;
}

/** Whether the session may do it: what it may not is not shown, or disabled with the reason. */
export const useCan = (scope: Scope): boolean => useSession().scopes.includes(scope);

/** For requests of the API. */
export const currentSession = {
  csrfToken: () => known()?.csrf_token,
  identity: () => identityOf(known()),
  ask: () => queryClient.refetchQueries({ queryKey: SESSION_KEY }, { cancelRefetch: false }),
  noteRefusedWrite: () => {
    hasRefusedWrite = true;
  },
};

let hasRefusedWrite = false;

/** `undefined`: nobody was signed in, or has signed out. */
export function sessionEnd(): SessionEnd | undefined {
  const ends = localStorage.getItem(ENDS_KEY);
  return ends === null ? undefined : { isExpired: Date.parse(ends) <= Date.now(), hasRefusedWrite };
}

const known = (): Session | null | undefined => queryClient.getQueryData<Session | null>(SESSION_KEY);

/** The cookie is that of all tabs: what one of them does, the others learn. */
const tabs = new BroadcastChannel('session');
forgetWithSession(queryClient, (identity) => tabs.postMessage(identity));
tabs.onmessage = ({ data }: MessageEvent<Identity>) => {
  if (data !== currentSession.identity()) void currentSession.ask();
};

async function current({ signal }: { signal: AbortSignal }): Promise<Session | null> {
  const response = await call('GET', { signal });
  return response.status === 401 ? null : noted(await dataOf(response));
}

function noted(session: Session): Session {
  localStorage.setItem(ENDS_KEY, session.expires_at);
  return session;
}

/** Throws `ProblemError` for wrong credentials. */
export async function signIn(clientId: string, clientSecret: string): Promise<void> {
  const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
  const response = await call('POST', { body, headers: { 'content-type': 'application/json' } });
  hasRefusedWrite = false;
  await begin(noted(await dataOf(response)));
}

/** Throws when the server did not end the session: the person is signed in still. */
export async function signOut(): Promise<void> {
  const response = await call('DELETE');
  if (!response.ok) throw await refusalOf(response);
  localStorage.removeItem(ENDS_KEY);
  await begin(null);
}

/** What the server was asked before must not have the last word. */
async function begin(session: Session | null): Promise<void> {
  await queryClient.cancelQueries({ queryKey: SESSION_KEY });
  queryClient.setQueryData(SESSION_KEY, session);
}

/** Throws `ConnectionError` when no answer comes. */
async function call(method: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch('/console/session', { method, ...init });
  } catch (error) {
    throw new ConnectionError(`${method} /console/session`, 1, error);
  }
}

async function dataOf(response: Response): Promise<Session> {
  if (!response.ok) throw await refusalOf(response);
  return ((await response.json()) as { data: Session }).data;
}

/** A proxy in front answers in its own way. */
async function refusalOf(response: Response): Promise<Error> {
  const text = await response.text();
  try {
    const problem = JSON.parse(text) as Schema<'Problem'>;
    if (typeof problem.code === 'string') return new ProblemError(problem, response);
  } catch {
    // no JSON
  }
  return new UnexpectedAnswerError(response.status, text);
}
