import { Injectable } from '@nestjs/common';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import { MerchantSlots } from '../../platform/cpu-scheduler/merchant-slots.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Clock } from '../../shared/clock.js';
import { Problem } from '../../shared/problem.js';
import type { PastPaymentRow } from '@payment-orchestrator/routing/backtest/past-payment';
import { pastPayment } from '@payment-orchestrator/routing/backtest/past-payment';
import { FlowVersionsService } from '../management/versions.service.js';
import { FLOW_BY_ID, type FlowRow } from '../routing/flow.queries.js';
import { NEWEST_PAYMENTS, RULE_HITS, type RuleHitsRow } from './rule-hits.queries.js';
import { type HitsByKey, type RuleFacts, RuleReport } from './rule-report.js';

/** How the rules of a flow's active version are used. */
export interface FlowRules {
  version: number;
  paymentsChecked: number;
  rules: RuleFacts[];
}

const MAX_PAYMENTS = 1_000;
/** They are parsed when they arrive, which cannot be divided into time slices. Metadata may be 16 KiB each. */
const BATCH_SIZE = 50;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const MONTH_HOURS = 30 * DAY_HOURS;
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
      if (definition.strategy !== 'rules') return { version, paymentsChecked: 0, rules: [] };
      const now = this.clock.now();
      const report = new RuleReport(definition, activatedAt);
      const hits = await this.reads.readOnly(async (transaction) => {
        await this.look(report, version, transaction, flowId, owner);
        return hitsOf(transaction, flowId, now);
      });
      return { version, paymentsChecked: report.payments, rules: report.facts(hits, now) };
    });
  }

  private async look(
    report: RuleReport,
    version: number,
    transaction: Transaction,
    flowId: number,
    owner: WorkOwner,
  ): Promise<void> {
    let position: [createdAt: Date | string, id: number] = ['infinity', 0];
    while (report.payments < MAX_PAYMENTS) {
      if (owner.isGone) throw new Problem('client_closed_request');
      const startedAt = performance.now();
      const rows = await transaction.query<PastPaymentRow>(NEWEST_PAYMENTS, [flowId, ...position, BATCH_SIZE]);
      await this.work.pauseAfter(performance.now() - startedAt);
      await this.work.run(owner, addAll(report, rows, version));
      const last = rows.at(-1);
      if (!last || rows.length < BATCH_SIZE) return;
      position = [last.created_at, last.id];
    }
  }
}

function* addAll(report: RuleReport, rows: readonly PastPaymentRow[], version: number): Generator<void, void> {
  for (const row of rows) yield* report.add(pastPayment(row), version);
}

async function hitsOf(transaction: Transaction, flowId: number, now: Date): Promise<HitsByKey> {
  const since = (hours: number): Date => new Date((Math.floor(now.getTime() / HOUR_MS) - hours) * HOUR_MS);
  const rows = await transaction.query<RuleHitsRow>(RULE_HITS, [flowId, since(DAY_HOURS), since(MONTH_HOURS)]);
  return new Map(rows.map(({ rule_key: key, last_day: day, last_month: month }) => [key, { day, month }]));
}
