import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { boundedCache } from '../../shared/bounded-cache.js';
import { FIND_LANE, INSERT_LANE } from './outbox.queries.js';
import { laneOrigin } from './endpoint-policy.service.js';

const CACHED_LANES = 20_000;

/** Finds or creates lanes. A lane is (shop, origin of the address): the unit of waking, claiming, fairness and order. Never deleted. */
@Injectable()
export class LanesService {
  private readonly known = boundedCache<string, number>(CACHED_LANES);

  constructor(private readonly database: Database) {}

  /**
   * Returns the lane of a valid endpoint, and creates it if it is new. Call it outside any transaction: after a rollback
   * the cached lane would not exist.
   */
  async laneFor(shopId: number, endpoint: string): Promise<number> {
    const origin = laneOrigin(endpoint);
    const key = `${shopId} ${origin}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const id = await this.findOrInsert(shopId, origin);
    this.known.set(key, id);
    return id;
  }

  private async findOrInsert(shopId: number, origin: string): Promise<number> {
    for (const statement of [FIND_LANE, INSERT_LANE, FIND_LANE]) {
      const [lane] = await this.database.query<{ id: number }>(statement, [shopId, origin]);
      if (lane) return lane.id;
    }
    throw new Error(`cannot find or insert the lane of shop ${shopId}`);
  }
}
