import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Statement } from '../platform/database/database.js';
import { CLIENT_NAMES } from '../shared/relations.js';

const CACHED_NAMES = 10_000;
/** How long an old name may still be shown. */
const CACHED_MS = 10_000;

/** $1 merchant, $2 ids of clients and people. */
const FIND_NAMES: Statement = {
  name: 'audit.find_names',
  text: `SELECT client_id, name FROM ${CLIENT_NAMES} n WHERE merchant_id = $1 AND client_id = ANY ($2::text[])`,
};

/** The names of actors by their ids. */
export type Names = ReadonlyMap<string, string>;

/** Finds names of clients and people, which records of changes have only by their ids: a new name is shown everywhere. */
@Injectable()
export class ActorNames {
  private readonly cache = new LRUCache<string, string>({ max: CACHED_NAMES, ttl: CACHED_MS });

  constructor(private readonly database: Database) {}

  /** The names of those of the merchant's actors that have one. A missing one is not cached: it may be given at any time. */
  async of(merchantId: number, ids: Iterable<string | null>): Promise<Names> {
    const asked = [...new Set(ids)].filter((id) => id !== null);
    const names = new Map<string, string>();
    for (const id of asked) {
      const name = this.cache.get(keyOf(merchantId, id));
      if (name !== undefined) names.set(id, name);
    }
    const unknown = asked.filter((id) => !names.has(id));
    if (unknown.length === 0) return names;
    const rows = await this.database.query<{ client_id: string; name: string }>(FIND_NAMES, [merchantId, unknown]);
    for (const { client_id: id, name } of rows) {
      names.set(id, name);
      this.cache.set(keyOf(merchantId, id), name);
    }
    return names;
  }
}

const keyOf = (merchantId: number, id: string): string => `${merchantId} ${id}`;
