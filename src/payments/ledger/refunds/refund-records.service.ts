import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../../../platform/database/database.js';
import { Clock } from '../../../shared/clock.js';
import { Problem } from '../../../shared/problem.js';
import { rescheduleErasure } from '../customer.js';
import type { PaymentRow } from '../payment.queries.js';
import type { RefundOrigin, RefundRow, RefundStatus } from './refund.js';
import {
  CREATE_REFUND,
  END_REFUND,
  FIND_BY_KEY,
  FIND_REFUND,
  LIST_OF_PAYMENT,
  SET_PROVIDER_REFUND_ID,
} from './refund.queries.js';

/** The `Idempotency-Key` of a request for a refund. */
export interface RefundKey {
  clientId: string;
  key: string;
  hash: Buffer;
}

export interface NewRefund {
  /** Decimal text. */
  amount: string;
  origin: RefundOrigin;
  status: RefundStatus;
  attempt: number;
  reason?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  providerRefundId?: string | null;
  key?: RefundKey | undefined;
  /** How much of the amount the payment does not count yet; absent: all of it. */
  uncounted?: string;
}

export interface RefundEnd {
  status: 'succeeded' | 'failed';
  failureCode?: string;
  providerRefundId?: string | null | undefined;
}

/** A refund that was written, with its payment as it is after that. */
interface WrittenRefund {
  refund: RefundRow;
  payment: PaymentRow;
}

type WrittenRow = RefundRow & { payment_amount_refunded: string; payment_updated_at: Date };

/**
 * The rows of `refunds`. Invariants: they are written under the lock of their payment; the payment counts a refund from
 * its creation to its failure (`amount_refunded`), so refunds never exceed the captured amount; refund, amount and event
 * are one statement. Reason and metadata may be personal, so the erasure of an erased customer runs again after a write.
 */
@Injectable()
export class RefundRecords {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Throws `refund_not_found`, also for a refund of another merchant. */
  async find(merchantId: number, refundId: number, on: Queryable = this.database): Promise<RefundRow> {
    const [refund] = await on.query<RefundRow>(FIND_REFUND, [merchantId, refundId]);
    if (!refund) throw new Problem('refund_not_found');
    return refund;
  }

  /** The refund that an earlier request with this key created. Throws `idempotency_key_reused` for another request. */
  async findByKey(on: Queryable, { clientId, key, hash }: RefundKey): Promise<RefundRow | undefined> {
    const [found] = await on.query<RefundRow & { request_hash: Buffer }>(FIND_BY_KEY, [clientId, key]);
    if (found && !found.request_hash.equals(hash)) throw new Problem('idempotency_key_reused');
    return found;
  }

  /** The refunds of a payment, oldest first, without reason and metadata. */
  list(paymentId: number, on: Queryable): Promise<RefundRow[]> {
    return on.query<RefundRow>(LIST_OF_PAYMENT, [paymentId]);
  }

  /** `payment`: locked, with at least this amount left to refund. */
  async create(transaction: Transaction, payment: PaymentRow, refund: NewRefund): Promise<WrittenRefund> {
    const { amount, status, reason, metadata, origin, providerRefundId, key, uncounted = amount, attempt } = refund;
    const [row] = await transaction.query<WrittenRow>(CREATE_REFUND, [
      payment.id,
      amount,
      status,
      reason ?? null,
      metadata ? JSON.stringify(metadata) : null,
      origin,
      providerRefundId ?? null,
      key?.clientId ?? null,
      key?.key ?? null,
      key?.hash ?? null,
      this.clock.now(),
      uncounted,
      attempt,
    ]);
    await rescheduleErasure(transaction, payment.customer);
    return writtenOf(row!, payment);
  }

  /** `payment`: locked. `null`: it had ended before. */
  async end(
    transaction: Transaction,
    payment: PaymentRow,
    { id }: RefundRow,
    { status, failureCode, providerRefundId }: RefundEnd,
  ): Promise<WrittenRefund | null> {
    const values = [payment.id, id, status, failureCode?.slice(0, 500) ?? null, providerRefundId ?? null];
    const [row] = await transaction.query<WrittenRow>(END_REFUND, [...values, this.clock.now()]);
    await rescheduleErasure(transaction, payment.customer);
    return row ? writtenOf(row, payment) : null;
  }

  /** Stores the provider's id, once. */
  async identify(
    transaction: Transaction,
    { id, payment_id: paymentId }: Pick<RefundRow, 'id' | 'payment_id'>,
    providerRefundId: string,
  ): Promise<void> {
    await transaction.query(SET_PROVIDER_REFUND_ID, [paymentId, id, providerRefundId]);
  }
}

function writtenOf(row: WrittenRow, payment: PaymentRow): WrittenRefund {
  const { payment_amount_refunded: refunded, payment_updated_at: updatedAt, ...refund } = row;
  return { refund, payment: { ...payment, amount_refunded: refunded, updated_at: updatedAt } };
}
