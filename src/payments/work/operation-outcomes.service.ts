import { Injectable } from '@nestjs/common';
import { OperationRecords } from '../store/operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../store/payments.service.js';
import { attemptEnd, type KnownEnd } from '../money/state/attempt.js';
import { factOfState } from '../money/state/call-fact.js';
import type { ChargeFact } from '../money/state/fact.js';
import { chargeOf, type OperationRow } from '../money/state/operation.js';
import { isAuthorized, isOutcomePending } from '../money/state/state.js';
import { MoneyService } from '../store/money.service.js';
import { factOfRepeat, NewCharges } from './new-charges.service.js';
import { OperationRunner } from './operation-runner.service.js';
import { ProviderCallsService } from './provider-calls.service.js';
import { isWithinWindow } from '../../providers/calls/call-rules.js';

const wasApproved = (payment: PaymentRow, charge: OperationRow): boolean =>
  (payment.status === 'completed' || payment.status === 'refunded' || isAuthorized(payment)) &&
  payment.attempt === charge.attempt;

/**
 * Finds the outcomes of open operations. That of a charge: by look-up, else by repeating it under its key, else by voiding it. A charge that
 * recovery finds declined is not sent to another shop, because no request waits for it any longer.
 */
@Injectable()
export class OperationOutcomes {
  constructor(
    private readonly calls: ProviderCallsService,
    private readonly operations: OperationRecords,
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
    private readonly charges: NewCharges,
    private readonly runner: OperationRunner,
  ) {}

  /** Returns the finding, as a code: the provider's answer or state. */
  async recover(operation: OperationRow): Promise<string> {
    if (operation.kind === 'charge') return this.recoverCharge(operation);
    const { outcome } = await this.runner.run(operation);
    if (outcome === 'pending') await this.operations.reschedule(operation, outcome);
    return outcome;
  }

  private async recoverCharge(charge: OperationRow): Promise<string> {
    const payment = await this.payments.find(charge.merchant_id, charge.payment_id);
    const lastAnswer = wasApproved(payment, charge)
      ? await this.confirmCompleted(charge, payment)
      : await this.ask(charge, payment);
    await this.operations.reschedule(charge, lastAnswer);
    return lastAnswer;
  }

  private async ask(charge: OperationRow, payment: PaymentRow): Promise<string> {
    if (await this.calls.canLookUp(charge)) return this.lookUp(charge, payment);
    const { idempotencyWindowMs } = await this.calls.capabilitiesOf(charge);
    return this.repeatOrVoid(charge, payment, idempotencyWindowMs);
  }

  /**
   * Closes the charge of a completed or authorised payment: a notification without a transaction id did it. Only the id is
   * looked up. A missing answer must not turn it into an unknown charge that would be voided.
   */
  private async confirmCompleted(charge: OperationRow, payment: PaymentRow): Promise<string> {
    const mayAsk = payment.provider_transaction_id === null && (await this.calls.canLookUp(charge));
    const found = mayAsk ? await this.calls.lookup(charge) : undefined;
    if (found?.known === false) return 'no_answer';
    const transactionId = found && found.answer.status !== 'not_found' ? found.answer.transactionId : undefined;
    await this.money.apply(payment.id, factAbout(charge, 'identified', { transactionId }));
    return 'approved';
  }

  private async lookUp(charge: OperationRow, payment: PaymentRow): Promise<string> {
    const found = await this.calls.lookup(charge);
    if (!found.known) return 'no_answer';
    const { answer, capturesLater } = found;
    const fact = factOfState(answer, charge.attempt, payment.capture, payment.amount_refunded, capturesLater);
    await this.money.apply(payment.id, fact);
    return answer.status;
  }

  private async repeatOrVoid(charge: OperationRow, payment: PaymentRow, windowMs: number): Promise<string> {
    const isCurrent = isOutcomePending(payment, charge.attempt);
    if (isCurrent && charge.state === 'pending') return 'processing'; // only a notification brings the outcome
    const undoing = (await this.operations.list(payment.id)).find(
      ({ attempt, kind, state }) => attempt === charge.attempt && kind === 'void' && state !== 'refused',
    );
    // a charge that is to be voided is repeated only after the provider has said that there is nothing to void
    const mayRepeat = undoing ? undoing.reason !== null : isCurrent;
    if (mayRepeat && isWithinWindow(charge, windowMs)) return this.repeat(payment, charge);
    if (!undoing) await this.void(charge);
    return 'not_asked';
  }

  private async repeat(payment: PaymentRow, charge: OperationRow): Promise<string> {
    const named = { ...charge, ...chargeOf(charge) };
    const call = await this.calls.charge(payment, named, this.charges.inputOf(charge), { isRepeat: true });
    const answer = call.known ? call.answer : null;
    const end = attemptEnd(charge.attempt, answer, true);
    if (answer === null || end.outcome === 'unknown') {
      await this.money.apply(payment.id, factAbout(charge, 'unknown', { end }));
      return answer?.outcome ?? 'no_answer';
    }
    const fact = await factOfRepeat(this.calls, named, payment, end as KnownEnd, answer);
    if (!fact) return 'no_answer';
    await this.money.apply(payment.id, fact);
    return answer.outcome;
  }

  private async void(charge: OperationRow): Promise<void> {
    await this.money.apply(charge.payment_id, factAbout(charge, 'lost'));
  }
}

const factAbout = (
  { attempt }: OperationRow,
  status: ChargeFact['status'],
  more: Partial<ChargeFact> = {},
): ChargeFact => ({ about: 'charge', source: 'look_up', attempt, status, ...more });
