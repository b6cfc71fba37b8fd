import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { actorName, type AuditContext } from '../../audit/audit-context.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import { Database } from '../../platform/database/database.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { VersionApprovalsService } from '../management/version-approvals.service.js';
import { findFlow, lockFlow, type Precondition, requireBase, requireNoRollout } from '../management/locked-flow.js';
import { FlowVersionsService } from '../management/versions.service.js';
import type { Condition } from '@payment-orchestrator/routing/definition/condition';
import { conditionErrors } from '@payment-orchestrator/routing/definition/condition-errors';
import type { RolloutKey } from '@payment-orchestrator/routing/decision/rollout';
import type { Guardrail } from '@payment-orchestrator/routing/rollouts/guardrail';
import { ACTIVATE_FLOW_VERSION } from '../management/versions.queries.js';
import { countsOf, ROLLOUT_COUNTS, type VersionCells } from './rollout-counts.js';
import type { RolloutCount } from '@payment-orchestrator/routing/rollouts/stage-outcomes';
import { lockRollout, requireRunning, type RolloutId } from './locked-rollout.js';
import * as queries from './rollouts.queries.js';
import type { RolloutRow } from './rollouts.queries.js';

export interface NewRollout extends Precondition {
  version: number;
  percent: number;
  key: RolloutKey;
  /** Only payments that meet it take part; absent: all. */
  when: Condition | undefined;
  guardrail: Guardrail | undefined;
  reason: string | undefined;
}

/** A comparison of all 51,200 cells takes 20 ms. */
const COMPARISON_MS_PER_CELL = 0.0004;

/** A rollout keeps all of its stages, and the comparison of its versions reads them. */
const MAX_STAGES = 100;

/**
 * Rollouts of a flow's version to a percent of its payments. Every change holds the flow's lock, so that of two changes at
 * the same time one comes first. Payments read rollout and flow in one statement without a lock. One that was routed before
 * a change keeps its version, and still counts for its stage.
 *
 *             change: the next stage
 *              ┌────┐
 *              ▼    │
 *   start ──▶ running ──▶ promoted   the candidate is active for all payments
 *                │
 *                └──────▶ aborted    all payments get the active version again (`RolloutAborts`)
 */
@Injectable()
export class RolloutsService {
  constructor(
    private readonly database: Database,
    private readonly versions: FlowVersionsService,
    private readonly approvals: VersionApprovalsService,
    private readonly audit: AuditLogService,
    private readonly work: CpuScheduler,
  ) {}

