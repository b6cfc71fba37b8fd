import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/access.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { amountError, toDecimalText } from '../../shared/money.js';
import { invalidField, Problem } from '../../shared/problem.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../store/payments.service.js';
import { isOpen, type OperationRow } from '../money/state/operation.js';
import { OperationRecords } from '../store/operation-records.service.js';
import { OperationOutcomes } from '../work/operation-outcomes.service.js';
import { illegalChange } from '../money/rules/request.js';
import { MoneyRequests } from './money-requests.service.js';
import { OperationRunner, type RunOutcome } from '../work/operation-runner.service.js';
import { ProviderCallsService } from '../work/provider-calls.service.js';

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

/** Cancels payments before their outcome, captures authorised ones, once, and asks for outcomes now; changes metadata. */
@Injectable()
export class PaymentActionsService {
  constructor(
    private readonly payments: PaymentsService,
    private readonly requests: MoneyRequests,
    private readonly runner: OperationRunner,
    private readonly calls: ProviderCallsService,
    private readonly operations: OperationRecords,
    private readonly outcomes: OperationOutcomes,
    private readonly database: Database,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /**
   * Cancels a pending payment at once, and records a void that is tried until the provider confirms it. A payment in
   * processing is cancelled only when the provider confirms, and not while it is captured. A cancelled payment is returned unchanged. Throws
   * `payment_not_found`, `illegal_status_change`, `provider_unconfirmed`, `dependency_unavailable`.
   */
  async cancel(merchantId: number, paymentId: number, context: AuditContext): Promise<PaymentRow> {
    await this.payments.find(merchantId, paymentId);
    const { payment, calls } = await this.requests.apply(paymentId, { about: 'request', what: 'cancel' }, context);
    const [operation] = calls;
    if (!operation) return payment;
    if (payment.status === 'cancelled') {
      await this.runner.run(operation).catch(() => undefined); // recovery continues
      return payment;
    }
    requireNoRefusal(await this.runner.run(operation));
    const now = await this.payments.find(merchantId, paymentId);
    if (now.status !== 'cancelled' && now.status !== payment.status) throw illegalChange(now, 'cancelled');
    return now;
  }

  /**
   * Captures `amount`, or all that is authorised. The payment is completed when the provider confirms. Repeats with the
   * same amount, and captures at once, reach the provider under one idempotency key; a captured payment is returned
   * unchanged. Throws `payment_not_found`, `validation_failed`, `illegal_status_change`, `capture_already_made`,
   * `provider_unconfirmed`, `dependency_unavailable`.
   */
  async capture(
    merchantId: number,
    paymentId: number,
    amount: number | undefined,
    context: AuditContext,
  ): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    const error = amount === undefined ? undefined : amountError(amount, payment.currency);
    if (error) throw invalidField('amount', error);
    const { partialCapture: canCaptureParts } = await this.calls.capabilitiesOf(payment);
    const asked = amount === undefined ? undefined : toDecimalText(amount);
    const fact = { about: 'request', what: 'capture', amount: asked, canCaptureParts } as const;
    const { calls } = await this.requests.apply(paymentId, fact, context);
    for (const operation of calls) requireNoRefusal(await this.runner.run(operation));
    return this.payments.find(merchantId, paymentId);
  }

  /**
   * Asks the provider about every open operation of the payment, also stopped ones, and returns the payment after that. A charge
   * whose first call is still under way is skipped. Throws `payment_not_found`, and `dependency_unavailable` if the provider
   * does not answer.
   */
  async sync(merchantId: number, paymentId: number): Promise<PaymentRow> {
    await this.payments.find(merchantId, paymentId);
    const findings: string[] = [];
    for (const operation of (await this.operations.list(paymentId)).filter(isOpen)) {
      const taken = this.isFirstCall(operation) ? undefined : await this.operations.take(operation);
      if (taken) findings.push(await this.outcomes.recover(taken));
    }
    if (findings.includes('no_answer') || findings.includes('unknown')) throw noAnswer();
    return this.payments.find(merchantId, paymentId);
  }

  /**
   * Replaces the metadata. Webhooks that are stored keep the metadata of their change. Throws `payment_not_found` and
   * `customer_erased`: an erasure would not delete metadata that is stored after it.
   */
  async replaceMetadata(
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

  private isFirstCall({ kind, state, age_ms: ageMs }: OperationRow): boolean {
    return kind === 'charge' && state === 'open' && ageMs < this.operations.chargeLeaseMs;
  }
}

export function requireNoRefusal(outcome: RunOutcome): void {
  if (outcome.outcome === 'unknown') throw noAnswer();
  if (outcome.outcome === 'refused') throw new Problem('provider_unconfirmed', { detail: outcome.reason });
}

const noAnswer = (): Problem =>
  new Problem('dependency_unavailable', {
    detail: 'the provider gave no answer; it is asked again until it answers, and repeating the request is safe',
  });
