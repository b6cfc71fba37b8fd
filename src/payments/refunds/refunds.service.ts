import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/access.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { amountError, toDecimalText } from '../../shared/money.js';
import { invalidField } from '../../shared/problem.js';
import { isOpen, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import { requestHash } from '../idempotency/idempotency.service.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { amountLeft, isRefundOfPayment, type RefundRow } from '../ledger/refunds/refund.js';
import { type RefundKey, RefundRecords } from '../ledger/refunds/refund-records.service.js';
import { requireNoRefusal } from '../operations/payment-actions.service.js';
import { ProviderCallsService } from '../operations/provider-calls.service.js';
import { RefundRunner } from '../operations/refund-runner.service.js';
import { requireRefundable } from './refundable.js';
import type { CreateRefundDto } from './refunds.dto.js';

/** A refund, and its operation if the caller must call the provider now. */
interface RecordedRefund {
  refund: RefundRow;
  operation: OperationRow | undefined;
  replayed: boolean;
}

const KEY = 'refunds_idempotency_key';

/**
 * Refunds on request. Transaction 1, under the payment's lock, takes the amount off the remaining amount and records the refund
 * and its operation; then the provider is called; transaction 2 writes the outcome. A crash after transaction 1 leaves a
 * pending refund, which recovery or a repeat under the same key continues.
 */
@Injectable()
export class RefundsService {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly refunds: RefundRecords,
    private readonly runner: RefundRunner,
    private readonly calls: ProviderCallsService,
  ) {}

  /**
   * The refund after the provider's answer: `pending` without one. A repeat under the same key gets the same refund as it
   * is now. Throws `payment_not_found`, `illegal_status_change`, `refund_exceeds_captured`, `validation_failed` and
   * `idempotency_key_reused`.
   */
  async create(
    { merchantId, clientId }: Principal,
    paymentId: number,
    request: CreateRefundDto,
    idempotencyKey?: string,
  ): Promise<{ refund: RefundRow; replayed: boolean }> {
    const payment = await this.payments.find(merchantId, paymentId);
    const problem = request.amount === undefined ? undefined : amountError(request.amount, payment.currency);
    if (problem) throw invalidField('amount', problem);
    const key = idempotencyKey === undefined ? undefined : keyOf(clientId, idempotencyKey, paymentId, request);
    const { refund, operation, replayed } = await this.record(payment, request, key);
    if (operation) await this.runner.run(operation).catch(() => undefined); // recovery continues
    return { refund: await this.refunds.find(merchantId, refund.id), replayed };
  }

  /**
   * Refunds the remaining amount of a completed payment; a refunded payment is returned unchanged. Callers at once share one
   * refund. If nothing is left, the refunds that are under way are continued. The payment stays completed until the
   * provider reports the outcome. Throws `payment_not_found`, `illegal_status_change`, `provider_unconfirmed`,
   * `dependency_unavailable`.
   */
  async refundRest(merchantId: number, paymentId: number, reason: string | undefined): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    if (payment.status === 'refunded') return payment;
    const canRefundParts = await this.canRefundParts(payment);
    const operations = await this.database.transaction(async (transaction) => {
      const locked = await this.payments.lock(transaction, paymentId);
      if (locked.status === 'refunded') return [];
      const known = await this.operations.listOpen(paymentId, transaction);
      const amount = amountLeft(locked, known);
      if (locked.status === 'completed' && Number(amount) <= 0) return this.callAgain(transaction, known);
      requireRefundable(locked, { amount, left: amount, canRefundParts, isRest: true });
      return [(await this.insert(transaction, locked, { amount, reason })).operation!];
    });
    for (const operation of operations) requireNoRefusal(await this.runner.run(operation));
    return this.payments.find(merchantId, paymentId);
  }

  private async record(payment: PaymentRow, request: CreateRefundDto, key?: RefundKey): Promise<RecordedRefund> {
    const canRefundParts = await this.canRefundParts(payment);
    const run = () =>
      this.database.transaction((transaction) => this.recordIn(transaction, payment, request, canRefundParts, key));
    try {
      return await run();
    } catch (error) {
      // a request for another payment took the key between our check and our write: now the check finds it
      if (!isUniqueViolation(error, KEY)) throw error;
      return run();
    }
  }

  private async recordIn(
    transaction: Transaction,
    { id }: PaymentRow,
    { amount: requested, reason, metadata }: CreateRefundDto,
    canRefundParts: boolean,
    key?: RefundKey,
  ): Promise<RecordedRefund> {
    const payment = await this.payments.lock(transaction, id);
    const operations = await this.operations.listOpen(id, transaction);
    const repeated = key && (await this.refunds.findByKey(transaction, key));
    if (repeated) {
      const own = operations.filter(({ refund_id: refundId }) => refundId === repeated.id);
      const [operation] = await this.callAgain(transaction, own);
      return { refund: repeated, operation, replayed: true };
    }
    const left = amountLeft(payment, operations);
    const amount = requested === undefined ? left : toDecimalText(requested);
    requireRefundable(payment, { amount, left, canRefundParts, isRest: requested === undefined });
    return this.insert(transaction, payment, { amount, reason, metadata, key });
  }

  private async insert(
    transaction: Transaction,
    payment: PaymentRow,
    fields: Pick<CreateRefundDto, 'reason' | 'metadata'> & { amount: string; key?: RefundKey | undefined },
  ): Promise<RecordedRefund> {
    const { attempt } = payment;
    const created = { ...fields, attempt, origin: 'api', status: 'pending' } as const;
    const { refund } = await this.refunds.create(transaction, payment, created);
    return { refund, operation: await this.operations.createRefund(transaction, refund), replayed: false };
  }

  /** The refunds among the operations that are under way, each counted for one more call. */
  private async callAgain(transaction: Transaction, operations: readonly OperationRow[]): Promise<OperationRow[]> {
    const open = operations.filter((operation) => isRefundOfPayment(operation) && isOpen(operation));
    for (const operation of open) await this.operations.callAgain(transaction, operation);
    return open.map((operation) => ({ ...operation, key_calls: operation.key_calls + 1 }));
  }

  private async canRefundParts(payment: PaymentRow): Promise<boolean> {
    return (await this.calls.capabilitiesOf(payment)).partialRefund;
  }
}

const keyOf = (clientId: string, key: string, paymentId: number, request: CreateRefundDto): RefundKey => ({
  clientId,
  key,
  hash: requestHash({ paymentId, ...request }),
});
