import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { checkGuardrail } from '@payment-orchestrator/routing/rollouts/guardrail';
import { GUARDED_ROLLOUTS, type GuardedRollout } from './guardrail.queries.js';
import { RolloutAborts } from './rollout-aborts.service.js';
import { countsOf, ROLLOUT_COUNTS, type VersionCells } from './rollout-counts.js';
import { totalOf } from '@payment-orchestrator/routing/rollouts/stage-outcomes';

const INTERVAL_MS = 60_000;
const PAGE = 100;

/**
 * Checks the guardrails of running rollouts, and aborts the rollouts that cross theirs. A check reads only counts, and
 * an abort only ends a rollout that is still running. So if the worker dies in between, the next run aborts it, and of two
 * workers one does.
 */
@Injectable()
export class RolloutGuardrails {
  readonly job: ScheduledJob = {
    name: 'rollout guardrails',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.checkAll(stopping),
  };
  private readonly logger = new Logger(RolloutGuardrails.name);
  private readonly aborted;

  constructor(
    private readonly database: Database,
    private readonly aborts: RolloutAborts,
    metrics: Metrics,
  ) {
    this.aborted = metrics.counter({
      name: 'flow_rollouts_aborted_total',
      help: 'Rollouts that were aborted by their guardrail',
    });
  }

  async checkAll(stopping: AbortSignal): Promise<void> {
    for (let afterId = 0; !stopping.aborted;) {
      const page = await this.database.query<GuardedRollout>(GUARDED_ROLLOUTS, [afterId, PAGE]);
      for (const rollout of page) if (!stopping.aborted) await this.tryCheck(rollout);
      if (page.length < PAGE) return;
      afterId = page.at(-1)!.id;
    }
  }

  /** Other rollouts are checked although this one cannot be, for example because its flow is locked for long. */
  private async tryCheck(rollout: GuardedRollout): Promise<void> {
    try {
      await this.check(rollout);
    } catch (error) {
      const { id: rolloutId, flow_id: flowId } = rollout;
      this.logger.error({ msg: 'failed to check a guardrail, will try again', rolloutId, flowId, err: error });
    }
  }

  private async check({ id, flow_id: flowId, version, percent, key, ...limits }: GuardedRollout): Promise<void> {
    const { max_drop_points: maxDropPoints, min_payments: minPayments, confidence } = limits;
    const cells = await this.database.query<VersionCells>(ROLLOUT_COUNTS, [id]);
    const counts = cells.flatMap((each) => countsOf(each));
    const { isCrossed, dropPoints } = checkGuardrail({ maxDropPoints, minPayments, confidence }, counts, {
      percent,
      key,
    });
    if (!isCrossed) return;
    const [base, candidate] = [totalOf(counts, 'base'), totalOf(counts, 'candidate')];
    const rounded = Number(dropPoints.toFixed(2));
    if (!(await this.aborts.abortByGuardrail(id, { maxDropPoints, dropPoints: rounded, base, candidate }))) return;
    this.aborted.inc();
    const numbers = { dropPoints: rounded, maxDropPoints, base, candidate };
    this.logger.warn({ msg: 'rollout aborted by its guardrail', rolloutId: id, flowId, version, ...numbers });
  }
}
