import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/access.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { findByRowKey, makingRow, type RowKey, rowKey } from '../../platform/idempotency/row-key.js';
import { amountError, toDecimalText } from '../../shared/money.js';
import { invalidField } from '../../shared/problem.js';
import type { OperationRow } from '../money/state/operation.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { RefundRequested, RequestFact } from '../money/state/fact.js';
import type { RefundRow } from '../money/state/refund.js';
import { OperationRunner } from '../operations/operation-runner.service.js';
import { MoneyService } from '../store/money.service.js';
import { requireNoRefusal } from '../operations/payment-actions.service.js';
import { ProviderCallsService } from '../operations/provider-calls.service.js';
import { FIND_BY_KEY } from '../ledger/refund.queries.js';
import { RefundRecords } from './refund-records.service.js';
import type { CreateRefundDto } from './refunds.dto.js';

/** A refund, and its operation if the caller must call the provider now. */
interface RecordedRefund {
  refundId: number;
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
    private readonly money: MoneyService,
    private readonly refunds: RefundRecords,
    private readonly runner: OperationRunner,
    private readonly calls: ProviderCallsService,
  ) {}

  /**
   * The refund after the provider's answer: `pending` without one. A repeat under the same key gets the same refund as it
   * is now. Throws `payment_not_found`, `illegal_status_change`, `refund_exceeds_captured`, `payment_disputed`, `validation_failed` and
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
    const key = rowKey({ merchantId, clientId }, idempotencyKey, { paymentId, ...request });
    const { refundId, operation, replayed } = await this.record(payment, request, key);
    if (operation) await this.runner.run(operation).catch(() => undefined); // recovery continues
    return { refund: await this.refunds.find(merchantId, refundId), replayed };
  }

  /**
   * Refunds the remaining amount of a completed payment; a refunded payment is returned unchanged. Callers at once share one
   * refund. If nothing is left, the refunds that are under way are continued. The payment stays completed until the
   * provider reports the outcome. Throws `payment_not_found`, `illegal_status_change`, `payment_disputed`, `provider_unconfirmed`,
   * `dependency_unavailable`.
   */
  async refundRest(
    merchantId: number,
    paymentId: number,
    { reason, confirm }: Pick<CreateRefundDto, 'reason' | 'confirm'>,
  ): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    if (payment.status === 'refunded') return payment;
    const fact = await this.factOf(payment, { confirm }, { reason }, true);
    const { calls } = await this.money.apply(paymentId, fact);
    for (const operation of calls) requireNoRefusal(await this.runner.run(operation));
    return this.payments.find(merchantId, paymentId);
  }

  private async record(payment: PaymentRow, request: CreateRefundDto, key?: RowKey): Promise<RecordedRefund> {
    const { reason, metadata } = request;
    const fact = await this.factOf(payment, request, { reason, metadata, key }, false);
    return makingRow(KEY, () =>
      this.database.transaction((transaction) => this.recordIn(transaction, payment, fact, key)),
    );
  }

  private async recordIn(
    transaction: Transaction,
    { id }: PaymentRow,
    fact: RequestFact,
    key?: RowKey,
  ): Promise<RecordedRefund> {
    const payment = await this.payments.lock(transaction, id);
    const repeated = key && (await findByRowKey<RefundRow>(transaction, FIND_BY_KEY, key));
    const wanted: RequestFact = repeated ? { about: 'request', what: 'repeat_refund', refund: repeated.id } : fact;
    const { calls, refundId } = await this.money.applyTo(transaction, payment, wanted);
    return { refundId: refundId!, operation: calls[0], replayed: repeated !== undefined };
  }

  private async factOf(
    payment: PaymentRow,
    { amount, confirm }: Pick<CreateRefundDto, 'amount' | 'confirm'>,
    fields: RefundRequested['fields'],
    isRest: boolean,
  ): Promise<RequestFact> {
    return {
      about: 'request',
      what: 'refund',
      amount: amount === undefined ? undefined : toDecimalText(amount),
      canRefundParts: await this.canRefundParts(payment),
      isConfirmed: confirm === true,
      isRest,
      fields,
    };
  }

  private async canRefundParts(payment: PaymentRow): Promise<boolean> {
    return (await this.calls.capabilitiesOf(payment)).partialRefund;
  }
}
