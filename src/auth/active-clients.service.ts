import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../platform/database/database.js';
import { scopesOf } from '../access/roles.js';
import type { Scope } from '../access/scopes.js';
import { endOfSession, type PersonSession, secretTagOf } from './token-claims.js';
import { ACTIVE_CLIENT, END_SESSION } from './api-clients.queries.js';

/**
 * How long the tokens of a revoked client, or of an ended session, may still work, and rights that a client no longer has.
 * Also the interval between look-ups for a busy client. A session also ends when the client's secret changes.
 */
const CACHED_MS = 2_000;
const CACHED_CLIENTS = 10_000;
/** A token is accepted a little longer than its expiry. */
const KEPT_AFTER_END_MS = 60_000;

/** The scopes of an active client now; `null`: it is revoked, or the session has ended. */
export type CurrentScopes = readonly Scope[] | null;

interface ClientRow {
  secret_hash: string;
  role: string | null;
  scopes: string[];
}

interface Bearer {
  clientId: string;
  session: PersonSession | undefined;
}

/**
 * Whether the bearer of a valid token is still active, and with which scopes. A token has no information about the revocation
 * of its client, a change of its rights, the end of its session, or a change of the session's secret. So every request is
 * checked here. The result is at most `CACHED_MS` old, and concurrent requests without a cached result share one look-up.
 */
@Injectable()
export class ActiveClientsService {
  private readonly cache: LRUCache<string, { scopes: CurrentScopes }, Bearer>;

  constructor(private readonly database: Database) {
    this.cache = new LRUCache({
      max: CACHED_CLIENTS,
      ttl: CACHED_MS,
      fetchMethod: async (_key, _stale, { context }) => this.lookUp(context),
    });
  }

  /** Returns no promise if the result is cached, because every request needs it. */
  scopesOf(clientId: string, session?: PersonSession): CurrentScopes | Promise<CurrentScopes> {
    const key = session === undefined ? clientId : `${clientId} ${session.id} ${session.secretTag}`;
    const cached = this.cache.get(key);
    if (cached) return cached.scopes;
    return this.cache.fetch(key, { context: { clientId, session } }).then((found) => found?.scopes ?? null);
  }

  private async lookUp({ clientId, session }: Bearer): Promise<{ scopes: CurrentScopes }> {
    const [client] = await this.database.query<ClientRow>(ACTIVE_CLIENT, [clientId, session?.id]);
    const isActive =
      client !== undefined &&
      (session?.secretTag === undefined || session.secretTag === secretTagOf(client.secret_hash));
    return { scopes: isActive ? scopesOf(client) : null };
  }

  /** Ends all tokens of the session, and later ones. Ending it again has no effect. */
  async endSession(session: PersonSession, now: Date): Promise<void> {
    const forgottenBefore = new Date(now.getTime() - KEPT_AFTER_END_MS);
    await this.database.query(END_SESSION, [session.id, endOfSession(session), forgottenBefore]);
  }
}
