import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { actorName, type AuditContext, SYSTEM } from '../../audit/audit-context.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { LOCK_FLOW } from '../routing/flow.queries.js';
import { lockRollout, requireRunning, type RolloutId } from './locked-rollout.js';
import type { RolloutTotal } from '@payment-orchestrator/routing/rollouts/stage-outcomes';
import { ABORT_ROLLOUT, FLOW_OF_RUNNING } from './rollouts.queries.js';

/** The numbers that crossed a guardrail, for the event and the audit log. */
export interface GuardrailNumbers {
  maxDropPoints: number;
  /** How much lower the candidate's approval rate is, in percent points. */
  dropPoints: number;
  base: RolloutTotal;
  candidate: RolloutTotal;
}

/**
 * Aborts rollouts: all payments get the active version again. Event and audit entry commit with it. Payments that were
 * routed before keep their version, and still count.
 */
@Injectable()
export class RolloutAborts {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Does nothing if the rollout was aborted before, for any cause. Problems: `flow_not_found`, `flow_rollout_not_found`,
   * `flow_rollout_ended`.
   */
  async abort(id: RolloutId, reason: string | undefined, context: AuditContext): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { status, version } = await lockRollout(transaction, id);
      if (status === 'aborted') return;
      requireRunning(status);
      const values = [id.rolloutId, 'requested', reason ?? null, actorName(context), null];
      await transaction.query(ABORT_ROLLOUT, values);
      const details = { version, cause: 'requested', ...(reason !== undefined && { reason }) };
      await this.record(transaction, id, details, context);
    });
  }

  /** Aborts a rollout that is still running. Returns whether it did. */
  async abortByGuardrail(rolloutId: number, numbers: GuardrailNumbers): Promise<boolean> {
    const { maxDropPoints, dropPoints, base, candidate } = numbers;
    const guardrail = { max_drop_points: maxDropPoints, drop_points: dropPoints, base, candidate };
    return this.database.transaction(async (transaction) => {
      const [flow] = await transaction.query<RunningRow>(FLOW_OF_RUNNING, [rolloutId]);
      if (!flow) return false;
      const { merchant_id: merchantId, flow_id: flowId, version } = flow;
      // processes of the version before delete flows without an end of their rollouts
      const [present] = await transaction.query(LOCK_FLOW, [merchantId, flowId]);
      if (!present) return false;
      const values = [rolloutId, 'guardrail', null, actorName(SYSTEM), JSON.stringify(guardrail)];
      const aborted = await transaction.query(ABORT_ROLLOUT, values);
      if (aborted.length === 0) return false;
      const details = { version, cause: 'guardrail', drop_points: dropPoints, max_drop_points: maxDropPoints };
      await this.record(transaction, { merchantId, flowId, rolloutId }, details, SYSTEM);
      return true;
    });
  }

  private record(
    transaction: Transaction,
    { merchantId, flowId, rolloutId }: RolloutId,
    details: Record<string, string | number>,
    context: AuditContext,
  ): Promise<void> {
    const entry = { merchantId, action: 'flow.rollout_aborted', objectId: flowId } as const;
    return this.audit.record(transaction, context, { ...entry, details: { rollout_id: rolloutId, ...details } });
  }
}

interface RunningRow {
  merchant_id: number;
  flow_id: number;
  version: number;
}
