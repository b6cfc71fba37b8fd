import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { actorName, type AuditContext, SYSTEM } from '../../audit/audit-context.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { lockMerchant } from '../../platform/database/writes.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';
import { lockFlow } from './locked-flow.js';
import { type FlowChanges, FlowVersionsService } from './versions.service.js';
import { FLOW_BY_ID } from '../routing/flow.queries.js';
import * as queries from './flows.queries.js';
import type { FlowRow } from '../routing/flow.queries.js';
import { hasCounter } from '@payment-orchestrator/routing/strategies/strategies';

/** A flow in its active version, with its shops. */
export interface Flow extends Omit<FlowRow, 'counter'> {
  /** The number of payments that it has routed; `null` if its strategy has no counter. */
  counter: number | null;
  shops: ReadonlyMap<number, ShopSummary>;
}

/** The flows of a merchant. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly versions: FlowVersionsService,
    private readonly audit: AuditLogService,
    @InjectConfig() private readonly config: Pick<Config, 'maxFlowsPerMerchant'>,
  ) {}

  /**
   * Problems: `validation_failed` (a field of `definition`), `flow_assertion_violated`, `flow_assertions_too_complex`,
   * `flow_limit_reached`, `flow_name_taken`.
   */
  async create(
    merchantId: number,
    name: string,
    definition: FlowDefinition,
    context: AuditContext = SYSTEM,
    owner = new WorkOwner(merchantId),
  ): Promise<Flow> {
    await this.versions.requireActivatable(merchantId, definition, owner);
    const values = [merchantId, name, JSON.stringify(definition), actorName(context)];
    const id = await this.database.transaction(async (transaction) => {
      await this.requireCapacity(transaction, merchantId);
      const [row] = await refusingTakenName(transaction.query<{ id: number }>(queries.INSERT_FLOW, values));
      await this.audit.record(transaction, context, { merchantId, action: 'flow.created', objectId: row!.id });
      return row!.id;
    });
    return this.find(merchantId, id);
  }

  /** `nameContains`: only flows whose name contains this text. */
  async list(
    merchantId: number,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
    nameContains?: string,
  ): Promise<Page<Flow>> {
    const values = [merchantId, beforeId, limit + 1, nameContains ?? null];
    const rows = await this.database.query<FlowRow>(queries.FLOWS_PAGE, values);
    const page = toPage(rows, limit);
    return { ...page, items: await this.withShops(merchantId, page.items) };
  }

  /** Problems: `flow_not_found`. */
  async find(merchantId: number, flowId: number): Promise<Flow> {
    const rows = await this.database.query<FlowRow>(FLOW_BY_ID, [merchantId, flowId]);
    const [flow] = await this.withShops(merchantId, rows);
    if (!flow) throw new Problem('flow_not_found');
    return flow;
  }

  /**
   * Changes the name; any other change creates a new version, which is active at once. The counter continues. Problems:
   * `flow_not_found`, `flow_changed`, `flow_rollout_running`, `flow_approval_required`, `flow_name_taken`, and those of `create`.
   */
  async update(
    merchantId: number,
    flowId: number,
    changes: FlowChanges,
    context: AuditContext = SYSTEM,
    owner = new WorkOwner(merchantId),
  ): Promise<Flow> {
    if (Object.keys(changes).length > 0) {
      await refusingTakenName(this.versions.change(merchantId, flowId, changes, context, owner));
    }
    return this.find(merchantId, flowId);
  }

  /**
   * Deletes the flow and ends its rollout. The name becomes available; the id stays unknown for ever; payments keep their
   * `flow_id`. A payment that is created concurrently may still succeed. Problems: `flow_not_found`, `flow_has_open_payments`.
   */
  async remove(merchantId: number, flowId: number, context: AuditContext = SYSTEM): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await lockFlow(transaction, merchantId, flowId);
      const [payments] = await transaction.query<{ open: boolean }>(queries.HAS_OPEN_PAYMENTS, [flowId]);
      if (payments?.open) throw new Problem('flow_has_open_payments');
      const values = [flowId, actorName(context)];
      const [ended] = await transaction.query<{ rollout_id: number; version: number }>(queries.DELETE_FLOW, values);
      const entry = { merchantId, objectId: flowId };
      if (ended) {
        const details = { ...ended, cause: 'flow_deleted' };
        await this.audit.record(transaction, context, { ...entry, action: 'flow.rollout_aborted', details });
      }
      await this.audit.record(transaction, context, { ...entry, action: 'flow.deleted' });
    });
  }

  /** The lock serialises concurrent creations, so that the count stays valid until this transaction commits. */
  private async requireCapacity(transaction: Transaction, merchantId: number): Promise<void> {
    const most = this.config.maxFlowsPerMerchant;
    await lockMerchant(transaction, merchantId);
    const [flows] = await transaction.query<{ count: number }>(queries.COUNT_FLOWS, [merchantId, most]);
    if (flows!.count < most) return;
    throw new Problem('flow_limit_reached', { detail: `a merchant has at most ${most} flows; delete one first` });
  }

  /** Loads the shops of all flows in one statement. */
  private async withShops(merchantId: number, rows: FlowRow[]): Promise<Flow[]> {
    const ids = new Set(rows.flatMap(({ definition }) => definition.shops.map((shop) => shop.shop_id)));
    if (ids.size === 0) return [];
    const summaries = await this.shops.summaries(merchantId, [...ids]);
    const shops = new Map(summaries.map((shop) => [shop.id, shop]));
    return rows.map((row) => ({
      ...row,
      counter: hasCounter(row.definition) ? row.counter : null,
      shops,
    }));
  }
}

/** The database decides whether a name is available, so that only one of two concurrent flows gets it. */
async function refusingTakenName<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'flows_merchant_id_name_key')) throw error;
    throw new Problem('flow_name_taken', { cause: error });
  }
}
