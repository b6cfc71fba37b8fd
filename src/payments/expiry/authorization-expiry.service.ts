import { Injectable } from '@nestjs/common';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { Clock } from '../../shared/clock.js';
import { OperationRecords } from '../ledger/operation-records.service.js';

const INTERVAL_MS = 1_000;
const BATCH = 100;

/**
 * Ends payments whose authorisation has lapsed without a capture, one batch per statement. A void is recorded, and its
 * run asks the provider first: a charge that was captured there completes the payment, otherwise the void cancels it.
 */
@Injectable()
export class AuthorizationExpiry {
  readonly job: ScheduledJob = {
    name: 'authorisation expiry',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.round(stopping),
  };

  constructor(
    private readonly operations: OperationRecords,
    private readonly clock: Clock,
  ) {}

  /** Records voids for one batch of lapsed authorisations, the longest lapsed first; returns their number. */
  expireBatch(): Promise<number> {
    return this.operations.voidLapsed(this.clock.now(), BATCH);
  }

  private async round(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.expireBatch()) === BATCH);
  }
}
