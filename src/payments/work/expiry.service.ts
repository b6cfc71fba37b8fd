import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import { isRowFault } from '../../platform/database/postgres-errors.js';
import { Database } from '../../platform/database/database.js';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { ScanWindow } from '../../platform/workers/scan-window.js';
import { OperationRecords } from '../store/operation-records.service.js';
import { LOCK_EXPIRED } from '../store/payment.queries.js';
import type { PaymentRow } from '../money/state/payment.js';
import { MoneyService } from '../store/money.service.js';
import type { EndFact } from '../money/state/fact.js';
import type { WorkKind } from '../../platform/due-work/due-work.js';

const INTERVAL_MS = 1_000;
const BATCH = 100;
/** How long after its expiry a payment may be committed or unlocked: longer than a statement and a lock last. */
const LOOKBACK_MS = 20_000;
const SWEEP_INTERVAL_MS = 600_000;

const EXPIRED: EndFact = { about: 'end', to: 'cancelled', cause: 'expired' };

type ExpiredRow = PaymentRow & { is_uncharged: boolean };

const paymentOf = ({ is_uncharged: _, ...payment }: ExpiredRow): PaymentRow => payment;

/**
 * Ends payments that stayed pending beyond `expires_at`, one batch per transaction. Payments that were certainly not
 * charged are cancelled at once. For the others a void is recorded, and its confirmation cancels the payment.
 * - One worker scans at a time, and continues while it finds full batches; then others join. Each locks different
 *   payments, so no work is repeated.
 */
@Injectable()
export class ExpiryService {
  readonly job: ScheduledJob = {
    name: 'payment expiry',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.round(stopping),
  };
  private readonly window = new ScanWindow(LOOKBACK_MS, SWEEP_INTERVAL_MS);

  constructor(
    private readonly database: Database,
    private readonly money: MoneyService,
    private readonly operations: OperationRecords,
    private readonly clock: Clock,
  ) {}

  /** Ends one batch of expired payments, oldest first; returns how many it found. */
  async expireBatch(): Promise<number> {
    const now = this.clock.now();
    const scan = this.window.begin(now);
    const found = await this.expire([now, scan.since, BATCH]);
    if (found < BATCH) this.window.end(scan);
    return found;
  }

  private async expire(values: [now: Date, since: Date, limit: number]): Promise<number> {
    let certain: PaymentRow[] = [];
    let found = 0;
    try {
      await this.database.transaction(async (transaction) => {
        const locked = await transaction.query<ExpiredRow>(LOCK_EXPIRED, values);
        found = locked.length;
        certain = locked.filter(({ is_uncharged: isUncharged }) => isUncharged).map(paymentOf);
        const open = locked.filter(({ is_uncharged: isUncharged }) => !isUncharged);
        await this.operations.voidExpired(
          transaction,
          open.map(({ id }) => id),
        );
        await this.money.applyToAll(transaction, certain, EXPIRED);
      });
    } catch (error) {
      if (!isRowFault(error) || certain.length < 2) throw error;
      await this.expireOneByOne(certain);
    }
    return found;
  }

  /** Ends payments one by one, so that one that cannot be written does not keep the others pending. */
  private async expireOneByOne(payments: PaymentRow[]): Promise<void> {
    const failures: unknown[] = [];
    for (const { id } of payments) {
      await this.money.apply(id, EXPIRED).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async round(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.expireBatch()) === BATCH);
  }
}

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
