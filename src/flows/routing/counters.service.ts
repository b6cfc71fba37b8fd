import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { KeyedBatcher } from '../../shared/keyed-batcher.js';
import { ADVANCE_FLOW_COUNTER, ADVANCE_UNCHANGED } from './flow.queries.js';
import type { RememberedFlow } from './loader.service.js';

/**
 * The counters of flows. Each routed payment gets a value of its own, in every process together: the database hands out
 * ranges. One process asks for the payments that come while a statement is under way in one statement, so a hot flow
 * is not limited to one commit per payment. A crash or a lost connection may leave values unused, never used twice.
 */
@Injectable()
export class FlowCountersService {
  private readonly advances = new KeyedBatcher((flowId: number, count) => this.advanceBy(flowId, count));
  private readonly unchanged = new KeyedBatcher((flow: RememberedFlow, count) => this.advanceUnchangedBy(flow, count));

  constructor(private readonly database: Database) {}

  /**
   * Counts one payment on the flow and returns how many came before it. Committed when it resolves, by a statement of
   * its own: never call it with a transaction open, or two payments wait for each other's provider.
   */
  advance(flowId: number): Promise<number> {
    return this.advances.call(flowId);
  }

  /** The same, if the flow is what it was: then it need not be read before. `undefined`: it is not, and nothing was counted. */
  advanceUnchanged(flow: RememberedFlow): Promise<number | undefined> {
    return this.unchanged.call(flow);
  }

  private async advanceUnchangedBy(flow: RememberedFlow, count: number): Promise<(number | undefined)[]> {
    const { merchantId, name, shopIds, version, id, shopsText } = flow;
    const values = [merchantId, name, shopIds, count, version, id, shopsText];
    const [row] = await this.database.query<{ counter: number }>(ADVANCE_UNCHANGED, values);
    return row ? valuesBefore(row.counter, count) : Array<undefined>(count).fill(undefined);
  }

  private async advanceBy(flowId: number, count: number): Promise<number[]> {
    const [row] = await this.database.query<{ counter: number }>(ADVANCE_FLOW_COUNTER, [flowId, count]);
    if (!row) throw new Error(`flow ${flowId} has no counter`);
    return valuesBefore(row.counter, count);
  }
}

const valuesBefore = (counter: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => counter - count + index);
