import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { actorName, type AuditContext } from '../../audit/audit-context.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import * as queries from './version-approvals.queries.js';
import { LOCK_FLOW } from '../routing/flow.queries.js';
import type { FlowVersionRow } from './versions.queries.js';

/**
 * Approvals of versions by clients other than their authors. With `FLOW_ACTIVATION_APPROVALS=1` a version needs one before
 * payments use it for the first time. A version that was active before needs none, so that rolling back waits for no one.
 */
@Injectable()
export class VersionApprovalsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLogService,
    @InjectConfig() private readonly config: Pick<Config, 'flowActivationApprovals'>,
  ) {}

  /**
   * Approves a version for good. Does nothing if the client has approved it before. Problems: `flow_not_found`,
   * `flow_version_not_found`, `flow_own_version`.
   */
  async approve(
    merchantId: number,
    flowId: number,
    { version, reason }: { version: number; reason: string | undefined },
    context: AuditContext,
  ): Promise<void> {
    const by = actorName(context);
    await this.database.transaction(async (transaction) => {
      const [flow] = await transaction.query(LOCK_FLOW, [merchantId, flowId]);
      if (!flow) throw new Problem('flow_not_found');
      const { created_by: author } = await findVersion(transaction, flowId, version);
      if (author === by) throw new Problem('flow_own_version', { detail: `${by} wrote version ${version}` });
      const added = await transaction.query(queries.INSERT_APPROVAL, [flowId, version, by, reason ?? null]);
      if (added.length === 0) return;
      const details = { version, ...(reason !== undefined && { reason }) };
      await this.audit.record(transaction, context, {
        merchantId,
        action: 'flow.version_approved',
        objectId: flowId,
        details,
      });
    });
  }

  /** Call it under the flow's lock, before payments use the version. Problems: `flow_approval_required`. */
  async requireApproval(transaction: Transaction, flowId: number, version: number): Promise<void> {
    if (this.config.flowActivationApprovals === 0) return;
    const { allowed, created_by: author } = await findVersion(transaction, flowId, version);
    if (allowed) return;
    const by = author === null ? 'a client' : `a client other than ${author}`;
    throw new Problem('flow_approval_required', {
      detail: `${by} must approve it first: POST /flows/${flowId}/versions/${version}/approve`,
    });
  }

  /** For a definition that would be active as soon as it is written. Problems: `flow_approval_required`. */
  requireNoApprovals(flowId: number): void {
    if (this.config.flowActivationApprovals === 0) return;
    throw new Problem('flow_approval_required', {
      detail:
        `draft the definition (POST /flows/${flowId}/versions), let another client approve the version ` +
        `(POST …/approve), then activate it (POST …/activate)`,
    });
  }

  /**
   * Whether the flow's name may be changed (`null`: freed) only by a client that may activate: payments find their flow by
   * this name, so another flow of the name would get them without an approval.
   */
  async protectsName(merchantId: number, flowId: number, name: string | null): Promise<boolean> {
    if (this.config.flowActivationApprovals === 0) return false;
    const [flow] = await this.database.query<{ in_use: boolean }>(queries.NAME_IN_USE, [merchantId, flowId, name]);
    return flow!.in_use;
  }

  /** Whether `requireApproval` would refuse the version. */
  needsApproval({ activated_at, approvals }: Pick<FlowVersionRow, 'activated_at' | 'approvals'>): boolean {
    return this.config.flowActivationApprovals > 0 && activated_at === null && approvals.length === 0;
  }
}

async function findVersion(
  transaction: Transaction,
  flowId: number,
  version: number,
): Promise<{ created_by: string | null; allowed: boolean }> {
  const values = [flowId, Math.min(version, MAX_VERSION)];
  const [row] = await transaction.query<{ created_by: string | null; allowed: boolean }>(queries.MAY_BE_ACTIVE, values);
  if (!row) throw new Problem('flow_version_not_found');
  return row;
}

/** PostgreSQL's `integer`; no version has a greater number. */
export const MAX_VERSION = 2 ** 31 - 1;
