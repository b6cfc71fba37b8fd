import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { KeyedBatcher } from '../../shared/keyed-batcher.js';
import { ADVANCE_FLOW_COUNTER } from './flow.queries.js';

/**
 * The counters of flows. Each routed payment gets a value of its own, in every process together: the database hands out
 * ranges. One process asks for the payments that come while a statement is under way in one statement, so a hot flow
 * is not limited to one commit per payment. A crash or a lost connection may leave values unused, never used twice.
 */
@Injectable()
export class FlowCountersService {
  private readonly advances = new KeyedBatcher((flowId: number, count) => this.advanceBy(flowId, count));

  constructor(private readonly database: Database) {}

  /**
   * Counts one payment on the flow and returns how many came before it. Committed when it resolves, by a statement of
   * its own: never call it with a transaction open, or two payments wait for each other's provider.
   */
  advance(flowId: number): Promise<number> {
    return this.advances.call(flowId);
  }

  private async advanceBy(flowId: number, count: number): Promise<number[]> {
    const [row] = await this.database.query<{ counter: number }>(ADVANCE_FLOW_COUNTER, [flowId, count]);
    if (!row) throw new Error(`flow ${flowId} has no counter`);
    return Array.from({ length: count }, (_, index) => row.counter - count + index);
  }
}
