import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { DeliveryErasureService } from '../../webhooks/history/delivery-erasure.service.js';
import type { WorkKind } from '../../platform/due-work/due-work.js';
import { ERASURE_KIND, ERASURE_REPEAT_MS } from '../store/customer.js';
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
import { SavedMethods } from '../methods/saved-methods.service.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';

/** The result of redacting one batch. */
interface ErasedBatch {
  /** The last payment; `null`: this was the last batch. */
  lastId: number | null;
  /** Webhooks that are still to be delivered, and saved payment methods that are still to be detached. */
  pending: number;
}

/** The result of redacting batch after batch. */
interface ErasedPass {
  /** Whether it reached the last batch. */
  isWhole: boolean;
  pending: number;
}

const BATCH_SIZE = 100;
/** Batches that the request redacts; the worker redacts the others. */
const BATCHES_AT_ONCE = 5;
const INTERVAL_MS = 5_000;
/** Longer than a batch takes; after a failure or a death the pass begins again. */
const LEASE_MS = 600_000;
/** Between two batches of the worker: deliveries and vacuum keep up. */
const PAUSE_MS = 100;
/** Pause while webhooks of the customer are still pending. */
const AGAIN_MS = 10_000;

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
  /** The worker's part: one pass over all payments of a customer. */
  readonly work: WorkKind = {
    kind: ERASURE_KIND,
    name: 'customer erasures',
    everyMs: INTERVAL_MS,
    leaseMs: LEASE_MS,
    batch: 1,
    run: async ({ subjectId, keep }) => {
      const { isWhole, pending } = await this.erasePass(subjectId, async () => {
        await delay(PAUSE_MS);
        return keep();
      });
      if (!isWhole) return 0;
      return pending > 0 ? AGAIN_MS : undefined;
    },
  };
  private readonly logger = new Logger(CustomerErasureService.name);

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryErasureService,
    private readonly idempotency: IdempotencyService,
    private readonly audit: AuditLogService,
    private readonly savedMethods: SavedMethods,
  ) {}

  /** Erases the customer. A repeated call changes nothing, and returns the state. Throws `customer_not_found`. */
  async erase(merchantId: number, customerId: number, context: AuditContext) {
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
    const status = row.erasure_due_at === null ? ('completed' as const) : ('pending' as const);
    return { customer_id: customerId, status, erased_at: row.erased_at.toISOString() };
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
    return { lastId, pending: deliveries + methods };
  }

  /** Completes the erasure at once for nearly every customer. Never throws: the worker continues in any case. */
  private async eraseSome(customerId: number): Promise<void> {
    await this.erasePass(customerId, (done) => done < BATCHES_AT_ONCE).catch((error: unknown) => {
      this.logger.warn({ msg: 'failed to erase a customer at once, the worker continues', customerId, err: error });
    });
  }

  /** Redacts batches from the first one on. `mayGoOn` says before each other one whether the pass ends there. */
  private async erasePass(
    customerId: number,
    mayGoOn: (done: number) => boolean | Promise<boolean>,
  ): Promise<ErasedPass> {
    let pending = 0;
    for (let after = 0, done = 1; ; done++) {
      const from = after;
      const erased = await this.database.transaction((transaction) => this.eraseBatch(transaction, customerId, from));
      pending += erased.pending;
      if (erased.lastId === null) return { isWhole: true, pending };
      if (!(await mayGoOn(done))) return { isWhole: false, pending };
      after = erased.lastId;
    }
  }
}
