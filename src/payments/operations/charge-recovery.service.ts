import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { attemptEnd } from '../ledger/attempt.js';
import { isAuthorized } from '../ledger/capture.js';
import { chargeOf, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { changeByAnswer } from './charge-answer.js';
import { ChargeStates, isOutcomePending } from './charge-states.service.js';
import { NewCharges } from './new-charges.service.js';
import { ProviderCallsService } from './provider-calls.service.js';
import { isWithinWindow } from './repeat-window.js';

const wasApproved = (payment: PaymentRow, charge: OperationRow): boolean =>
  (payment.status === 'completed' || payment.status === 'refunded' || isAuthorized(payment)) &&
  payment.attempt === charge.attempt;

/**
 * Finds the outcome of a charge: by look-up, else by repeating it under its key, else by voiding it. A charge that
 * recovery finds declined is not sent to another shop, because no request waits for it any longer.
 */
@Injectable()
export class ChargeRecovery {
  constructor(
    private readonly database: Database,
    private readonly calls: ProviderCallsService,
    private readonly operations: OperationRecords,
    private readonly payments: PaymentsService,
    private readonly states: ChargeStates,
    private readonly charges: NewCharges,
  ) {}

  /** Returns the provider's answer, as a code. */
  async recover(charge: OperationRow): Promise<string> {
    const payment = await this.payments.find(charge.merchant_id, charge.payment_id);
    const lastAnswer = wasApproved(payment, charge)
      ? await this.confirmCompleted(charge, payment)
      : await this.ask(charge);
    await this.operations.reschedule(charge, lastAnswer);
    return lastAnswer;
  }

  private async ask(charge: OperationRow): Promise<string> {
    const { canLookUp, idempotencyWindowMs } = await this.calls.recoveryOf(charge);
    return canLookUp ? this.lookUp(charge) : this.repeatOrVoid(charge, idempotencyWindowMs);
  }

  /**
   * Closes the charge of a completed or authorised payment: a notification without a transaction id did it, or a process
   * of a version without operations, which stores no id. Only the id is looked up. A missing answer must not turn it into an
   * unknown charge that would be voided.
   */
  private async confirmCompleted(charge: OperationRow, payment: PaymentRow): Promise<string> {
    const mayAsk = payment.provider_transaction_id === null && (await this.calls.recoveryOf(charge)).canLookUp;
    const found = mayAsk ? await this.calls.lookup(charge) : undefined;
    if (found?.known === false) return 'no_answer';
    const transactionId = found && found.answer.status !== 'not_found' ? found.answer.transactionId : undefined;
    const { payment_id: paymentId, attempt } = charge;
    await this.database.transaction(async (transaction) => {
      const { status: to } = await this.payments.lock(transaction, paymentId);
      const confirmed = { paymentId, attempt, kind: 'charge' } as const;
      await this.operations.close(transaction, confirmed, { state: 'confirmed', lastAnswer: 'approved' });
      if (transactionId === undefined) return;
      const change = { to, cause: 'provider_lookup', attempt, providerTransactionId: transactionId } as const;
      await this.payments.changeStatus(paymentId, change, { in: transaction });
    });
    return 'approved';
  }

  private async lookUp(charge: OperationRow): Promise<string> {
    const found = await this.calls.lookup(charge);
    if (!found.known) return 'no_answer';
    await this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, charge.payment_id);
      await this.states.apply(transaction, payment, charge.attempt, found.answer);
    });
    return found.answer.status;
  }

  private async repeatOrVoid(charge: OperationRow, windowMs: number): Promise<string> {
    const payment = await this.payments.find(charge.merchant_id, charge.payment_id);
    const isCurrent = isOutcomePending(payment, charge.attempt);
    if (isCurrent && charge.state === 'pending') return 'processing'; // only a notification brings the outcome
    const undoing = (await this.operations.list(payment.id)).find(
      ({ attempt, kind, state }) => attempt === charge.attempt && kind === 'void' && state !== 'refused',
    );
    // a charge that is to be voided is repeated only after the provider has said that there is nothing to void
    const mayRepeat = undoing ? undoing.reason !== null : isCurrent;
    if (mayRepeat && isWithinWindow(charge, windowMs)) return this.repeat(payment, charge);
    if (!undoing) await this.void(charge, isCurrent);
    return 'not_asked';
  }

  private async repeat(payment: PaymentRow, charge: OperationRow): Promise<string> {
    const call = await this.calls.charge(payment, { ...charge, ...chargeOf(charge) }, this.charges.methodOf(charge));
    const answer = call.known ? call.answer : null;
    const end = attemptEnd(charge.attempt, answer, true);
    if (answer !== null && end.outcome !== 'unknown') {
      await this.payments.changeStatus(payment.id, changeByAnswer(end, answer));
      return answer.outcome;
    }
    await this.payments.recordUnknownOutcome(payment, end);
    return answer?.outcome ?? 'no_answer';
  }

  private async void(charge: OperationRow, isCurrent: boolean): Promise<void> {
    const cause = isCurrent ? 'expired' : 'charged_after_end';
    const operation = { paymentId: charge.payment_id, attempt: charge.attempt, kind: 'void', cause } as const;
    await this.database.transaction(async (transaction) => {
      await this.payments.lock(transaction, charge.payment_id);
      await this.operations.findOrCreate(transaction, { ...operation, executeNow: false });
    });
  }
}
