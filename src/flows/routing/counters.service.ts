import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { KeyedBatcher } from '../../shared/keyed-batcher.js';
import { ADVANCE_FLOW_COUNTER } from './flow.queries.js';

/**
 * The counters of flows. Each routed payment gets a unique value across all processes: the database assigns ranges.
 * Payments that arrive while a statement runs share the next statement, so a busy flow is not limited to one commit per
 * payment. A crash or a lost connection may leave values unused, but no value is used twice.
 */
@Injectable()
export class FlowCountersService {
  private readonly advances = new KeyedBatcher((flowId: number, count) => this.advanceBy(flowId, count));

  constructor(private readonly database: Database) {}

  /**
   * Counts one payment on the flow and returns the number of earlier payments. Commits in its own statement before it
   * resolves. Never call it inside a transaction: then two payments would wait for each other's provider.
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
