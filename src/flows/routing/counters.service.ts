import { Injectable, Logger } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { KeyedBatcher } from '../../shared/keyed-batcher.js';
import { ADVANCE_CANDIDATE_COUNTER, ADVANCE_FLOW_COUNTER, COUNT_REFUSED } from './flow.queries.js';
import { isCandidate, type RolloutChoice } from '@payment-orchestrator/routing/decision/rollout';

/**
 * The counters of flows, and of the candidates of their rollouts. Each routed payment gets a unique value across all
 * processes: the database assigns ranges. Payments that arrive while a statement runs share the next statement, so a busy
 * flow is not limited to one commit per payment. A crash or a lost connection may leave values unused, but no value is used
 * twice.
 */
@Injectable()
export class FlowCountersService {
  private readonly logger = new Logger(FlowCountersService.name);
  private readonly flows = this.batcherOf(ADVANCE_FLOW_COUNTER, 'flow');
  private readonly candidates = this.batcherOf(ADVANCE_CANDIDATE_COUNTER, 'rollout');

  constructor(private readonly database: Database) {}

  /**
   * Counts one payment on the flow and returns the number of earlier payments. Commits in its own statement before it
   * resolves. Never call it inside a transaction: then two payments would wait for each other's provider.
   */
  advance(flowId: number): Promise<number> {
    return this.flows.call(flowId);
  }

  /** The same for a payment that the candidate of a rollout routes. */
  advanceCandidate(rolloutId: number): Promise<number> {
    return this.candidates.call(rolloutId);
  }

  /**
   * Counts a payment of a rollout that no shop takes; `customer`: its id, or a random number. Never rejects, so that the
   * client gets the refusal. Each request counts, also a repeat: it is routed again.
   */
  async countRefused(choice: RolloutChoice, customer: number): Promise<void> {
    const { id: rolloutId, stage } = choice;
    try {
      await this.database.query(COUNT_REFUSED, [rolloutId, stage, isCandidate(choice), customer]);
    } catch (error) {
      this.logger.error({ msg: 'failed to count a refused payment of a rollout', rolloutId, err: error });
    }
  }

  private batcherOf(statement: Statement, kind: string): KeyedBatcher<number, number> {
    return new KeyedBatcher(async (id: number, count) => {
      const [row] = await this.database.query<{ counter: number }>(statement, [id, count]);
      if (!row) throw new Error(`${kind} ${id} has no counter`);
      return Array.from({ length: count }, (_, index) => row.counter - count + index);
    });
  }
}
