import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { invalidField } from '../../shared/problem.js';
import { MAX_ASKED } from '@payment-orchestrator/provider-kit';
import { ALARM_ARCHIVED } from '../store/known-charges.service.js';
import { PaymentMetrics } from '../store/payment-metrics.js';
import { ASK } from './asked-attempts.queries.js';
import { FIND_BY_TRANSACTIONS, type FoundAttempt } from '../store/notification.queries.js';

/**
 * Attempts that a provider's notification asks about. The request only records that a look-up is due, and answers after
 * the commit: a worker looks up, so a provider without an answer or the death of a process loses nothing, and the
 * provider need not repeat the notification. Anyone may send such a notification. So an attempt is looked up at most
 * once per second by all workers together, and asking again meanwhile writes nothing.
 */
@Injectable()
export class AskedAttempts {
  private readonly logger = new Logger(AskedAttempts.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly metrics: PaymentMetrics,
  ) {}

  /**
   * Returns how many of the transactions belong to payments of the shop. One whose id is not stored yet is not found: its
   * charge is still open, and recovery looks it up. Throws `validation_failed` for more than `MAX_ASKED` transactions.
   */
  async ask(provider: string, shopId: number, transactionIds: readonly string[]): Promise<number> {
    if (transactionIds.length === 0) return 0;
    if (transactionIds.length > MAX_ASKED) {
      throw invalidField('body', `must name at most ${MAX_ASKED} transactions, got ${transactionIds.length}`);
    }
    const found = await this.database.query<FoundAttempt>(FIND_BY_TRANSACTIONS, [shopId, transactionIds]);
    // one statement each: two notifications never wait for rows of each other
    for (const { payment_id: paymentId, attempt } of found) await this.database.query(ASK, [paymentId, attempt]);
    return found.length + (await this.alarm(provider, shopId, transactionIds));
  }

  /** An archived payment is not looked up: a person must. Comes after the look-ups were made due, which an archival waits for. */
  private async alarm(provider: string, shopId: number, transactionIds: readonly string[]): Promise<number> {
    type Archived = { payment_id: number; transaction_id: string; is_new: boolean };
    const values = [provider, shopId, transactionIds, this.clock.now()];
    const archived = await this.database.query<Archived>(ALARM_ARCHIVED, values);
    for (const { payment_id: paymentId, transaction_id: transactionId } of archived.filter((row) => row.is_new)) {
      this.metrics.alarmed(provider, 'payment_archived');
      const msg = 'a provider asks to look at an archived payment; check the payment at the provider';
      this.logger.error({ msg, paymentId, shopId, transactionId });
    }
    return archived.length;
  }
}
