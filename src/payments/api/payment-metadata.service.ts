import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/access.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { Problem } from '../../shared/problem.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../store/payments.service.js';

/**
 * Shares the lock of the payment's customer, so that an erasure comes before, and is seen, or after, and deletes the new
 * metadata: $1 customer.
 */
const SHARE_CUSTOMER: Statement = {
  name: 'payments.share_customer',
  text: 'SELECT erased_at FROM customers WHERE id = $1 FOR SHARE',
};

/** $1 payment, $2 metadata, $3 now. A trigger changes the terms that a search finds it by. */
const SET_METADATA: Statement = {
  name: 'payments.set_metadata',
  text: `UPDATE payments SET metadata = $2::json, updated_at = greatest($3, updated_at + interval '1 ms') WHERE id = $1`,
};

/** Changes of the merchant's own facts about a payment. */
@Injectable()
export class PaymentMetadata {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /**
   * Replaces the metadata. Webhooks that are stored keep the metadata of their change. Throws `payment_not_found` and
   * `customer_erased`: an erasure would not delete metadata that is stored after it.
   */
  async replace(
    { merchantId }: Principal,
    paymentId: number,
    metadata: Record<string, unknown>,
    context: AuditContext,
  ): Promise<PaymentRow> {
    const { customer } = await this.payments.find(merchantId, paymentId);
    await this.database.transaction(async (transaction) => {
      const [owner] = await transaction.query<{ erased_at: Date | null }>(SHARE_CUSTOMER, [customer?.id ?? null]);
      if (owner && owner.erased_at !== null) throw new Problem('customer_erased');
      await transaction.query(SET_METADATA, [paymentId, JSON.stringify(metadata), this.clock.now()]);
      const entry = { merchantId, action: 'payment.updated', objectId: paymentId, fields: ['metadata'] } as const;
      await this.audit.record(transaction, context, entry);
    });
    return this.payments.find(merchantId, paymentId);
  }
}
