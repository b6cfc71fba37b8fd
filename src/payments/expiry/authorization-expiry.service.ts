import { Injectable } from '@nestjs/common';
import type { WorkKind } from '../../platform/due-work/due-work.js';
import { OperationRecords } from '../ledger/operation-records.service.js';

const INTERVAL_MS = 1_000;
/** A capture or void under way, or a lock, decides within this time what becomes of the payment. */
const AGAIN_MS = 10_000;

/**
 * Ends payments whose authorisation has lapsed without a capture. A void is recorded, and its run asks the provider first: a
 * charge that was captured there completes the payment, otherwise the void cancels it. The work is a payment's from its
 * authorisation to its end: the trigger `plan_lapse` follows each write of `capture_before`.
 */
@Injectable()
export class AuthorizationExpiry {
  readonly work: WorkKind = {
    kind: 'authorization',
    name: 'authorisation expiry',
    everyMs: INTERVAL_MS,
    leaseMs: AGAIN_MS,
    batch: 20,
    run: async ({ subjectId }) => ((await this.operations.voidLapsed(subjectId)) ? AGAIN_MS : undefined),
  };

  constructor(private readonly operations: OperationRecords) {}
}
