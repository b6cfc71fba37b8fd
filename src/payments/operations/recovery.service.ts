import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { PeriodicTask } from '../../shared/periodic-task.js';
import type { OperationRow } from '../ledger/operation.js';
import { COUNT_OPEN } from '../ledger/operation.queries.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import { ChargeRecovery } from './charge-recovery.service.js';
import { OperationRunner } from './operation-runner.service.js';

const REST_MS = 500;
const FAILED_REST_MS = 2_000;
/** Calls under way at once per worker: a provider that does not answer holds no more. */
const MAX_AT_ONCE = 32;
/** A row may be committed, or unlocked, so long after it was due. */
const LOOK_BACK_MS = 60_000;
const SWEEP_INTERVAL_MS = 600_000;

/**
 * The worker's chore that brings every operation at a provider to its end: takes what is due, asks or calls again, and
 * writes what came of it. Of many workers each takes other rows; one that dies leaves its rows to the others, which get
 * them when the claim is over. Nothing of it happens inside a transaction but the writing.
 */
@Injectable()
export class OperationRecovery implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OperationRecovery.name);
  private readonly task = new PeriodicTask(() => this.tick());
  private readonly running = new Set<Promise<void>>();
  private readonly recovered;
  private failing = false;
  private stopped = false;
  /** All that was due before has been seen to. */
  private since = new Date(0);
  private sweepAt = 0;

  constructor(
    database: Database,
    private readonly operations: OperationRecords,
    private readonly charges: ChargeRecovery,
    private readonly runner: OperationRunner,
    metrics: Metrics,
  ) {
    this.recovered = metrics.counter({
      name: 'provider_operations_recovered_total',
      help: 'Operations that recovery looked at, by what it found',
      labelNames: ['operation', 'outcome'],
    });
    const oldest = metrics.gauge({
      name: 'provider_operations_oldest_seconds',
      help: 'Age of the oldest operation at a provider that is not settled',
      labelNames: ['operation'],
    });
    metrics.gauge({
      name: 'provider_operations_open',
      help: 'Operations at providers that are not settled; stopped: nobody tries them any more, a person must act',
      labelNames: ['operation', 'state'],
      async collect() {
        type Count = { kind: string; state: string; count: number; oldest_seconds: number };
        const counts = await database.query<Count>(COUNT_OPEN).catch(() => undefined);
        if (!counts) return;
        this.reset();
        oldest.reset();
        const ages = new Map<string, number>();
        for (const { kind, state, count, oldest_seconds: age } of counts) {
          this.set({ operation: kind, state }, count);
          ages.set(kind, Math.max(ages.get(kind) ?? 0, age));
        }
        for (const [operation, age] of ages) oldest.set({ operation }, age);
      },
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.task.stop();
    await Promise.all(this.running);
  }

  /** Recovers what is due now, as much as may be under way at once; answers how much that was. */
  async recoverDue(): Promise<number> {
    const claimed = await this.claim();
    await Promise.all(claimed.map((operation) => this.recover(operation)));
    return claimed.length;
  }

  private async tick(): Promise<number> {
    try {
      for (const operation of this.stopped ? [] : await this.claim()) {
        const run = this.recover(operation).finally(() => this.running.delete(run));
        this.running.add(run);
      }
      if (this.failing) this.logger.log('recovery of operations works again');
      this.failing = false;
      return REST_MS;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'cannot look for open operations, trying on', err: error });
      this.failing = true;
      return FAILED_REST_MS;
    }
  }

  private async claim(): Promise<OperationRow[]> {
    const room = MAX_AT_ONCE - this.running.size;
    if (room <= 0) return [];
    const now = Date.now();
    const isSweep = now >= this.sweepAt;
    const claimed = await this.operations.claim(isSweep ? new Date(0) : this.since, room);
    if (claimed.length < room) {
      this.since = new Date(now - LOOK_BACK_MS);
      if (isSweep) this.sweepAt = now + SWEEP_INTERVAL_MS;
    }
    return claimed;
  }

  /** Never rejects: what fails is due again when the claim is over. */
  private async recover(operation: OperationRow): Promise<void> {
    const { kind, id, payment_id: paymentId, attempt, tries } = operation;
    try {
      const outcome =
        kind === 'charge' ? await this.charges.recover(operation) : (await this.runner.run(operation)).outcome;
      if (kind !== 'charge' && outcome === 'pending') await this.operations.reschedule(operation, outcome);
      this.recovered.inc({ operation: kind, outcome });
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
