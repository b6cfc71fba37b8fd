import { Injectable, Logger } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { DeliveryErasureService } from '../../webhooks/history/delivery-erasure.service.js';
import { ERASURE_REPEAT_MS } from '../ledger/customer.js';
import {
  ERASE_AUDITED_REASONS,
  ERASE_CUSTOMER,
  ERASE_EARLY_NOTIFICATIONS,
  ERASE_NOTIFICATIONS,
  ERASE_ATTEMPTS,
  ERASE_OPERATIONS,
  ERASE_REFUNDS,
  ERASE_PAYMENTS,
  type ErasureRow,
  FIND_ERASURE,
} from './erasure.queries.js';
import { SavedMethods } from '../payment-methods/saved-methods.service.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';

export interface Erasure {
  customerId: number;
  erasedAt: Date;
  /** Some data is still needed, and will be redacted later. */
  isPending: boolean;
}

/** The result of redacting one batch. */
interface ErasedBatch {
  /** The last payment; `null`: this was the last batch. */
  lastId: number | null;
  payments: number;
  /** Webhooks that are still to be delivered, and saved payment methods that are still to be detached. */
  pending: number;
}

const BATCH_SIZE = 100;
/** Batches that the request redacts; the worker redacts the others. */
const BATCHES_AT_ONCE = 5;
/**
 * Redacts a customer's personal data everywhere except in the ledger: amounts, currencies, countries, statuses, times
 * and ids stay (docs/operate/personal-data.md lists the columns).
 * - The customer's row is redacted first, in one transaction with the due work and the audit entry. After
 *   that, new texts contain only the customer's id, and the worker redacts stored data, even after a crash.
 * - A pending delivery is sent unchanged and redacted when it has ended. Later data, such as a provider's notification
 *   of a refund, schedules the erasure again in its own transaction.
 */
@Injectable()
export class CustomerErasureService {
  private readonly logger = new Logger(CustomerErasureService.name);

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryErasureService,
    private readonly idempotency: IdempotencyService,
    private readonly audit: AuditLogService,
    private readonly savedMethods: SavedMethods,
  ) {}

  /** Erases the customer. A repeated call changes nothing, and returns the state. Throws `customer_not_found`. */
  async erase(merchantId: number, customerId: number, context: AuditContext): Promise<Erasure> {
    const isNew = await this.database.transaction(async (transaction) => {
      const marked = await transaction.query(ERASE_CUSTOMER, [customerId, merchantId, ERASURE_REPEAT_MS]);
      if (marked.length === 0) return false;
      await this.savedMethods.removeAll(transaction, customerId);
      await this.audit.record(transaction, context, { merchantId, action: 'customer.erased', objectId: customerId });
      return true;
    });
    if (isNew) await this.eraseSome(customerId);
    const [row] = await this.database.query<ErasureRow>(FIND_ERASURE, [customerId, merchantId]);
    if (!row?.erased_at) throw new Problem('customer_not_found');
    return { customerId, erasedAt: row.erased_at, isPending: row.erasure_due_at !== null };
  }

  /** Redacts a batch of the customer's payments with ids above `after`, and all rows that belong to them. */
  async eraseBatch(transaction: Transaction, customerId: number, after: number): Promise<ErasedBatch> {
    const values = [customerId, after, BATCH_SIZE];
    const ids = (await transaction.query<{ id: number }>(ERASE_PAYMENTS, values)).map(({ id }) => id);
    await transaction.query(ERASE_ATTEMPTS, [ids]);
    await transaction.query(ERASE_OPERATIONS, [ids]);
    await transaction.query(ERASE_AUDITED_REASONS, [ids]);
    await transaction.query(ERASE_REFUNDS, [ids]);
    await transaction.query(ERASE_NOTIFICATIONS, [ids]);
    await transaction.query(ERASE_EARLY_NOTIFICATIONS, [ids]);
    await this.idempotency.redactAnswers(transaction, ids);
    const lastId = ids.length === BATCH_SIZE ? ids.at(-1)! : null;
    const deliveries = await this.deliveries.erase(transaction, ids);
    // tokens stay until the providers have detached them
    const methods = lastId === null ? await this.savedMethods.removeAll(transaction, customerId) : 0;
    return { lastId, payments: ids.length, pending: deliveries + methods };
  }

  /** Completes the erasure at once for nearly every customer. Never throws: the worker continues in any case. */
  private async eraseSome(customerId: number): Promise<void> {
    let after = 0;
    try {
      for (let batches = 0; batches < BATCHES_AT_ONCE; batches++) {
        const { lastId } = await this.database.transaction((transaction) =>
          this.eraseBatch(transaction, customerId, after),
        );
        if (lastId === null) return;
        after = lastId;
      }
    } catch (error) {
      this.logger.warn({ msg: 'failed to erase a customer at once, the worker continues', customerId, err: error });
    }
  }
}
