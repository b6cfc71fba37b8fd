import { createHmac } from 'node:crypto';
import type { Answer, ApiClient } from './client.js';
import type { HarnessDatabase } from '../support/harness-database.js';

export const NOTIFICATION_SECRET = 'notification-secret-of-chaos';

interface OpenTransaction {
  transaction_id: string;
  shop_id: number;
  page_url: string | null;
}

/** What is told of a transaction, and what the books say then. */
const HELD = { completed: 'captured', failed: 'declined' } as const;
export type Outcome = keyof typeof HELD;

/** Who decides at the provider, and who pays: says what becomes of payments that wait for that. */
export class ProviderDesk {
  constructor(
    private readonly database: Pick<HarnessDatabase, 'query'>,
    private readonly client: ApiClient,
  ) {}

  notify(
    shopId: number,
    notification: { id: string; provider_transaction_id: string; status: string },
  ): Promise<Answer> {
    const text = JSON.stringify(notification);
    const signature = createHmac('sha256', NOTIFICATION_SECRET).update(text).digest('hex');
    return this.client.call('notify', 'POST', `/providers/sandbox/notifications/${shopId}`, {
      text,
      headers: { signature },
    });
  }

  /**
   * Decides a transaction that waits for that; answers whether the books say so now. `false`: it was voided meanwhile, of which
   * whoever asked for it may not know. A provider tells nothing then; a signed lie would be believed.
   */
  async decide(transactionId: string, outcome: Outcome): Promise<boolean> {
    const decided = await this.database.query(
      `UPDATE sandbox_transactions SET status = $2, updated_at = clock_timestamp()
       WHERE transaction_id = $1 AND status IN ('open', $2) RETURNING id`,
      [transactionId, HELD[outcome]],
    );
    return decided.length > 0;
  }

  /** What the payer chooses on the page of the sandbox. */
  choose(pageUrl: string, outcome: 'approve' | 'decline'): Promise<Answer> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.client.call('payer', 'POST', new URL(pageUrl).pathname, { text: `outcome=${outcome}`, headers });
  }

  /** Nobody waits any longer: payers turn away, and what still waits for the provider's word has failed. */
  async settleRest(): Promise<void> {
    const open = await this.database.query<OpenTransaction>(
      `SELECT transaction_id, shop_id, page_url FROM sandbox_transactions WHERE status = 'open' AND settles_at IS NULL`,
    );
    for (const { transaction_id: id, shop_id: shopId, page_url: pageUrl } of open) {
      if (pageUrl !== null) await this.choose(pageUrl, 'decline');
      else await this.notify(shopId, { id: `end-${id}`, provider_transaction_id: id, status: 'failed' });
    }
    await this.database.query(`UPDATE payments SET expires_at = now() WHERE status = 'pending' AND expires_at > now()`);
  }
}
