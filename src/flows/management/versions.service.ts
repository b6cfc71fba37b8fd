import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { requireAssertions, requireValidDefinition } from '../definition/valid-definition.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { actorName, type AuditContext } from '../../audit/audit-context.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import { changedDefinition, type FlowDefinition, shopIdsOf } from '@payment-orchestrator/routing/definition/definition';
import { VersionApprovalsService, MAX_VERSION } from './version-approvals.service.js';
import { proposalState, type ProposalState } from './proposal-state.js';
import * as queries from './versions.queries.js';
import type { FlowVersionRow } from './versions.queries.js';
import { UPDATE_FLOW } from './flows.queries.js';
import type { FlowRow } from '../routing/flow.queries.js';
import { findFlow, lockFlow, type Precondition, requireBase, requireNoRollout } from './locked-flow.js';

/**
 * `draft`: never active so far. `candidate`: a running rollout gives it some payments. `retired`: was active, and can be
 * activated again.
 */
export type FlowVersionStatus = 'draft' | 'candidate' | 'active' | 'retired';

export interface FlowVersion extends FlowVersionRow {
  status: FlowVersionStatus;
  /** The running rollout of this version; `null`: none. */
  rollout: FlowVersionRow['rollout'];
  /** Whether it cannot become active before another client approves it. */
  needsApproval: boolean;
  proposalState: ProposalState;
}

type Shops = ReadonlyMap<number, ShopSummary>;

/** Absent fields stay unchanged. */
export type FlowChanges = Partial<FlowDefinition> & Precondition & { name?: string; reason?: string };

/** Whether the change may create a version, rather than only rename the flow. */
export const changesDefinition = ({ name: _, basedOnVersion: __, reason: ___, ...definition }: FlowChanges): boolean =>
  Object.keys(definition).length > 0;

/** A change whose definition was checked; `undefined`: the definition stays as it is. */
interface WrittenChange extends Precondition {
  definition: FlowDefinition | undefined;
  name: string | undefined;
  reason: string | undefined;
}

/**
 * The versions of a flow. A written version never changes; the flow points to its active version. Changes of this
 * pointer hold the flow's lock. Payments read flow and version in one statement without a lock, so each payment uses
 * either the version before a change or the one after it.
 */
