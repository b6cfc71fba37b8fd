import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../platform/database/database.js';
import { endOfSession, type PersonSession, secretTagOf } from './token-claims.js';
import { ACTIVE_CLIENT, END_SESSION } from './api-clients.queries.js';

/**
 * How long the tokens of a revoked client, or of an ended session, may still work, and how often a busy one costs a look-up. A
 * session also ends with the secret that it began with.
 */
const CACHED_MS = 2_000;
const CACHED_CLIENTS = 10_000;
/** A token is taken for a little longer than it says. */
const KEPT_AFTER_END_MS = 60_000;

interface Bearer {
  clientId: string;
  session: PersonSession | undefined;
}

/**
 * Whether the bearer of a valid token is still welcome. A token says nothing of its client's revocation, nor of the end of
 * the session that it is of or of that session's secret, so every request asks here; the answer is at most `CACHED_MS` old,
 * and requests that miss together share one look-up.
 */
@Injectable()
export class ActiveClientsService {
  private readonly cache: LRUCache<string, boolean, Bearer>;

  constructor(private readonly database: Database) {
    this.cache = new LRUCache({
      max: CACHED_CLIENTS,
      ttl: CACHED_MS,
      fetchMethod: async (_key, _stale, { context }) => this.look(context),
    });
  }

  /** Without a promise where the answer is at hand: it is asked for before every request. */
  isActive(clientId: string, session?: PersonSession): boolean | Promise<boolean> {
    const key = session === undefined ? clientId : `${clientId} ${session.id} ${session.secretTag}`;
    return (
      this.cache.get(key) ?? this.cache.fetch(key, { context: { clientId, session } }).then((active) => active ?? false)
    );
  }

  private async look({ clientId, session }: Bearer): Promise<boolean> {
    const [client] = await this.database.query<{ secret_hash: string }>(ACTIVE_CLIENT, [clientId, session?.id]);
    if (!client) return false;
    return session?.secretTag === undefined || session.secretTag === secretTagOf(client.secret_hash);
  }

  /** For every copy of its tokens, and those that would follow. Ending it again changes nothing. */
  async endSession(session: PersonSession, now: Date): Promise<void> {
    const forgottenBefore = new Date(now.getTime() - KEPT_AFTER_END_MS);
    await this.database.query(END_SESSION, [session.id, endOfSession(session), forgottenBefore]);
  }
}
