import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { attemptEnd } from '../ledger/attempt.js';
import type { OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { changeByAnswer } from './charge-answer.js';
import { ChargeStates, isAwaited } from './charge-states.service.js';
import { NewCharges } from './new-charges.service.js';
import { ProviderCallsService } from './provider-calls.service.js';

/** Before the end of a provider's window its clock may already be beyond it. */
const WINDOW_MARGIN_MS = 60_000;

/** Whether a repeat under the operation's key gets the first call's answer, and charges at most once. */
export const isWithinWindow = ({ created_at: createdAt }: OperationRow, idempotencyWindowMs: number): boolean =>
  Date.now() < createdAt.getTime() + idempotencyWindowMs - WINDOW_MARGIN_MS;

/**
 * Finds out what became of a charge whose outcome is open: by asking, else by repeating it under its key, else by voiding
 * it. No further shop is asked for a charge that recovery finds declined: nobody waits for the answer any more.
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

  /** Answers one word: what the provider said. */
  async recover(charge: OperationRow): Promise<string> {
    if (await this.isCompletedByIt(charge)) return 'approved';
    const { canLookUp, idempotencyWindowMs } = await this.calls.recoveryOf(charge);
    const lastAnswer = canLookUp ? await this.look(charge) : await this.repeatOrVoid(charge, idempotencyWindowMs);
    await this.operations.reschedule(charge, lastAnswer);
    return lastAnswer;
  }

  /**
   * Processes of a version before operations complete payments and know no operations: such a charge is settled as what it
   * is. Asking could make it one that nobody knows, and so one to void.
   */
  private async isCompletedByIt({
    merchant_id: merchantId,
    payment_id: paymentId,
    attempt,
  }: OperationRow): Promise<boolean> {
    const payment = await this.payments.find(merchantId, paymentId);
    const isTaken = payment.status === 'completed' || payment.status === 'refunded';
    if (!isTaken || payment.attempt !== attempt) return false;
    const charge = { paymentId, attempt, kind: 'charge' } as const;
    await this.database.transaction(async (transaction) => {
      await this.payments.lock(transaction, paymentId);
      await this.operations.settle(transaction, charge, { state: 'confirmed', lastAnswer: 'approved' });
    });
    return true;
  }

  private async look(charge: OperationRow): Promise<string> {
    const looked = await this.calls.lookup(charge);
    if (!looked.known) return 'no_answer';
    const result = await this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, charge.payment_id);
      return this.states.apply(transaction, payment, charge.attempt, looked.answer);
    });
    if (result) this.payments.afterCommit(result);
    return looked.answer.status;
  }

  private async repeatOrVoid(charge: OperationRow, windowMs: number): Promise<string> {
    const payment = await this.payments.find(charge.merchant_id, charge.payment_id);
    const isCurrent = isAwaited(payment, charge.attempt);
    if (isCurrent && charge.state === 'pending') return 'processing'; // only a notification tells
    const undoing = (await this.operations.list(payment.id)).find(
      ({ attempt, kind, state }) => attempt === charge.attempt && kind === 'void' && state !== 'refused',
    );
    // what is to be voided is charged once more only where the provider says that there is nothing to void
    const mayRepeat = undoing ? undoing.reason !== null : isCurrent;
    if (mayRepeat && isWithinWindow(charge, windowMs)) return this.repeat(payment, charge);
    if (!undoing) await this.void(charge, isCurrent);
    return 'not_asked';
  }

  private async repeat(payment: PaymentRow, charge: OperationRow): Promise<string> {
    const call = await this.calls.charge(
      payment,
      { ...charge, idempotencyKey: charge.idempotency_key },
      this.charges.tokenOf(charge),
    );
    const answer = call.known ? call.answer : null;
    const end = attemptEnd(charge.attempt, answer, true);
    if (answer !== null && end.outcome !== 'unknown') {
      await this.payments.changeStatus(payment.id, changeByAnswer(end, answer));
      return answer.outcome;
    }
    await this.payments.leaveOpen(payment, end);
    return answer?.outcome ?? 'no_answer';
  }

  private async void(charge: OperationRow, isCurrent: boolean): Promise<void> {
    const cause = isCurrent ? 'expired' : 'charged_after_end';
    const operation = { paymentId: charge.payment_id, attempt: charge.attempt, kind: 'void', cause } as const;
    await this.database.transaction(async (transaction) => {
      await this.payments.lock(transaction, charge.payment_id);
      await this.operations.put(transaction, { ...operation, isCarriedOut: false });
    });
  }
}
