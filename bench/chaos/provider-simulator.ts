import type { Answer, ApiClient } from './client.js';
import { type Books, ProviderBooks, signatureOf } from './provider-books.js';

interface OpenTransaction {
  transaction_id: string;
  shop_id: number;
  page_url: string | null;
}

/** The reported outcome of a transaction, and its status in the provider's books. */
const HELD = { completed: 'captured', failed: 'declined' } as const;
export type Outcome = keyof typeof HELD;

/** Simulates the provider's decisions and the payer: ends payments that wait for one of them. */
export class ProviderSimulator {
  readonly books: ProviderBooks;

  constructor(
    private readonly database: Books,
    private readonly client: ApiClient,
  ) {
    this.books = new ProviderBooks(database);
  }

  notify(
    shopId: number,
    notification: { id: string; provider_transaction_id: string; status: string },
  ): Promise<Answer> {
    const text = JSON.stringify(notification);
    return this.client.call('notify', 'POST', `/providers/sandbox/notifications/${shopId}`, {
      text,
      headers: { signature: signatureOf(text) },
    });
  }

  /**
   * Decides an open transaction. Returns whether the books now have this outcome. `false`: it was voided meanwhile,
   * which the caller may not know. A provider sends no notification then; a wrong one would be accepted, because it is
   * signed.
   */
  async decide(transactionId: string, outcome: Outcome): Promise<boolean> {
    const decided = await this.database.query(
      `UPDATE sandbox_transactions SET status = $2, updated_at = clock_timestamp()
       WHERE transaction_id = $1 AND status IN ('open', $2) RETURNING id`,
      [transactionId, HELD[outcome]],
    );
    return decided.length > 0;
  }

  /** Submits the payer's choice on the sandbox's page. */
  choose(pageUrl: string, outcome: 'approve' | 'decline'): Promise<Answer> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.client.call('payer', 'POST', new URL(pageUrl).pathname, { text: `outcome=${outcome}`, headers });
  }

  /**
   * Ends all waiting payments: payers decline, pending provider decisions fail, authorisations lapse, and open payments
   * expire.
   */
  async endOpenPayments(): Promise<void> {
    await this.books.lapse();
    const open = await this.database.query<OpenTransaction>(
      `SELECT transaction_id, shop_id, page_url FROM sandbox_transactions
       WHERE status = 'open' AND settles_at IS NULL AND authorized_at IS NULL`,
    );
    for (const { transaction_id: id, shop_id: shopId, page_url: pageUrl } of open) {
      if (pageUrl !== null) await this.choose(pageUrl, 'decline');
      else await this.notify(shopId, { id: `end-${id}`, provider_transaction_id: id, status: 'failed' });
    }
    await this.database.query(`UPDATE payments SET expires_at = now() WHERE status = 'pending' AND expires_at > now()`);
  }
}
