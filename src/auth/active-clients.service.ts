import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../platform/database/database.js';
import { ACTIVE_CLIENT } from './api-clients.queries.js';

/** How long a revoked client's tokens may still work, and how often a busy client costs a look-up. */
const CACHED_MS = 2_000;
const CACHED_CLIENTS = 10_000;

/**
 * Whether the client of a valid token is still welcome. A token says nothing of its client's revocation, so every
 * request asks here; the answer is at most `CACHED_MS` old, and requests that miss together share one look-up.
 */
@Injectable()
export class ActiveClientsService {
  private readonly cache: LRUCache<string, boolean>;

  constructor(database: Database) {
    this.cache = new LRUCache({
      max: CACHED_CLIENTS,
      ttl: CACHED_MS,
      fetchMethod: async (clientId) => (await database.query(ACTIVE_CLIENT, [clientId])).length > 0,
    });
  }

  /** Without a promise where the answer is at hand: it is asked for before every request. */
  isActive(clientId: string): boolean | Promise<boolean> {
    return this.cache.get(clientId) ?? this.cache.fetch(clientId).then((active) => active ?? false);
  }
}
