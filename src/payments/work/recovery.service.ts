import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { type Scan as ScanStart, ScanWindow } from '../../platform/workers/scan-window.js';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { OPERATION_KINDS, type OperationRow } from '../money/state/operation.js';
import { OperationRecords } from '../store/operation-records.service.js';
import { OperationOutcomes } from './operation-outcomes.service.js';
import { CHARGE_OUTCOMES, LOOKED_UP, REVERSAL_OUTCOMES } from '../../providers/calls/provider-metrics.js';
import { type RecoveryShares, pickNext } from './recovery-shares.js';

const INTERVAL_MS = 500;
/** Limit of concurrent operations in this worker. */
const TOTAL = 64;
/**
 * Limits of concurrent operations in all workers. The shares keep a shop's backlog or a silent provider from using all.
 */
const PER_SHOP = 16;
const PER_PROVIDER = 32;
/** Rows per scan. The next scan continues after a longer backlog, with a shorter pause. */
const SCAN_LIMIT = 1_000;
const PAUSE_BETWEEN_SCANS_MS = 50;
/** How much later than its due time a row may be committed or unlocked. */
const LOOKBACK_MS = 60_000;
const SWEEP_INTERVAL_MS = 600_000;

/** Findings of recovery: the provider's answer or state. `failed`: the recovery itself failed. */
const CHARGE_FINDINGS = [...CHARGE_OUTCOMES, ...LOOKED_UP, 'no_answer', 'not_asked', 'failed'];
const REVERSAL_FINDINGS = [...REVERSAL_OUTCOMES, 'too_early', 'unknown', 'failed'];

/** One pass over all due operations, in one or more scans. */
interface Pass {
  begun: ScanStart;
  /** Due time at which the next scan begins. */
  at: Date;
  /** Operations were skipped because of the shares; the next pass finds them. */
  hasSkipped: boolean;
}

interface Scan {
  claimed: OperationRow[];
  hasMore: boolean;
}

/** Whether the finding differs from the one before. An open operation is checked many times. */
const isNewFinding = ({ state, last_answer: lastAnswer }: OperationRow, outcome: string): boolean =>
  outcome === 'unknown' ? state !== 'unknown' : outcome !== lastAnswer;

const sharesOf = (workers: number): RecoveryShares => ({
  total: TOTAL,
  perShop: Math.ceil(PER_SHOP / workers),
  perProvider: Math.ceil(PER_PROVIDER / workers),
});

const NOTHING: Scan = { claimed: [], hasMore: false };

/** `at`, but later than `before`, so that a full scan of one due time is not repeated for ever. */
const later = (at: Date, before: Date): Date => (at > before ? at : new Date(before.getTime() + 1));

/**
 * The worker's job that completes every operation at a provider: claims due operations, asks or calls again, and writes
 * the outcome. Parallel workers claim different rows. If a worker dies, the others get its rows when the claim expires.
 * Only the writes happen inside a transaction.
 */
@Injectable()
export class OperationRecovery implements OnModuleDestroy {
  readonly job: ScheduledJob = {
    name: 'operation recovery',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.round(stopping),
  };
  private readonly logger = new Logger(OperationRecovery.name);
  private readonly running = new Map<Promise<void>, OperationRow>();
  private readonly recovered;
  private shares = sharesOf(1);
  private readonly window = new ScanWindow(LOOKBACK_MS, SWEEP_INTERVAL_MS);
  /** The pass under way; `undefined`: the next scan begins one. */
  private pass: Pass | undefined;

  constructor(
    private readonly operations: OperationRecords,
    private readonly outcomes: OperationOutcomes,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.recovered = metrics.counter({
      name: 'provider_operations_recovered_total',
      help: 'Operations that recovery checked, by its finding',
      labels: { operation: OPERATION_KINDS, outcome: [...new Set([...CHARGE_FINDINGS, ...REVERSAL_FINDINGS])] },
      series: OPERATION_KINDS.flatMap((operation) =>
        (operation === 'charge' ? CHARGE_FINDINGS : REVERSAL_FINDINGS).map((outcome) => ({ operation, outcome })),
      ),
    });
  }

  /** Sets the number of workers that share the limits. */
  sharedBy(workers: number): void {
    this.shares = sharesOf(workers);
  }

  /** Waits for running recoveries. A claim made during this wait expires, and then other workers get its rows. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  /** Recovers due operations, up to the limit; returns their number. */
  async recoverDue(): Promise<number> {
    const { claimed } = await this.scan();
    await Promise.all(claimed.map((operation) => this.recover(operation)));
    return claimed.length;
  }

  /** Scans and begins recoveries until nothing more can be begun. */
  private async round(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.begin()))
      await delay(PAUSE_BETWEEN_SCANS_MS, undefined, { signal: stopping }).catch(() => undefined);
  }

  /** Returns whether more operations can be claimed immediately. */
  private async begin(): Promise<boolean> {
    const { claimed, hasMore } = await this.scan();
    for (const operation of claimed) {
      const run = this.recover(operation).finally(() => this.running.delete(run));
      this.running.set(run, operation);
    }
    return hasMore;
  }

  /** The next scan of the pass; `hasMore`: more operations can be claimed immediately. */
  private async scan(): Promise<Scan> {
    const underWay = [...this.running.values()];
    if (underWay.length >= TOTAL) return NOTHING;
    const pass = (this.pass ??= this.newPass());
    const due = await this.operations.listDue(pass.at, SCAN_LIMIT);
    const next = pickNext(due, underWay, this.shares);
    const claimed = await this.operations.claim(next);
    const isCut = next.length < due.length;
    pass.hasSkipped ||= isCut;
    const last = due.length < SCAN_LIMIT ? undefined : due.at(-1);
    if (last) pass.at = later(last.next_try_at, pass.at);
    else {
      this.pass = undefined;
      if (!pass.hasSkipped) this.window.end(pass.begun);
    }
    return { claimed, hasMore: last !== undefined || (isCut && claimed.length > 0) };
  }

  private newPass(): Pass {
    const begun = this.window.begin(this.clock.now());
    return { begun, at: begun.since, hasSkipped: false };
  }

  /** Never rejects: a failed recovery is due again when the claim expires. */
  private recover(operation: OperationRow): Promise<void> {
    const { kind, id, payment_id: paymentId, attempt, tries } = operation;
    const attributes = {
      'payment.id': paymentId,
      'payment.attempt': attempt,
      'operation.id': id,
      'operation.kind': kind,
      'operation.tries': tries,
    };
    return tracing.run('operation.recover', { attributes, isRoot: true }, async (span) => {
      try {
        const outcome = await this.outcomes.recover(operation);
        this.recovered.inc({ operation: kind, outcome });
        span.set({ 'operation.outcome': outcome });
        if (!isNewFinding(operation, outcome)) return;
        const msg = 'checked an open operation';
        this.logger.log({ msg, paymentId, attempt, operation: kind, operationId: id, tries, outcome });
      } catch (error) {
        this.recovered.inc({ operation: kind, outcome: 'failed' });
        const msg = 'failed to recover an operation, will try again';
        this.logger.error({ msg, paymentId, operationId: id, err: error });
      }
    });
  }
}
