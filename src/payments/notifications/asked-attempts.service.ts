import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { invalidField } from '../../shared/problem.js';
import { MAX_ASKED } from '@payment-orchestrator/provider-kit';
import { ASK, FIND_ASKED } from './asked-attempts.queries.js';

/**
 * Attempts that a provider's notification asks about. The request only records that a look-up is due, and answers after
 * the commit: a worker looks up, so a provider without an answer or the death of a process loses nothing, and the
 * provider need not repeat the notification. Anyone may send such a notification. So an attempt is looked up at most
 * once per second by all workers together, and asking again meanwhile writes nothing.
 */
@Injectable()
export class AskedAttempts {
  constructor(private readonly database: Database) {}

  /**
   * Returns how many of the transactions belong to payments of the shop. One whose id is not stored yet is not found: its
   * charge is still open, and recovery looks it up. Throws `validation_failed` for more than `MAX_ASKED` transactions.
   */
  async ask(shopId: number, transactionIds: readonly string[]): Promise<number> {
    if (transactionIds.length === 0) return 0;
    if (transactionIds.length > MAX_ASKED) {
      throw invalidField('body', `must name at most ${MAX_ASKED} transactions, got ${transactionIds.length}`);
    }
    type Found = { payment_id: number; attempt: number };
    const found = await this.database.query<Found>(FIND_ASKED, [shopId, transactionIds]);
    // one statement each: two notifications never wait for rows of each other
    for (const { payment_id: paymentId, attempt } of found) await this.database.query(ASK, [paymentId, attempt]);
    return found.length;
  }
}
