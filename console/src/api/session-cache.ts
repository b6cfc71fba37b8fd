import { hashKey, type QueryClient } from '@tanstack/react-query';

export type Scope = string;

/** The answer of `GET /console/session`. */
export interface Session {
  merchant: { id: number; name: string };
  client_id: string;
  /** The person's name, or the client id if it is unknown. */
  name: string;
  /** The names of those who may give rights. */
  rights_given_by: string[];
  scopes: Scope[];
  csrf_token: string;
  expires_at: string;
}

export const SESSION_KEY = ['session'] as const;

/** Identity of the signed-in user, `null` if no one is signed in. One user's data is never shown to another. */
export type Identity = string | null;

export const identityOf = (session: Session | null | undefined): Identity =>
  session ? `${session.merchant.id} ${session.client_id}` : null;

/**
 * When the identity changes, removes all data that was read until then, and running requests. It does so before any page
 * sees the new session. `onChange` is called with every change.
 */
export function forgetWithSession(client: QueryClient, onChange: (identity: Identity) => void): void {
  const hash = hashKey(SESSION_KEY);
  let known: Identity | undefined;
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryHash !== hash || query.state.data === undefined) return;
    const identity = identityOf(query.state.data as Session | null);
    if (identity === known) return;
    known = identity;
    client.removeQueries({ predicate: (other) => other !== query });
    onChange(identity);
  });
}
