import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { PeriodicTask } from '../../shared/periodic-task.js';
import { OPERATION_KINDS, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import { ChargeRecovery } from './charge-recovery.service.js';
import { OperationRunner } from './operation-runner.service.js';
import { CHARGE_OUTCOMES, LOOKED_UP, REVERSAL_OUTCOMES } from './provider-metrics.js';
import { type RecoveryShares, turnsOf } from './recovery-shares.js';

const REST_MS = 500;
const FAILED_REST_MS = 2_000;
/** Under way at once per worker: a shop's backlog, or a provider that does not answer, holds no more than its share. */
const SHARES: RecoveryShares = { total: 64, perShop: 16, perProvider: 32 };
/** What one look reads: behind a backlog that is longer it goes on where it ended, after a shorter rest. */
const LOOKED_AT = 1_000;
const REST_BETWEEN_LOOKS_MS = 50;
/** A row may be committed, or unlocked, so long after it was due. */
const LOOK_BACK_MS = 60_000;
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
  hasLeftSome: boolean;
}

interface Look {
  claimed: OperationRow[];
  mayGoOn: boolean;
}

const NOTHING: Look = { claimed: [], mayGoOn: false };

/** `at`, and in any case beyond `before`: a look that is full of one moment is not repeated for ever. */
const later = (at: Date, before: Date): Date => (at > before ? at : new Date(before.getTime() + 1));

/**
 * The worker's chore that brings every operation at a provider to its end: takes what is due, asks or calls again, and
 * writes what came of it. Of many workers each takes other rows; one that dies leaves its rows to the others, which get
 * them when the claim is over. Nothing of it happens inside a transaction but the writing.
 */
@Injectable()
export class OperationRecovery implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OperationRecovery.name);
  private readonly task = new PeriodicTask(() => this.tick());
  private readonly running = new Map<Promise<void>, OperationRow>();
  private readonly recovered;
  private failing = false;
  private stopped = false;
  /** All that was due before has been seen to. */
  private since = new Date(0);
  private sweepAt = 0;
  /** Under way; `undefined`: the next look begins one. */
  private pass: Pass | undefined;

  constructor(
    private readonly operations: OperationRecords,
    private readonly charges: ChargeRecovery,
    private readonly runner: OperationRunner,
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

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.task.stop();
    await Promise.all(this.running.keys());
  }

  /** Recovers what is due now, as much as may be under way at once; answers how much that was. */
  async recoverDue(): Promise<number> {
    const { claimed } = await this.look();
    await Promise.all(claimed.map((operation) => this.recover(operation)));
    return claimed.length;
  }

  private async tick(): Promise<number> {
    try {
      const { claimed, mayGoOn } = this.stopped ? NOTHING : await this.look();
      for (const operation of claimed) {
        const run = this.recover(operation).finally(() => this.running.delete(run));
        this.running.set(run, operation);
      }
      if (this.failing) this.logger.log('recovery of operations works again');
      this.failing = false;
      return mayGoOn ? REST_BETWEEN_LOOKS_MS : REST_MS;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'cannot look for open operations, trying on', err: error });
      this.failing = true;
      return FAILED_REST_MS;
    }
  }

  /** The next look of the pass; `mayGoOn`: there is more that could be taken at once. */
  private async look(): Promise<Look> {
    const underWay = [...this.running.values()];
    if (underWay.length >= SHARES.total) return NOTHING;
    const pass = (this.pass ??= this.newPass());
    const due = await this.operations.lookAtDue(pass.at, LOOKED_AT);
    const turns = turnsOf(due, underWay, SHARES);
    const claimed = await this.operations.claim(turns);
    const isCut = turns.length < due.length;
    pass.hasLeftSome ||= isCut;
    const last = due.length < LOOKED_AT ? undefined : due.at(-1);
    if (last) pass.at = later(last.next_try_at, pass.at);
    else this.end(pass);
    return { claimed, mayGoOn: last !== undefined || (isCut && claimed.length > 0) };
  }

  private newPass(): Pass {
    const startedAt = Date.now();
    const isSweep = startedAt >= this.sweepAt;
    return { startedAt, isSweep, at: isSweep ? new Date(0) : this.since, hasLeftSome: false };
  }

  private end({ startedAt, isSweep, hasLeftSome }: Pass): void {
    this.pass = undefined;
    if (hasLeftSome) return;
    this.since = new Date(startedAt - LOOK_BACK_MS);
    if (isSweep) this.sweepAt = startedAt + SWEEP_INTERVAL_MS;
  }

  private recover(operation: OperationRow): Promise<void> {
    if (!tracing) return this.bringOn(operation);
    const { kind, id, payment_id: paymentId, attempt, tries } = operation;
    const attributes = {
      'payment.id': paymentId,
      'payment.attempt': attempt,
      'operation.id': id,
      'operation.kind': kind,
      'operation.tries': tries,
    };
    return tracing.run('operation.recover', { attributes, isRoot: true }, () => this.bringOn(operation));
  }

  /** Never rejects: what fails is due again when the claim is over. */
  private async bringOn(operation: OperationRow): Promise<void> {
    const { kind, id, payment_id: paymentId, attempt, tries } = operation;
    try {
      const outcome =
        kind === 'charge' ? await this.charges.recover(operation) : (await this.runner.run(operation)).outcome;
      if (kind !== 'charge' && outcome === 'pending') await this.operations.reschedule(operation, outcome);
      this.recovered.inc({ operation: kind, outcome });
      tracing?.annotate({ 'operation.outcome': outcome });
      this.logger.log({
        msg: 'operation recovered',
        paymentId,
        attempt,
        operation: kind,
        operationId: id,
        tries,
        outcome,
      });
    } catch (error) {
      this.recovered.inc({ operation: kind, outcome: 'failed' });
      this.logger.error({ msg: 'an operation cannot be recovered, trying on', paymentId, operationId: id, err: error });
    }
  }
}