  /**
   * Gives a percent of the payments a version that passes the checks of an activation. Problems: `flow_not_found`,
   * `flow_version_not_found`, `flow_version_active`, `flow_changed`, `flow_rollout_running`, `flow_approval_required`,
   * `flow_assertion_violated`, `flow_assertions_too_complex`, `validation_failed`.
   */
  async start(
    merchantId: number,
    flowId: number,
    { version, percent, key, when, guardrail, reason, basedOnVersion }: NewRollout,
    context: AuditContext,
    owner: WorkOwner,
  ): Promise<RolloutRow> {
    const errors = when === undefined ? [] : conditionErrors(when, 'when');
    if (errors.length > 0) throw new Problem('validation_failed', { errors });
    await this.versions.requirePassing(merchantId, flowId, version, owner);
    return this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flowId);
      const flow = await findFlow(transaction, merchantId, flowId);
      requireBase(flow, basedOnVersion);
      requireNoRollout(flow);
      if (flow.version === version) throw new Problem('flow_version_active');
      await this.approvals.requireApproval(transaction, flowId, version);
      const limits = [guardrail?.maxDropPoints ?? null, guardrail?.minPayments ?? null, guardrail?.confidence ?? null];
      const condition = when === undefined ? null : JSON.stringify(when);
      const values = [flowId, version, percent, key, ...limits, reason ?? null, actorName(context), condition];
      const [inserted] = await transaction.query<{ id: number }>(queries.INSERT_ROLLOUT, values);
      const rolloutId = inserted!.id;
      const details = { rollout_id: rolloutId, version, percent, key, ...(reason !== undefined && { reason }) };
      const entry = { merchantId, action: 'flow.rollout_started', objectId: flowId } as const;
      await this.audit.record(transaction, context, { ...entry, details });
      return lockRollout(transaction, { merchantId, flowId, rolloutId });
    });
  }

  /**
   * Begins the next stage. Does nothing if the rollout has that percent. Problems: `flow_not_found`,
   * `flow_rollout_not_found`, `flow_rollout_ended`, `flow_rollout_stages_reached`; `flow_approval_required` for a greater
   * percent.
   */
  async change(
    id: RolloutId,
    { percent, reason }: { percent: number; reason: string | undefined },
    context: AuditContext,
  ): Promise<RolloutRow> {
    return this.database.transaction(async (transaction) => {
      const rollout = await lockRollout(transaction, id);
      requireRunning(rollout.status);
      if (rollout.percent === percent) return rollout;
      if (rollout.stages.length >= MAX_STAGES) {
        const detail = `a rollout has at most ${MAX_STAGES} stages; promote or abort it`;
        throw new Problem('flow_rollout_stages_reached', { detail });
      }
      const { merchantId, flowId, rolloutId } = id;
      // the rollout may have begun before approvals were required; less payments for it need none
      if (percent > rollout.percent) await this.approvals.requireApproval(transaction, flowId, rollout.version);
      await transaction.query(queries.BEGIN_STAGE, [rolloutId, percent, reason ?? null, actorName(context)]);
      const details = {
        rollout_id: rolloutId,
        version: rollout.version,
        percent,
        ...(reason !== undefined && { reason }),
      };
      const entry = { merchantId, action: 'flow.rollout_changed', objectId: flowId } as const;
      await this.audit.record(transaction, context, { ...entry, details });
      return lockRollout(transaction, id);
    });
  }

  /**
   * Activates the candidate. Does nothing if it was promoted before. Problems: `flow_not_found`, `flow_rollout_not_found`,
   * `flow_rollout_ended`, `flow_approval_required`.
   */
  async promote(id: RolloutId, reason: string | undefined, context: AuditContext): Promise<RolloutRow> {
    const actor = actorName(context);
    const { merchantId, flowId, rolloutId } = id;
    return this.database.transaction(async (transaction) => {
      const rollout = await lockRollout(transaction, id);
      const { status, version } = rollout;
      if (status === 'promoted') return rollout;
      requireRunning(status);
      await this.approvals.requireApproval(transaction, flowId, version);
      // before the end of the rollout: the event of an earlier version names the rollout that is running
      await transaction.query(ACTIVATE_FLOW_VERSION, [flowId, version, actor, reason ?? null]);
      await transaction.query(queries.END_PROMOTED, [rolloutId, reason ?? null, actor]);
      const details = { rollout_id: rolloutId, version, ...(reason !== undefined && { reason }) };
      const entry = { merchantId, action: 'flow.rollout_promoted', objectId: flowId } as const;
      await this.audit.record(transaction, context, { ...entry, details });
      return lockRollout(transaction, id);
    });
  }

  /** Newest first. Problems: `flow_not_found`. */
  async list(
    merchantId: number,
    flowId: number,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<RolloutRow>> {
    const rows = await this.database.query<RolloutRow>(queries.ROLLOUTS_PAGE, [
      merchantId,
      flowId,
      beforeId,
      limit + 1,
    ]);
    if (rows.length === 0) await findFlow(this.database, merchantId, flowId);
    return toPage(rows, limit);
  }

  /** Problems: `flow_not_found`, `flow_rollout_not_found`. */
  async find({ merchantId, flowId, rolloutId }: RolloutId): Promise<RolloutRow> {
    const [rollout] = await this.database.query<RolloutRow>(queries.FIND_ROLLOUT, [merchantId, flowId, rolloutId]);
    if (rollout) return rollout;
    await findFlow(this.database, merchantId, flowId);
    throw new Problem('flow_rollout_not_found');
  }

  /**
   * The payments of each version, by stage and cluster. Resolves when the owner may compare them. Problems: as
   * {@link CpuScheduler.run}.
   */
  async counts(rolloutId: number, owner: WorkOwner): Promise<RolloutCount[]> {
    const cells = await this.database.query<VersionCells>(ROLLOUT_COUNTS, [rolloutId]);
    const counts = await this.work.run(owner, allCountsOf(cells));
    await this.work.reserve(owner, counts.length * COMPARISON_MS_PER_CELL);
    return counts;
  }
}

/** Each step parses one version's cells in one stage. */
function* allCountsOf(cells: readonly VersionCells[]): Generator<void, RolloutCount[]> {
  const counts: RolloutCount[] = [];
  for (const each of cells) {
    counts.push(...countsOf(each));
    yield;
  }
  return counts;
}
