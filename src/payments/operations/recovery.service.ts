import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { tracing } from '../../platform/tracing/tracing.js';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { OPERATION_KINDS, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import { ChargeRecovery } from './charge-recovery.service.js';
import { OperationRunner } from './operation-runner.service.js';
import { CHARGE_OUTCOMES, LOOKED_UP, REVERSAL_OUTCOMES } from './provider-metrics.js';
import { type RecoveryShares, pickNext } from './recovery-shares.js';

const INTERVAL_MS = 500;
/** Under way at once in this worker. */
const TOTAL = 64;
/** Under way at once in all workers: a shop's backlog, or a provider that does not answer, holds no more than its share. */
const PER_SHOP = 16;
const PER_PROVIDER = 32;
/** What one look reads: behind a backlog that is longer it goes on where it ended, after a shorter rest. */
const SCAN_LIMIT = 1_000;
const PAUSE_BETWEEN_SCANS_MS = 50;
/** A row may be committed, or unlocked, so long after it was due. */
const LOOKBACK_MS = 60_000;
const SWEEP_INTERVAL_MS = 600_000;

/** What recovery says that it found: the provider's answer or what it holds. `failed`: the recovery itself. */
const CHARGE_FINDINGS = [...CHARGE_OUTCOMES, ...LOOKED_UP, 'no_answer', 'not_asked', 'failed'];
const REVERSAL_FINDINGS = [...REVERSAL_OUTCOMES, 'unknown', 'failed'];

/** One way through all that is due, in as many looks as it takes. */
interface Pass {
  startedAt: number;
  isSweep: boolean;
  /** Where the next look begins. */
  at: Date;
  /** What it left because others' turn came first is found by the next pass. */
  hasSkipped: boolean;
}

interface Scan {
  claimed: OperationRow[];
  hasMore: boolean;
}

/** Whether a look found something else than the one before it. What stays open is looked at many times. */
const isNewFinding = ({ state, last_answer: lastAnswer }: OperationRow, outcome: string): boolean =>
  outcome === 'unknown' ? state !== 'unknown' : outcome !== lastAnswer;

const sharesOf = (workers: number): RecoveryShares => ({
  total: TOTAL,
  perShop: Math.ceil(PER_SHOP / workers),
  perProvider: Math.ceil(PER_PROVIDER / workers),
});

const NOTHING: Scan = { claimed: [], hasMore: false };

/** `at`, and in any case beyond `before`: a look that is full of one moment is not repeated for ever. */
const later = (at: Date, before: Date): Date => (at > before ? at : new Date(before.getTime() + 1));

/**
 * The worker's job that brings every operation at a provider to its end: takes what is due, asks or calls again, and
 * writes what came of it. Of many workers each takes other rows; one that dies leaves its rows to the others, which get
 * them when the claim is over. Nothing of it happens inside a transaction but the writing.
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
  /** All that was due before has been seen to. */
  private since = new Date(0);
  private sweepAt = 0;
  private lastScanAt = 0;
  /** Under way; `undefined`: the next look begins one. */
  private pass: Pass | undefined;

  constructor(
    private readonly operations: OperationRecords,
    private readonly charges: ChargeRecovery,
    private readonly runner: OperationRunner,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.recovered = metrics.counter({
      name: 'provider_operations_recovered_total',
      help: 'Operations that recovery looked at, by what it found',
      labels: { operation: OPERATION_KINDS, outcome: [...new Set([...CHARGE_FINDINGS, ...REVERSAL_FINDINGS])] },
      series: OPERATION_KINDS.flatMap((operation) =>
        (operation === 'charge' ? CHARGE_FINDINGS : REVERSAL_FINDINGS).map((outcome) => ({ operation, outcome })),
      ),
    });
  }

  /** Of what all workers may have under way, this one takes its share of so many. */
  sharedBy(workers: number): void {
    this.shares = sharesOf(workers);
  }

  /** What a look claims while this waits comes back to the others when its claim is over. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  /** Recovers what is due now, as much as may be under way at once; answers how much that was. */
  async recoverDue(): Promise<number> {
    const { claimed } = await this.scan();
    await Promise.all(claimed.map((operation) => this.recover(operation)));
    return claimed.length;
  }

  /** Looks, and begins to recover what it gets, until nothing more can be begun. */
  private async round(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.begin()))
      await delay(PAUSE_BETWEEN_SCANS_MS, undefined, { signal: stopping }).catch(() => undefined);
  }

  /** Answers whether there is more that could be taken at once. */
  private async begin(): Promise<boolean> {
    const { claimed, hasMore } = await this.scan();
    for (const operation of claimed) {
      const run = this.recover(operation).finally(() => this.running.delete(run));
      this.running.set(run, operation);
    }
    return hasMore;
  }

  /** The next look of the pass; `hasMore`: there is more that could be taken at once. */
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
    else this.end(pass);
    return { claimed, hasMore: last !== undefined || (isCut && claimed.length > 0) };
  }

  private newPass(): Pass {
    const startedAt = this.clock.now().getTime();
    // what was seen to by a clock that has been set back since is to be seen to again
    const isSweep = startedAt >= this.sweepAt || startedAt < this.lastScanAt;
    this.lastScanAt = startedAt;
    return { startedAt, isSweep, at: isSweep ? new Date(0) : this.since, hasSkipped: false };
  }

  private end({ startedAt, isSweep, hasSkipped }: Pass): void {
    this.pass = undefined;
    if (hasSkipped) return;
    this.since = new Date(startedAt - LOOKBACK_MS);
    if (isSweep) this.sweepAt = startedAt + SWEEP_INTERVAL_MS;
  }

  /** Never rejects: a failed recovery is due again when the claim is over. */
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
        const outcome = await this.advance(operation);
        this.recovered.inc({ operation: kind, outcome });
        span.set({ 'operation.outcome': outcome });
        if (!isNewFinding(operation, outcome)) return;
        const msg = 'an open operation was asked about';
        this.logger.log({ msg, paymentId, attempt, operation: kind, operationId: id, tries, outcome });
      } catch (error) {
        this.recovered.inc({ operation: kind, outcome: 'failed' });
        const msg = 'an operation cannot be recovered, trying on';
        this.logger.error({ msg, paymentId, operationId: id, err: error });
      }
    });
  }

  /** Answers one word: what was found. */
  private async advance(operation: OperationRow): Promise<string> {
    if (operation.kind === 'charge') return this.charges.recover(operation);
    const { outcome } = await this.runner.run(operation);
    if (outcome === 'pending') await this.operations.reschedule(operation, outcome);
    return outcome;
  }
}
