import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { amountError, toDecimalText } from '../../shared/money.js';
import { invalidField, Problem } from '../../shared/problem.js';
import { captureOf, isAuthorized, isBeingVoided } from '../ledger/capture.js';
import type { OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { OperationRunner } from './operation-runner.service.js';
import { requireNoRefusal } from './payment-actions.service.js';
import { ProviderCallsService } from './provider-calls.service.js';

/** Captures of authorised payments, one per payment. */
@Injectable()
export class PaymentCaptures {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly runner: OperationRunner,
    private readonly calls: ProviderCallsService,
  ) {}

  /**
   * Captures `amount`, or all that is authorised. The payment is completed when the provider confirms. Repeats with the
   * same amount, and captures at once, reach the provider under one idempotency key; a captured payment is returned
   * unchanged. Throws `payment_not_found`, `validation_failed`, `illegal_status_change`, `capture_already_made`,
   * `provider_unconfirmed`, `dependency_unavailable`.
   */
  async capture(merchantId: number, paymentId: number, amount: number | undefined): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    const error = amount === undefined ? undefined : amountError(amount, payment.currency);
    if (error) throw invalidField('amount', error);
    const { partialCapture } = await this.calls.capabilitiesOf(payment);
    const operation = await this.record(payment.id, amount, partialCapture);
    if (operation.state !== 'confirmed') requireNoRefusal(await this.runner.run(operation));
    return this.payments.find(merchantId, paymentId);
  }

  /** The new capture, or the one under way or done, which keeps its key and amount. */
  private record(paymentId: number, amount: number | undefined, canCaptureParts: boolean): Promise<OperationRow> {
    const asked = amount === undefined ? undefined : toDecimalText(amount);
    return this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, paymentId);
      const { id, attempt, amount_authorized: held } = payment;
      const operations = await this.operations.list(id, transaction);
      const earlier = captureOf(operations, attempt);
      if (earlier) requireSameAmount(earlier, asked);
      else if (!isAuthorized(payment)) throw notAuthorized(payment);
      else if (isBeingVoided(operations, attempt)) throw isVoided(payment);
      else if (amount !== undefined) requireCapturable(payment, amount, canCaptureParts);
      if (earlier?.state === 'confirmed') return earlier;
      return this.operations.findOrCreateCapture(transaction, { paymentId: id, attempt, amount: asked ?? held });
    });
  }
}

/** Throws `validation_failed` for more than the authorised amount, and for a part that the provider cannot capture. */
function requireCapturable(payment: PaymentRow, amount: number, canCaptureParts: boolean): void {
  const held = Number(payment.amount_authorized);
  if (amount > held) throw invalidField('amount', `must be at most the authorised ${held}`);
  if (amount === held || canCaptureParts) return;
  throw invalidField('amount', `must be the authorised ${held}: ${payment.payment_provider} captures no part of it`);
}

function requireSameAmount({ payment_id: id, amount, currency, state }: OperationRow, asked: string | undefined): void {
  if (asked === undefined || Number(asked) === Number(amount)) return;
  const done = state === 'confirmed' ? 'was captured with' : 'is being captured with';
  throw new Problem('capture_already_made', {
    detail: `payment ${id} ${done} ${Number(amount)} ${currency}; one capture is possible, and it releases the rest`,
  });
}

const notAuthorized = ({ id, status }: PaymentRow): Problem =>
  new Problem('illegal_status_change', { detail: `payment ${id} is ${status} and has nothing to capture` });

const isVoided = ({ id }: PaymentRow): Problem =>
  new Problem('illegal_status_change', { detail: `payment ${id} is being cancelled` });
