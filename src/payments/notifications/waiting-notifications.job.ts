import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { WorkKind } from '../../platform/due-work/due-work.js';
import { Clock, HOUR_MS } from '../../shared/clock.js';
import { PaymentsService } from '../store/payments.service.js';
import { MoneyService } from '../store/money.service.js';
import { LINK_WAITING, WAITING_KIND, WAITING_MS } from '../store/notification.queries.js';
import { END_WAITING, FIND_WAITING } from '../store/notification.queries.js';
import { findAttempt } from './notification-inbox.service.js';

const INTERVAL_MS = 1_000;
/** A check takes milliseconds, unless its payment is locked. */
const LEASE_MS = 10_000;
const AT_LEAST_MS = 2_000;

interface WaitingRow {
  id: number;
  shop_id: number;
  provider_transaction_id: string | null;
  payment_id: number | null;
  received_at: Date;
}

/**
 * The worker's check of waiting notifications. Most are applied by the change that they wait for. This job finds those
 * that such a change missed: a concurrent commit of the id, or a call whose process died. It also ends notifications
 * that waited too long. The next check is after the time that it has waited.
 */
@Injectable()
export class WaitingNotificationsJob {
  readonly work: WorkKind = {
    kind: WAITING_KIND,
    name: 'waiting notifications',
    everyMs: INTERVAL_MS,
    leaseMs: LEASE_MS,
    batch: 10,
    run: ({ subjectId }) => this.run(subjectId),
  };

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
    private readonly clock: Clock,
  ) {}

  private async run(id: number): Promise<number | undefined> {
    const [row] = await this.database.query<WaitingRow>(FIND_WAITING, [id]);
    if (!row) return undefined;
    await this.check(row);
    const waitedMs = this.clock.now().getTime() - row.received_at.getTime();
    return Math.min(HOUR_MS, Math.max(AT_LEAST_MS, waitedMs));
  }

  private async check(row: WaitingRow): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (row.payment_id === null) return this.findPayment(transaction, row);
      const locked = await this.payments.lock(transaction, row.payment_id);
      await this.money.retryWaiting(transaction, locked);
    });
  }

  private async findPayment(
    transaction: Transaction,
    { id, shop_id: shopId, provider_transaction_id: transactionId, received_at: receivedAt }: WaitingRow,
  ): Promise<void> {
    const named = transactionId === null ? undefined : { transactionId };
    const found = named && (await findAttempt(transaction, shopId, named));
    if (found) {
      const { payment_id: paymentId, attempt } = found;
      const locked = await this.payments.lock(transaction, paymentId);
      await transaction.query(LINK_WAITING, [paymentId, attempt, shopId, transactionId]);
      await this.money.retryWaiting(transaction, locked);
    } else if (receivedAt.getTime() + WAITING_MS < this.clock.now().getTime())
      await transaction.query(END_WAITING, [id]);
  }
}
