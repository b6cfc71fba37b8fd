import { Injectable } from '@nestjs/common';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import { MerchantSlots } from '../../platform/cpu-scheduler/merchant-slots.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Clock, daysBefore } from '../../shared/clock.js';
import { Problem } from '../../shared/problem.js';
import type { PastPaymentRow } from '@payment-orchestrator/routing/backtest/past-payment';
import { pastPayment } from '@payment-orchestrator/routing/backtest/past-payment';
import { FlowVersionsService } from '../management/versions.service.js';
import { FLOW_BY_ID, type FlowRow } from '../routing/flow.queries.js';
import { decidingKey } from '../definition/rule-key.js';
import {
  DECISIONS,
  type DecisionsRow,
  type DefinitionRow,
  DEFINITIONS,
  NEWEST_PAYMENTS,
} from './rule-report.queries.js';
import { type HitsByKey, type RuleFacts, RuleReport } from './rule-report.js';

/** How the rules of a flow's active version are used. */
export interface FlowRules {
  version: number;
  paymentsChecked: number;
  /** Payments of the last 30 days whose decisions are counted. */
  paymentsCounted: number;
  /** There are more of them. */
  isTruncated: boolean;
  rules: RuleFacts[];
}

const MAX_PAYMENTS = 1_000;
/** They are parsed when they arrive, which cannot be divided into time slices. Metadata may be 16 KiB each. */
const BATCH_SIZE = 50;
/** Their decisions are counted, which takes a fifth of a second. */
const MAX_COUNTED = 10_000;
/** Rules of older versions among the counted payments count for nothing. */
const MAX_VERSIONS = 100;
const MONTH_DAYS = 30;
/** Each report holds a database connection. */
const SLOTS = { what: 'reports about rules', total: 2, perMerchant: 1, waitingPerMerchant: 5, waiting: 20 };

/** Reads how often the rules of flows decide. */
@Injectable()
export class FlowRulesService {
  private readonly slots = new MerchantSlots(SLOTS);

  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
    private readonly versions: FlowVersionsService,
    private readonly work: CpuScheduler,
    private readonly clock: Clock,
  ) {}

  /** Stops if the client disconnects. Problems: `flow_not_found`, `too_many_requests`, `client_closed_request`. */
  find(merchantId: number, flowId: number, owner: WorkOwner): Promise<FlowRules> {
    return this.slots.run(owner, async () => {
      const [flow] = await this.database.query<FlowRow>(FLOW_BY_ID, [merchantId, flowId]);
      if (!flow) throw new Problem('flow_not_found');
      const { version } = flow;
      const { definition, activated_at: activatedAt } = await this.versions.find(merchantId, flowId, version);
      if (definition.strategy !== 'rules')
        return { version, paymentsChecked: 0, paymentsCounted: 0, isTruncated: false, rules: [] };
      const now = this.clock.now();
      const report = new RuleReport(definition, activatedAt);
      const { hits, ...counted } = await this.reads.readOnly(async (transaction) => {
        await this.look(report, version, transaction, flowId, owner);
        return countHits(transaction, flowId, now);
      });
      return { version, paymentsChecked: report.payments, ...counted, rules: report.facts(hits, now) };
    });
  }

  private async look(
    report: RuleReport,
    version: number,
    transaction: Transaction,
    flowId: number,
    owner: WorkOwner,
  ): Promise<void> {
    let before = Number.MAX_SAFE_INTEGER;
    while (report.payments < MAX_PAYMENTS) {
      if (owner.isGone) throw new Problem('client_closed_request');
      const startedAt = performance.now();
      const rows = await transaction.query<PastPaymentRow>(NEWEST_PAYMENTS, [flowId, before, BATCH_SIZE]);
      await this.work.pauseAfter(performance.now() - startedAt);
      await this.work.run(owner, addAll(report, rows, version));
      const last = rows.at(-1);
      if (!last || rows.length < BATCH_SIZE) return;
      before = last.id;
    }
  }
}

function* addAll(report: RuleReport, rows: readonly PastPaymentRow[], version: number): Generator<void, void> {
  for (const row of rows) yield* report.add(pastPayment(row), version);
}

/** The hits of rules among the newest payments, by the key of the rule: in any version that has the same rule. */
async function countHits(transaction: Transaction, flowId: number, now: Date) {
  const values = [flowId, daysBefore(now, 1), daysBefore(now, MONTH_DAYS), MAX_COUNTED];
  const rows = await transaction.query<DecisionsRow>(DECISIONS, values);
  const versions = [...new Set(rows.map(({ version }) => version))];
  const found = await transaction.query<DefinitionRow>(DEFINITIONS, [flowId, versions, MAX_VERSIONS]);
  const definitions = new Map(found.map(({ version, definition }) => [version, definition]));
  const hits = new Map<string, { day: number; month: number }>();
  for (const { version, rule, last_day: lastDay, payments } of rows) {
    const definition = definitions.get(version);
    if (!definition || rule === null) continue;
    const key = decidingKey(definition, rule === 'default' ? rule : Number(rule))!;
    const { day, month } = hits.get(key) ?? { day: 0, month: 0 };
    hits.set(key, { day: day + lastDay, month: month + payments });
  }
  const paymentsCounted = rows.reduce((sum, { payments }) => sum + payments, 0);
  return { hits: hits as HitsByKey, paymentsCounted, isTruncated: paymentsCounted === MAX_COUNTED };
}
