import { ConnectionError, ProblemError, type Schema, UnexpectedAnswerError } from '@payment-orchestrator/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client';
import { forgetRecent } from './recent';
import { forgetWithSession, type Identity, identityOf, type Scope, type Session, SESSION_KEY } from './session-cache';

/** Local storage, shared by all tabs: when the last session expires. Removed by signing out. */
const ENDS_KEY = 'console.session-ends';

/** How the last session ended. */
export interface SessionEnd {
  isExpired: boolean;
  /** Whether the last write was refused because of it. */
  hasRefusedWrite: boolean;
}

/** Well within the half hour in which the server extends a session. */
const REFRESH_MS = 10 * 60_000;

/** `null`: no one is signed in. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: current,
  staleTime: REFRESH_MS / 2,
  refetchInterval: REFRESH_MS,
  // another tab may have changed it
  refetchOnWindowFocus: 'always',
});

/** The identity provider that users can sign in with, in addition to an API client's secret. */
export const signInSettingsQuery = queryOptions({
  queryKey: ['sign-in-settings'],
  queryFn: async (): Promise<{ oidc_provider: string | null }> => {
    const response = await fetch('/console/settings');
    const { data } = (await response.json()) as { data: { oidc_provider: string | null } };
    return data;
  },
  staleTime: Infinity,
});

/** The session, for pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('no session');
  return data;
}

/** Whether the session has the scope. Controls without their scope are hidden, or disabled with the reason. */
export const useCan = (scope: Scope): boolean => useSession().scopes.includes(scope);

/** For requests of the API. */
export const currentSession = {
  csrfToken: () => known()?.csrf_token,
  identity: () => identityOf(known()),
  refresh: () => queryClient.refetchQueries({ queryKey: SESSION_KEY }, { cancelRefetch: false }),
  noteRefusedWrite: () => {
    hasRefusedWrite = true;
  },
};

let hasRefusedWrite = false;

/** `undefined`: there was no session, or the user has signed out of it. */
export function sessionEnd(): SessionEnd | undefined {
  const ends = localStorage.getItem(ENDS_KEY);
  return ends === null ? undefined : { isExpired: Date.parse(ends) <= Date.now(), hasRefusedWrite };
}

const known = (): Session | null | undefined => queryClient.getQueryData<Session | null>(SESSION_KEY);

/** All tabs share the cookie, so each tab reports its changes of the session to the others. */
const tabs = new BroadcastChannel('session');
forgetWithSession(queryClient, (identity) => tabs.postMessage(identity));
tabs.onmessage = ({ data }: MessageEvent<Identity>) => {
  if (data !== currentSession.identity()) void currentSession.refresh();
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

/** Throws when the server did not end the session: the user is still signed in. */
export async function signOut(): Promise<void> {
  const response = await call('DELETE');
  if (!response.ok) throw await refusalOf(response);
  localStorage.removeItem(ENDS_KEY);
  forgetRecent();
  await begin(null);
}

/** Cancels an earlier question about the session first, so that its answer cannot overwrite this session. */
async function begin(session: Session | null): Promise<void> {
  await queryClient.cancelQueries({ queryKey: SESSION_KEY });
  queryClient.setQueryData(SESSION_KEY, session);
}

/** Throws `ConnectionError` without an answer. */
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

/** A proxy in front of the service answers in its own format. */
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
