import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { toJsonAmount } from '../../shared/money.js';
import { invalidField, Problem } from '../../shared/problem.js';
import type { AttemptEnd } from '../ledger/attempt.js';
import { isAuthorized } from '../ledger/capture.js';
import { LateCharges } from '../ledger/late-charges.service.js';
import type { OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { RefundOutcomes } from '../ledger/refunds/refund-outcomes.service.js';
import { SETTLEMENTS, type SettleOutcome, settledKind, type Settlement } from '../ledger/refunds/settlement.js';
import type { StatusChange } from '../ledger/status-change.js';
import { WaitingNotifications } from '../ledger/waiting-notifications.service.js';
import { isOutcomePending } from './charge-states.service.js';

/** The facts that a person found at the provider. */
export interface Settled {
  outcome: SettleOutcome;
  /** The captured or refunded amount, decimal text. */
  amount: string;
  /** The provider's id: of the transaction for a charge, of the operation otherwise. */
  providerId: string | undefined;
  reason: string;
}

const CAUSE = 'settled_by_operator';

/**
 * Closes an operation by hand. The payment follows along the transition table, a refund follows its operation, and the
 * other open operations of the attempt end with the charge. A charge that turns out to be captured after the payment's
 * end is reversed, as for every other report.
 */
@Injectable()
export class SettledOutcomes {
  constructor(
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
    private readonly refunds: RefundOutcomes,
    private readonly waiting: WaitingNotifications,
  ) {}

  /**
   * `payment`: locked in the transaction. Throws `operation_closed`, `illegal_status_change`, `validation_failed`; nothing
   * is written then.
   */
  async apply(transaction: Transaction, payment: PaymentRow, operation: OperationRow, settled: Settled): Promise<void> {
    const settlement = SETTLEMENTS[settledKind(operation)][settled.outcome]!;
    requireLegal(payment, operation, settlement, settled);
    await this.close(transaction, operation, settlement, settled);
    if (operation.kind === 'refund') return this.refundSettled(transaction, payment, operation, settlement, settled);
    if (settlement.to === null) return this.applyWaiting(transaction, payment);
    if (settlement.to !== 'completed') await this.closeOthers(transaction, operation, settled.outcome);
    const isEnded = !isOutcomePending(payment, operation.attempt);
    if (isEnded && settlement.to !== 'completed') return this.lateSettled(transaction, payment, operation, settlement);
    const change = changeOf(payment, operation, settlement.to, settled);
    await this.payments.changeStatus(payment.id, change, { in: transaction });
    if (settlement.to === 'completed') await this.closeCaptured(transaction, operation, settled);
  }

  private async close(
    transaction: Transaction,
    operation: OperationRow,
    { state }: Settlement,
    { outcome, reason, providerId }: Settled,
  ): Promise<void> {
    const providerOperationId = operation.kind === 'charge' ? undefined : providerId;
    const note = `settled as ${outcome}: ${reason}`;
    const isClosed = await this.operations.settle(transaction, operation, { state, reason: note, providerOperationId });
    if (!isClosed) throw closed(operation);
  }

  private async refundSettled(
    transaction: Transaction,
    payment: PaymentRow,
    operation: OperationRow,
    { state }: Settlement,
    { providerId: providerRefundId }: Settled,
  ): Promise<void> {
    if (settledKind(operation) === 'late_refund') {
      await this.lateCharges.reversed(transaction, payment);
      return this.applyWaiting(transaction, payment);
    }
    const report = { cause: CAUSE, providerRefundId } as const;
    const after =
      state === 'confirmed'
        ? await this.refunds.confirmed(transaction, payment, operation, report)
        : await this.refunds.refused(transaction, payment, operation, CAUSE, providerRefundId);
    await this.applyWaiting(transaction, after);
  }

  /** The attempt no longer decides the payment, which keeps its status: the provider holds nothing of it. */
  private async lateSettled(
    transaction: Transaction,
    payment: PaymentRow,
    { cause }: OperationRow,
    { to }: Settlement,
  ): Promise<void> {
    if (to === 'refunded' || cause === 'charged_after_end') await this.lateCharges.reversed(transaction, payment);
    await this.applyWaiting(transaction, payment);
  }

  /** Nothing is left to charge, to capture or to void. */
  private async closeOthers(
    transaction: Transaction,
    { payment_id: paymentId, attempt }: OperationRow,
    outcome: SettleOutcome,
  ): Promise<void> {
    const charged = outcome === 'refunded' ? 'confirmed' : 'refused';
    for (const [kind, state] of [
      ['charge', charged],
      ['capture', charged],
      ['void', 'confirmed'],
    ] as const) {
      const record = { state, lastAnswer: outcome, reason: `settled as ${outcome}` };
      await this.operations.close(transaction, { paymentId, attempt, kind }, record);
    }
  }

  /** The charge is done, nothing is left to void, and an open capture was this one or another. */
  private async closeCaptured(
    transaction: Transaction,
    { payment_id: paymentId, attempt }: OperationRow,
    { amount }: Settled,
  ): Promise<void> {
    const charge = { paymentId, attempt, kind: 'charge' } as const;
    await this.operations.close(transaction, charge, { state: 'confirmed', lastAnswer: 'captured' });
    const voided = { paymentId, attempt, kind: 'void' } as const;
    await this.operations.close(transaction, voided, { state: 'refused', lastAnswer: 'captured', reason: 'captured' });
    await this.operations.closeCapture(transaction, { paymentId, attempt, captured: amount });
  }

  /** Notifications that waited for the operation; a change of status applies them itself. */
  private async applyWaiting(transaction: Transaction, payment: PaymentRow): Promise<void> {
    await this.waiting.apply(transaction, payment);
  }
}

export const closed = ({ id, state }: OperationRow): Problem =>
  new Problem('operation_closed', { detail: `operation ${id} is ${state}` });

function changeOf(
  payment: PaymentRow,
  { attempt, kind }: OperationRow,
  to: 'completed' | 'failed' | 'cancelled' | 'refunded',
  { amount: capturedAmount, providerId }: Settled,
): StatusChange {
  const outcome = to === 'failed' ? 'declined' : to === 'cancelled' ? undefined : 'approved';
  // the attempt of an authorised payment was approved before
  const isKnown = isAuthorized(payment) && payment.attempt === attempt;
  const end: AttemptEnd | undefined =
    isKnown || outcome === undefined ? undefined : { number: attempt, outcome, declineCode: null };
  return {
    to,
    cause: CAUSE,
    ...(to === 'refunded' && { via: 'completed' }),
    ...((to === 'completed' || to === 'failed') && { via: 'processing' }),
    ...((to === 'completed' || to === 'refunded') && { capturedAmount }),
    ...(kind === 'charge' && providerId !== undefined && { providerTransactionId: providerId }),
    attempt,
    ...(end && { end }),
  };
}

/** The payment can follow, and the reversal of a late charge refunds the captured amount. */
function requireLegal(
  payment: PaymentRow,
  operation: OperationRow,
  { to }: Settlement,
  { outcome, amount, providerId }: Settled,
): void {
  const { id, status } = payment;
  const isDone = isCharged(payment, operation);
  if (isDone && to !== null && to !== 'completed') {
    const detail = `payment ${id} is ${status}; operation ${operation.id} cannot be settled as ${outcome}`;
    throw new Problem('illegal_status_change', { detail });
  }
  const known = operation.provider_transaction_id;
  if (operation.kind === 'charge' && providerId !== undefined && known !== null && known !== providerId) {
    throw invalidField('provider_transaction_id', `must be ${known}, the transaction of the attempt`);
  }
  if (to !== 'completed' || isOutcomePending(payment, operation.attempt)) return;
  const expected = isDone ? payment.amount_captured : payment.amount;
  if (Number(amount) === Number(expected)) return;
  const otherwise = isDone
    ? 'was captured'
    : 'the service can refund: refund it at the provider, then settle as refunded';
  throw invalidField('amount', `must be ${toJsonAmount(expected)}, the amount that ${otherwise}`);
}

/** The payment took the charge of the operation's attempt. Pure. */
export const isCharged = ({ attempt, status }: PaymentRow, operation: Pick<OperationRow, 'attempt'>): boolean =>
  attempt === operation.attempt && (status === 'completed' || status === 'refunded');
