import { Injectable } from '@nestjs/common';
import { actorName, type AuditContext } from '../../audit/audit-context.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { idsWithin } from '../../platform/database/first-id-since.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { findByRowKey, makingRow, type RowKey, rowKey } from '../../platform/idempotency/row-key.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { amountError, toDecimalText } from '../../shared/money.js';
import { invalidField, Problem } from '../../shared/problem.js';
import type { RefundRequested, RequestFact } from '../money/state/fact.js';
import type { PaymentRow } from '../money/state/payment.js';
import { REFUND_STATUSES, type RefundRow } from '../money/state/refund.js';
import type { Applied } from '../store/money.service.js';
import { MoneyRequests } from './money-requests.service.js';
import { PaymentsService } from '../store/payments.service.js';
import {
  FIND_BY_KEY,
  FIND_REFUND,
  LIST_REFUNDS,
  LIST_REFUNDS_OF_PAYMENT,
  LIST_REFUNDS_OF_SHOP,
  REFUNDS_IN_TIME,
} from '../store/refund.queries.js';
import { OperationRunner } from '../work/operation-runner.service.js';
import { ProviderCallsService } from '../work/provider-calls.service.js';
import { requireNoRefusal } from './payment-actions.service.js';
import type { CreateRefundDto, RefundFilter, RefundPaymentDto } from './refunds.dto.js';

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
    private readonly reads: ReplicaReads,
    private readonly payments: PaymentsService,
    private readonly requests: MoneyRequests,
    private readonly runner: OperationRunner,
    private readonly calls: ProviderCallsService,
  ) {}

  /** Throws `refund_not_found`, also for a refund of another merchant. */
  async find(merchantId: number, refundId: number): Promise<RefundRow> {
    const [refund] = await this.database.query<RefundRow>(FIND_REFUND, [merchantId, refundId]);
    if (!refund) throw new Problem('refund_not_found');
    return refund;
  }

  /** Newest first. Refunds of other merchants never match. */
  async list(
    merchantId: number,
    { status, shopId, paymentId, from, to }: RefundFilter,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<RefundRow>> {
    const ids = await idsWithin(this.reads, REFUNDS_IN_TIME, { from, to });
    const below = Math.min(beforeId, ids.below);
    const values = [merchantId, status ?? REFUND_STATUSES, below, limit + 1, ids.from, from ?? null, to ?? null];
    const rows =
      paymentId !== undefined
        ? await this.reads.query<RefundRow>(LIST_REFUNDS_OF_PAYMENT, [...values, paymentId, shopId ?? null])
        : shopId !== undefined
          ? await this.reads.query<RefundRow>(LIST_REFUNDS_OF_SHOP, [...values, shopId])
          : await this.reads.query<RefundRow>(LIST_REFUNDS, values);
    return toPage(rows, limit);
  }

  /** Refunds of a payment, newest first. Throws `payment_not_found`. */
  async listByPayment(merchantId: number, paymentId: number, page: PageRequest): Promise<Page<RefundRow>> {
    await this.payments.find(merchantId, paymentId);
    return this.list(merchantId, { paymentId }, page);
  }

  /**
   * The refund after the provider's answer: `pending` without one. A repeat under the same key gets the same refund as it
   * is now. Throws `payment_not_found`, `illegal_status_change`, `refund_exceeds_captured`, `payment_disputed`, `validation_failed` and
   * `idempotency_key_reused`.
   */
  async create(
    merchantId: number,
    paymentId: number,
    request: CreateRefundDto,
    context: AuditContext,
    idempotencyKey?: string,
  ): Promise<{ refund: RefundRow; replayed: boolean }> {
    const payment = await this.payments.find(merchantId, paymentId);
    const { amount, reason, metadata } = request;
    const problem = amount === undefined ? undefined : amountError(amount, payment.currency);
    if (problem) throw invalidField('amount', problem);
    const key = rowKey({ merchantId, clientId: actorName(context) }, idempotencyKey, { paymentId, ...request });
    const fact = await this.factOf(payment, request, { reason, metadata, key }, false);
    const { calls, refundId, replayed } = await makingRow(KEY, () =>
      this.database.transaction((transaction) => this.record(transaction, paymentId, { fact, key, context })),
    );
    for (const operation of calls) await this.runner.run(operation).catch(() => undefined); // recovery continues
    return { refund: await this.find(merchantId, refundId!), replayed };
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
    request: RefundPaymentDto,
    context: AuditContext,
  ): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    if (payment.status === 'refunded') return payment;
    const fact = await this.factOf(payment, request, { reason: request.reason }, true);
    const { calls } = await this.requests.apply(paymentId, fact, context);
    for (const operation of calls) requireNoRefusal(await this.runner.run(operation));
    return this.payments.find(merchantId, paymentId);
  }

  private async record(
    transaction: Transaction,
    paymentId: number,
    { fact, key, context }: { fact: RequestFact; key: RowKey | undefined; context: AuditContext },
  ): Promise<Applied & { replayed: boolean }> {
    const payment = await this.payments.lock(transaction, paymentId);
    const repeated = key && (await findByRowKey<RefundRow>(transaction, FIND_BY_KEY, key));
    const wanted: RequestFact = repeated ? { about: 'request', what: 'repeat_refund', refund: repeated.id } : fact;
    return {
      ...(await this.requests.applyTo(transaction, payment, wanted, context)),
      replayed: repeated !== undefined,
    };
  }

  private async factOf(
    payment: PaymentRow,
    { amount, confirm }: Pick<CreateRefundDto, 'confirm'> & { amount?: number },
    fields: RefundRequested['fields'],
    isRest: boolean,
  ): Promise<RequestFact> {
    const { partialRefund: canRefundParts } = await this.calls.capabilitiesOf(payment);
    const wanted = amount === undefined ? undefined : toDecimalText(amount);
    const isConfirmed = confirm === true;
    return { about: 'request', what: 'refund', amount: wanted, canRefundParts, isConfirmed, isRest, fields };
  }
}
