import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../platform/database/database.js';
import type { ProviderEvent, SavedMethod } from '@payment-orchestrator/provider-kit';
import { Problem } from '../../shared/problem.js';
import { SavedMethods } from '../methods/saved-methods.service.js';
import {
  FIND_BY_REFERENCE,
  FIND_BY_TRANSACTIONS,
  type FoundAttempt,
  IS_AWAITED,
} from '../store/notification.queries.js';

/** The attempt of an event at a shop: by our reference, else by the provider's transaction id. */
export async function findAttempt(
  database: Queryable,
  shopId: number,
  { reference, transactionId }: ProviderEvent['match'],
): Promise<FoundAttempt | undefined> {
  const [found] =
    reference === undefined ? [] : await database.query<FoundAttempt>(FIND_BY_REFERENCE, [shopId, reference]);
  if (found || transactionId === undefined) return found;
  return (await database.query<FoundAttempt>(FIND_BY_TRANSACTIONS, [shopId, [transactionId]]))[0];
}

/**
 * Payment methods that a notification reports as saved. They are stored before the notification is answered: after a crash
 * the provider repeats it.
 */
@Injectable()
export class ReportedMethods {
  constructor(
    private readonly database: Database,
    private readonly methods: SavedMethods,
  ) {}

  /** Throws `dependency_unavailable` while the payment may be one whose transaction id is not stored yet. */
  async keep(shopId: number, match: ProviderEvent['match'], saved: SavedMethod): Promise<void> {
    const found = await findAttempt(this.database, shopId, match);
    if (found) return this.methods.keep({ ...found, shop_id: shopId }, saved);
    const { customerId } = saved;
    if (customerId === undefined || (await this.database.query(IS_AWAITED, [shopId, customerId])).length === 0) return;
    const detail = 'the payment of the saved payment method is not known yet; repeat the notification';
    throw new Problem('dependency_unavailable', { detail });
  }
}
