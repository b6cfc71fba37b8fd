import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import type { ProviderState } from '../../providers/payment-provider.js';
import type { AttemptOutcome } from '../ledger/attempt.js';
import { LateCharges } from '../ledger/late-charges.service.js';
import { isAuthorized } from '../ledger/capture.js';
import { causeOfCancel, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { StatusChange } from '../ledger/status-change.js';

type Held = Exclude<ProviderState, { status: 'not_found' }>;
type Change = Pick<StatusChange, 'to' | 'via'> & Partial<Pick<StatusChange, 'cause' | 'authorized' | 'capturedAmount'>>;

/** Whether the payment still waits for the outcome of this attempt. */
export const isOutcomePending = ({ status, attempt }: PaymentRow, number: number): boolean =>
  attempt === number && (status === 'pending' || status === 'processing');

/** Applies the state of an attempt that a provider returned to a look-up. */
@Injectable()
export class ChargeStates {
  private readonly logger = new Logger(ChargeStates.name);

  constructor(
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
  ) {}

  /** `payment`: locked in `transaction`. */
  async apply(transaction: Transaction, payment: PaymentRow, attempt: number, state: ProviderState): Promise<void> {
    switch (state.status) {
      case 'not_found':
        return this.notFound(transaction, payment, attempt);
      case 'open':
        return this.change(transaction, payment, attempt, state, { to: 'processing' }, 'processing');
      case 'authorized':
        return this.authorized(transaction, payment, attempt, state);
      case 'captured':
        return this.charged(transaction, payment, attempt, state, { to: 'completed', via: 'processing' });
      case 'refunded':
        if (isOutcomePending(payment, attempt))
          return this.charged(transaction, payment, attempt, state, { to: 'refunded', via: 'completed' });
        return this.notCharged(transaction, payment, attempt, 'refunded');
      case 'declined':
        return this.ended(transaction, payment, attempt, state, { to: 'failed', via: 'processing' }, 'declined');
      case 'voided':
        return this.ended(transaction, payment, attempt, state, await this.cancelled(transaction, payment, attempt));
    }
  }

  /**
   * Applies a confirmed void or capture, or the reversal of a late charge. Returns whether that changed the payment, which is locked in
   * `transaction`.
   */
  async confirmed(transaction: Transaction, operation: OperationRow, payment: PaymentRow): Promise<boolean> {
    const { kind, cause, attempt } = operation;
    if (kind === 'capture') return this.captured(transaction, operation, payment);
    if (kind === 'void') await this.notCharged(transaction, payment, attempt, 'voided');
    if (cause === 'charged_after_end') {
      await this.lateCharges.reversed(transaction, payment);
      return false;
    }
    if (payment.attempt === attempt && payment.status === 'completed') {
      const msg = 'a provider voided a payment that it had reported as charged; check it at the provider';
      this.logger.error({ msg, paymentId: payment.id, attempt });
    }
    if (!isOutcomePending(payment, attempt)) return false;
    const change = { to: 'cancelled', cause: causeOfCancel(cause), attempt } as const;
    await this.payments.changeStatus(payment.id, change, { in: transaction });
    return true;
  }

  /** A capture of a payment that has ended meanwhile is reversed like a late charge. */
  private async captured(
    transaction: Transaction,
    { attempt, amount: capturedAmount }: OperationRow,
    payment: PaymentRow,
  ): Promise<boolean> {
    const change = { to: 'completed', cause: 'capture_requested', attempt, capturedAmount } as const;
    const { outcome } = await this.payments.changeStatus(payment.id, change, { in: transaction });
    const isLate = outcome === 'superseded' || payment.status === 'cancelled' || payment.status === 'failed';
    if (isLate) {
      const end = { number: attempt, outcome: 'approved', declineCode: null } as const;
      await this.lateCharges.reverse(transaction, payment, end, { capturedAmount });
    }
    return outcome === 'changed';
  }

  /** An automatic charge that is only authorised still waits for its outcome. */
  private async authorized(transaction: Transaction, payment: PaymentRow, attempt: number, state: Held): Promise<void> {
    if (payment.capture === 'automatic') {
      return this.change(transaction, payment, attempt, state, { to: 'processing' }, 'processing');
    }
    const authorized = { captureBefore: state.captureBefore };
    await this.charged(transaction, payment, attempt, state, { to: 'processing', authorized });
  }

  /** Closes a charge that, according to the provider, was not made and never will be. */
  async notCharged(transaction: Transaction, payment: PaymentRow, attempt: number, reason: string): Promise<void> {
    const charge = { paymentId: payment.id, attempt, kind: 'charge' } as const;
    await this.operations.close(transaction, charge, { state: 'refused', lastAnswer: reason, reason });
  }

  /**
   * Voids an ended attempt that the provider does not know. Its call may still be on its way, and a charge after the
   * void is refused.
   */
  private async notFound(transaction: Transaction, payment: PaymentRow, attempt: number): Promise<void> {
    if (isOutcomePending(payment, attempt)) return;
    const operation = { paymentId: payment.id, attempt, kind: 'void', cause: 'charged_after_end' } as const;
    await this.operations.findOrCreate(transaction, { ...operation, executeNow: false });
  }

  private async charged(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    state: Held,
    change: Change,
  ): Promise<void> {
    const { capturedAmount } = state;
    // less may be captured of an authorisation
    const isPart = payment.capture === 'manual' || change.to === 'processing' || capturedAmount === undefined;
    const reported = isPart ? state : { ...state, amount: capturedAmount };
    if (!(await this.lateCharges.hasSameAmount(transaction, payment, attempt, reported))) return;
    // the attempt of an authorised payment was approved before
    const outcome = isAuthorized(payment) && payment.attempt === attempt ? undefined : 'approved';
    const isCaptured = change.to !== 'processing' && payment.capture === 'manual' && capturedAmount !== undefined;
    const full = isCaptured ? { ...change, capturedAmount } : change;
    await this.change(transaction, payment, attempt, state, full, outcome);
    if (change.to !== 'processing') {
      const captured = capturedAmount ?? state.amount;
      await this.operations.closeCapture(transaction, { paymentId: payment.id, attempt, captured });
    }
  }

  /**
   * The cause is ours if one of our voids may have done it, even one without an answer; otherwise it is the provider's
   * report.
   */
  private async cancelled(transaction: Transaction, { id }: PaymentRow, attempt: number): Promise<Change> {
    const voids = (await this.operations.list(id, transaction)).filter(
      (row) => row.attempt === attempt && row.kind === 'void' && row.state !== 'refused',
    );
    return { to: 'cancelled', ...(voids[0] && { cause: causeOfCancel(voids[0].cause) }) };
  }

  private async ended(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    state: Held,
    change: Change,
    outcome?: AttemptOutcome,
  ): Promise<void> {
    if (isOutcomePending(payment, attempt)) await this.change(transaction, payment, attempt, state, change, outcome);
    await this.notCharged(transaction, payment, attempt, state.status);
    const voided = { paymentId: payment.id, attempt, kind: 'void' } as const;
    await this.operations.close(transaction, voided, { state: 'confirmed', lastAnswer: state.status });
    const captured = { paymentId: payment.id, attempt, kind: 'capture' } as const;
    await this.operations.close(transaction, captured, {
      state: 'refused',
      lastAnswer: state.status,
      reason: state.status,
    });
  }

  private async change(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    { transactionId, declineCode, nextAction, metadata }: Held,
    change: Change,
    outcome?: AttemptOutcome,
  ): Promise<void> {
    const code = outcome === 'declined' ? (declineCode ?? null) : null;
    const full: StatusChange = {
      cause: 'provider_lookup',
      ...change,
      providerTransactionId: transactionId,
      providerMetadata: { ...metadata, ...(code !== null && { decline_code: code }) },
      ...(nextAction && { nextAction }),
      attempt,
      ...(outcome && { end: { number: attempt, outcome, declineCode: code } }),
    };
    await this.payments.changeStatus(payment.id, full, { in: transaction });
  }
}
