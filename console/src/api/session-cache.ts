import { hashKey, type QueryClient } from '@tanstack/react-query';

export type Scope = string;

/** As `GET /console/session` answers. */
export interface Session {
  merchant: { id: number; name: string };
  client_id: string;
  scopes: Scope[];
  csrf_token: string;
  expires_at: string;
}

export const SESSION_KEY = ['session'] as const;

/** Who is signed in; `null`: nobody. What one has read is not shown to another one. */
export type Identity = string | null;

export const identityOf = (session: Session | null | undefined): Identity =>
  session ? `${session.merchant.id} ${session.client_id}` : null;

/**
 * Whenever somebody else is signed in, or nobody any more, removes all that was read until then, and what is still on its
 * way: before a page learns of the new session. `tell` is called with every change.
 */
export function forgetWithSession(client: QueryClient, tell: (identity: Identity) => void): void {
  const hash = hashKey(SESSION_KEY);
  let known: Identity | undefined;
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryHash !== hash || query.state.data === undefined) return;
    const identity = identityOf(query.state.data as Session | null);
    if (identity === known) return;
    known = identity;
    client.removeQueries({ predicate: (other) => other !== query });
    tell(identity);
  });
}
