import { Injectable } from '@nestjs/common';
import { actorName, type AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { lockFlow } from '../management/locked-flow.js';
import { type FlowVersion, FlowVersionsService } from '../management/versions.service.js';
import type { ApprovalRequestRow } from '../management/version-approvals.queries.js';
import * as queries from './proposals.queries.js';
import type { CommentRow, ProposalRow } from './proposals.queries.js';

export interface VersionId {
  merchantId: number;
  flowId: number;
  version: number;
}

interface End {
  status: 'rejected' | 'withdrawn';
  action: 'flow.version_rejected' | 'flow.approval_withdrawn';
  reason: string | undefined;
}

/**
 * Versions as proposals: requests for an approval, their ends, and comments. The approval itself, which payments depend on, is
 * of `VersionApprovalsService`; a request and a rejection change nothing about whether a version may become active.
 */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly database: Database,
    private readonly versions: FlowVersionsService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Asks colleagues, or everyone who may approve. Does nothing while a request waits. Problems: `flow_not_found`,
   * `flow_version_not_found`, `flow_version_not_proposed`.
   */
  async request(
    id: VersionId,
    { colleagues, message }: { colleagues: string[]; message: string | undefined },
    context: AuditContext,
  ): Promise<FlowVersion> {
    requireProposed(await this.find(id));
    const { merchantId, flowId, version } = id;
    await this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flowId);
      const values = [flowId, version, actorName(context), colleagues, message ?? null];
      const [added] = await transaction.query(queries.INSERT_REQUEST, values);
      if (!added) return;
      const details = {
        version,
        ...(colleagues.length > 0 && { colleagues }),
        ...(message !== undefined && { message }),
      };
      const entry = { merchantId, action: 'flow.approval_requested', objectId: flowId, details } as const;
      await this.audit.record(transaction, context, entry);
    });
    return this.find(id);
  }

  /** Problems: `flow_not_found`, `flow_version_not_found`, `flow_approval_not_open`. */
  withdraw(id: VersionId, reason: string | undefined, context: AuditContext): Promise<FlowVersion> {
    return this.end(id, { status: 'withdrawn', action: 'flow.approval_withdrawn', reason }, context);
  }

  /** Problems: `flow_own_version`, and those of `withdraw`. */
  async reject(id: VersionId, reason: string, context: AuditContext): Promise<FlowVersion> {
    const { created_by: author, version } = await this.find(id);
    const by = actorName(context);
    if (author === by) {
      throw new Problem('flow_own_version', { detail: `${by} wrote version ${version}; withdraw the request instead` });
    }
    return this.end(id, { status: 'rejected', action: 'flow.version_rejected', reason }, context);
  }

  /** Problems: `flow_not_found`, `flow_version_not_found`. */
  async comment(id: VersionId, comment: string, context: AuditContext): Promise<CommentRow> {
    await this.find(id);
    const { merchantId, flowId, version } = id;
    return this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flowId);
      const values = [flowId, version, comment, actorName(context)];
      const [added] = await transaction.query<CommentRow>(queries.INSERT_COMMENT, values);
      const details = { version, comment_id: added!.id };
      const entry = { merchantId, action: 'flow.version_commented', objectId: flowId, details } as const;
      await this.audit.record(transaction, context, entry);
      return added!;
    });
  }

  /** Newest first. Problems: `flow_not_found`, `flow_version_not_found`. */
  async comments(id: VersionId, { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest): Promise<Page<CommentRow>> {
    await this.find(id);
    const values = [id.merchantId, id.flowId, id.version, beforeId, limit + 1];
    return this.pageOf<CommentRow>(queries.COMMENTS_PAGE, values, limit);
  }

  /** By the last request of each version, newest first. `answerer`: only requests that this actor may answer. */
  list(
    merchantId: number,
    { status, answerer }: { status: ApprovalRequestRow['status']; answerer: string | undefined },
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<ProposalRow>> {
    const values = [merchantId, status, beforeId, answerer ?? null, limit + 1];
    return this.pageOf<ProposalRow>(queries.PROPOSALS_PAGE, values, limit);
  }

  private find({ merchantId, flowId, version }: VersionId): Promise<FlowVersion> {
    return this.versions.find(merchantId, flowId, version);
  }

  private async pageOf<Row extends { id: number }>(
    statement: Statement,
    values: unknown[],
    limit: number,
  ): Promise<Page<Row>> {
    return toPage(await this.database.query<Row>(statement, values), limit);
  }

  private async end(id: VersionId, { status, action, reason }: End, context: AuditContext): Promise<FlowVersion> {
    await this.find(id);
    const { merchantId, flowId, version } = id;
    await this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flowId);
      const values = [flowId, version, status, actorName(context), reason ?? null];
      const [ended] = await transaction.query(queries.END_REQUEST, values);
      if (!ended) throw new Problem('flow_approval_not_open', { detail: `version ${version} waits for no approval` });
      const details = { version, ...(reason !== undefined && { reason }) };
      await this.audit.record(transaction, context, { merchantId, action, objectId: flowId, details });
    });
    return this.find(id);
  }
}

function requireProposed({ version, activated_at, approvals }: FlowVersion): void {
  if (activated_at === null && approvals.length === 0) return;
  const why = activated_at === null ? 'is approved' : 'was active';
  throw new Problem('flow_version_not_proposed', { detail: `version ${version} ${why}` });
}
