import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { Clock } from '../../shared/clock.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { MoneyService } from '../store/money.service.js';
import { WAITING_MS } from '../store/waiting.js';
import { LINK_WAITING } from '../ledger/waiting.queries.js';
import { CLAIM_WAITING, END_WAITING, FIND_BY_TRANSACTION } from './notification.queries.js';

const INTERVAL_MS = 1_000;
const BATCH = 50;

interface ClaimedRow {
  id: number;
  shop_id: number;
  provider_transaction_id: string | null;
  payment_id: number | null;
  attempt: number | null;
  received_at: Date;
}

/**
 * The worker's check of waiting notifications. Most are applied by the change that they wait for. This job finds those
 * that such a change missed: a concurrent commit of the id, or a call whose process died. It also ends notifications
 * that waited too long. A long-waiting notification is checked rarely.
 */
@Injectable()
export class WaitingNotificationsJob {
  readonly job: ScheduledJob = {
    name: 'waiting notifications',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.round(stopping),
  };

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
    private readonly clock: Clock,
  ) {}

  /** Checks a batch of due notifications; returns their number. */
  async checkDue(): Promise<number> {
    const claimed = await this.database.query<ClaimedRow>(CLAIM_WAITING, [this.clock.now(), BATCH]);
    const failures: unknown[] = [];
    for (const row of claimed) await this.check(row).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    return claimed.length;
  }

  private async check(row: ClaimedRow): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (row.payment_id === null) return this.findPayment(transaction, row);
      const locked = await this.payments.lock(transaction, row.payment_id);
      await this.money.retryWaiting(transaction, locked);
    });
  }

  private async findPayment(
    transaction: Transaction,
    { id, shop_id: shopId, provider_transaction_id: transactionId, received_at: receivedAt }: ClaimedRow,
  ): Promise<void> {
    type Found = { id: number; attempt: number };
    const [found] =
      transactionId === null ? [] : await transaction.query<Found>(FIND_BY_TRANSACTION, [shopId, transactionId]);
    if (found && transactionId !== null) {
      const locked = await this.payments.lock(transaction, found.id);
      await transaction.query(LINK_WAITING, [found.id, found.attempt, shopId, transactionId]);
      await this.money.retryWaiting(transaction, locked);
    } else if (receivedAt.getTime() + WAITING_MS < this.clock.now().getTime())
      await transaction.query(END_WAITING, [id]);
  }

  private async round(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.checkDue()) === BATCH);
  }
}
