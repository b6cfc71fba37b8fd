import { ProblemError, type Schema } from '@payment-orchestrator/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client';
import { sessionFetch, setCsrfToken } from './client';

export type Scope = string;

/** As `GET /console/session` answers. */
export interface Session {
  merchant: { id: number; name: string };
  client_id: string;
  scopes: Scope[];
  csrf_token: string;
  expires_at: string;
}

/** Ahead of the half hour in which the server prolongs it. */
const ASK_AGAIN_MS = 10 * 60_000;

/** `null`: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: current,
  staleTime: ASK_AGAIN_MS / 2,
  refetchInterval: ASK_AGAIN_MS,
  refetchOnWindowFocus: true,
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

/** Those of `needed` that the session lacks. */
export function useMissing(needed: readonly Scope[]): Scope[] {
  const { scopes } = useSession();
  return needed.filter((scope) => !scopes.includes(scope));
}

async function current(): Promise<Session | null> {
  const response = await call('GET');
  if (response.status === 401) return taken(null);
  return taken(await dataOf(response));
}

/** Throws `ProblemError` for wrong credentials. */
export async function signIn(clientId: string, clientSecret: string): Promise<void> {
  const response = await call('POST', { client_id: clientId, client_secret: clientSecret });
  queryClient.setQueryData(sessionQuery.queryKey, taken(await dataOf(response)));
}

/** What the page has loaded goes with the session. */
export async function signOut(): Promise<void> {
  await call('DELETE');
  queryClient.clear();
  sessionEnded();
}

const sessionEnded = (): void => void queryClient.setQueryData(sessionQuery.queryKey, taken(null));

function taken<S extends Session | null>(session: S): S {
  setCsrfToken(session?.csrf_token);
  return session;
}

const call = (method: string, body?: object): Promise<Response> =>
  sessionFetch(
    new Request(`${location.origin}/console/session`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }),
  );

async function dataOf(response: Response): Promise<Session> {
  const body = (await response.json()) as { data: Session } & Schema<'Problem'>;
  if (response.ok) return body.data;
  throw new ProblemError(body, response);
}