@Injectable()
export class FlowVersionsService {
  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly audit: AuditLogService,
    private readonly work: CpuScheduler,
    private readonly approvals: VersionApprovalsService,
  ) {}

  /** Newest first. Problems: `flow_not_found`. */
  async list(merchantId: number, flowId: number, { limit, beforeId }: PageRequest): Promise<Page<FlowVersion>> {
    const values = [merchantId, flowId, Math.min(beforeId ?? MAX_VERSION, MAX_VERSION), limit + 1];
    const rows = await this.database.query<FlowVersionRow>(queries.FLOW_VERSIONS_PAGE, values);
    if (rows.length === 0) await findFlow(this.database, merchantId, flowId);
    const page = toPage(
      rows.map((row) => ({ ...row, id: row.version })),
      limit,
    );
    return { ...page, items: page.items.map((row) => this.toFlowVersion(row)) };
  }

  /** Problems: `flow_not_found`, `flow_version_not_found`. */
  async find(merchantId: number, flowId: number, version: number): Promise<FlowVersion> {
    const values = [merchantId, flowId, Math.min(version, MAX_VERSION)];
    const [row] = await this.database.query<FlowVersionRow>(queries.FLOW_VERSION, values);
    if (row) return this.toFlowVersion(row);
    await findFlow(this.database, merchantId, flowId);
    throw new Problem('flow_version_not_found');
  }

  /**
   * Creates a version that no payment uses yet. Its assertions are checked at activation. Problems: `flow_not_found`,
   * `validation_failed`.
   */
  async draft(
    merchantId: number,
    flowId: number,
    definition: FlowDefinition,
    context: AuditContext,
    owner: WorkOwner,
  ): Promise<FlowVersion> {
    const shops = await this.shopsOf(merchantId, definition);
    await this.work.run(owner, requireValidDefinition(definition, new Set(shops.keys())));
    const version = await this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flowId);
      const drafted = await insertVersion(transaction, flowId, definition, { context, active: false });
      const entry = { merchantId, action: 'flow.version_drafted', objectId: flowId } as const;
      await this.audit.record(transaction, context, { ...entry, details: { version: drafted } });
      return drafted;
    });
    return this.find(merchantId, flowId, version);
  }

  /**
   * Makes the version the one that payments use, whether it is newer or older than the active one. The counter
   * continues. Does nothing if the version is active already. Problems: `flow_not_found`, `flow_version_not_found`,
   * `flow_changed`, `flow_rollout_running`, `flow_approval_required`, `flow_assertion_violated`,
   * `flow_assertions_too_complex`.
   */
  async activate(
    merchantId: number,
    flowId: number,
    { version, basedOnVersion, reason }: Precondition & { version: number; reason?: string | undefined },
    context: AuditContext,
    owner: WorkOwner,
  ): Promise<void> {
    await this.requirePassing(merchantId, flowId, version, owner);
    await this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flowId);
      const now = await findFlow(transaction, merchantId, flowId);
      if (now.version === version) return;
      requireBase(now, basedOnVersion);
      requireNoRollout(now);
      await this.approvals.requireApproval(transaction, flowId, version);
      await transaction.query(queries.ACTIVATE_FLOW_VERSION, [flowId, version, actorName(context), reason ?? null]);
      const entry = { merchantId, action: 'flow.version_activated', objectId: flowId } as const;
      await this.audit.record(transaction, context, { ...entry, details: { version, ...given(reason) } });
    });
  }

  /**
   * Changes the name; any other change drafts and activates a version in one step. It is based on the version that is
   * active at that time. It retries only if another change was committed meanwhile. Problems: `flow_not_found`,
   * `flow_changed`, `flow_rollout_running`, `flow_approval_required`, `validation_failed`, `flow_assertion_violated`,
   * `flow_assertions_too_complex`.
   */
  async change(
    merchantId: number,
    flowId: number,
    { name, basedOnVersion, reason, ...changes }: FlowChanges,
    context: AuditContext,
    owner: WorkOwner,
  ): Promise<void> {
    const fields = [...(name === undefined ? [] : ['name']), ...Object.keys(changes)];
    const entry = { merchantId, action: 'flow.updated', objectId: flowId, fields } as const;
    for (let isDone = false; !isDone;) {
      const flow = await findFlow(this.database, merchantId, flowId);
      const changed = Object.keys(changes).length > 0 ? changedDefinition(flow.definition, changes) : undefined;
      const shops = await this.shopsOf(merchantId, changed);
      // outside of the transaction: the check of assertions may take a second, and a few of them would hold all
      // connections
      const definition = await this.work.run(owner, changedBy(flow, changed, shops, basedOnVersion));
      if (definition) this.approvals.requireNoApprovals(flowId);
      const change = { definition, name, basedOnVersion, reason };
      isDone = await this.write(merchantId, flow, change, context, (transaction, version) =>
        this.audit.record(transaction, context, { ...entry, details: { version, ...given(reason) } }),
      );
    }
  }

  /**
   * Returns `false` if another version has become active since `flow` was read: then the change must be based on that
   * one. If anything changes, `inSameTransaction` is called with the version that is active then.
   */
  private write(
    merchantId: number,
    flow: FlowRow,
    { definition, name, basedOnVersion, reason }: WrittenChange,
    context: AuditContext,
    inSameTransaction: (transaction: Transaction, version: number) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flow.id);
      const now = await findFlow(transaction, merchantId, flow.id);
      if (definition && now.version !== flow.version) return false;
      if (name !== undefined && name !== now.name) requireBase(now, basedOnVersion);
      if (definition) requireNoRollout(now);
      const options = { context, active: true, reason };
      const version = definition && (await insertVersion(transaction, flow.id, definition, options));
      const values = [flow.id, name ?? now.name, version ?? now.version];
      const updated = await transaction.query(UPDATE_FLOW, values);
      if (updated.length > 0) await inSameTransaction(transaction, version ?? now.version);
      return true;
    });
  }

  /**
   * Checks the assertions of a stored version. It never changes, so call this before the flow is locked: the check may take
   * a second. Problems: `flow_not_found`, `flow_version_not_found`, `flow_assertion_violated`,
   * `flow_assertions_too_complex`.
   */
  async requirePassing(merchantId: number, flowId: number, version: number, owner: WorkOwner): Promise<void> {
    const { definition } = await this.find(merchantId, flowId, version);
    const shops = await this.shopsOf(merchantId, definition);
    await this.work.run(owner, requireAssertions(definition, shops));
  }

  /** Problems: `validation_failed`, `flow_assertion_violated`, `flow_assertions_too_complex`, each with the fields. */
  async requireActivatable(merchantId: number, definition: FlowDefinition, owner: WorkOwner): Promise<void> {
    const shops = await this.shopsOf(merchantId, definition);
    await this.work.run(owner, requireActivatable(definition, shops));
  }

  private toFlowVersion(row: FlowVersionRow): FlowVersion {
    const status = statusOf(row);
    const rollout = status === 'candidate' ? row.rollout : null;
    const needsApproval = this.approvals.needsApproval(row);
    return { ...row, status, rollout, needsApproval, proposalState: proposalState({ ...row, status }) };
  }

  /** The merchant's shops that the definition names, by id. */
  private async shopsOf(merchantId: number, definition: Partial<FlowDefinition> = {}): Promise<Shops> {
    const ids = shopIdsOf(definition);
    if (ids.length === 0) return new Map();
    const summaries = await this.shops.summaries(merchantId, ids);
    return new Map(summaries.map((shop) => [shop.id, shop]));
  }
}

function statusOf({ version, active_version: active, activated_at: at, rollout }: FlowVersionRow): FlowVersionStatus {
  if (version === active) return 'active';
  if (version === rollout?.version) return 'candidate';
  return at === null ? 'draft' : 'retired';
}

/**
 * The changed definition, with its assertions checked; `undefined` if it is unchanged, for example because the changes
 * were made before.
 */
function* changedBy(
  flow: FlowRow,
  definition: FlowDefinition | undefined,
  shops: Shops,
  basedOnVersion: number | undefined,
): Generator<void, FlowDefinition | undefined> {
  if (!definition || isDeepStrictEqual(asStored(definition), flow.definition)) return undefined;
  requireBase(flow, basedOnVersion);
  yield;
  yield* requireActivatable(definition, shops);
  return definition;
}

function* requireActivatable(definition: FlowDefinition, shops: Shops): Generator<void, void> {
  yield* requireValidDefinition(definition, new Set(shops.keys()));
  yield* requireAssertions(definition, shops);
}

/** The reason as a detail of an audit entry. */
const given = (reason: string | undefined): Record<string, string> => (reason === undefined ? {} : { reason });

const asStored = (definition: FlowDefinition): unknown => JSON.parse(JSON.stringify(definition));

/** The flow must be locked. */
async function insertVersion(
  transaction: Transaction,
  flowId: number,
  definition: FlowDefinition,
  { context, active, reason }: { context: AuditContext; active: boolean; reason?: string | undefined },
): Promise<number> {
  const values = [flowId, JSON.stringify(definition), active, actorName(context), reason ?? null];
  const [row] = await transaction.query<{ version: number }>(queries.INSERT_FLOW_VERSION, values);
  return row!.version;
}
