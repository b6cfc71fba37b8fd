import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import type { ProviderState } from '../../providers/payment-provider.js';
import type { AttemptOutcome } from '../ledger/attempt.js';
import { LateCharges } from '../ledger/late-charges.service.js';
import { causeOfCancel } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { StatusChange, StatusChangeResult } from '../ledger/status-change.js';

type Held = Exclude<ProviderState, { status: 'not_found' }>;
type Change = Pick<StatusChange, 'to' | 'via'> & Partial<Pick<StatusChange, 'cause'>>;

/** Whether the payment still waits for what comes of this attempt. */
export const isAwaited = ({ status, attempt }: PaymentRow, number: number): boolean =>
  attempt === number && (status === 'pending' || status === 'processing');

/** Applies what a provider holds of an attempt, as it answers when it is asked. */
@Injectable()
export class ChargeStates {
  constructor(
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
  ) {}

  /** `payment`: locked in `transaction`. `null`: its status stays. The caller calls `afterCommit`. */
  async apply(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    state: ProviderState,
  ): Promise<StatusChangeResult | null> {
    switch (state.status) {
      case 'not_found':
        return this.notFound(transaction, payment, attempt);
      case 'open':
        return this.change(transaction, payment, attempt, state, { to: 'processing' }, 'processing');
      case 'captured':
        return this.charged(transaction, payment, attempt, state, { to: 'completed', via: 'processing' });
      case 'refunded':
        if (isAwaited(payment, attempt))
          return this.charged(transaction, payment, attempt, state, { to: 'refunded', via: 'completed' });
        await this.notTaken(transaction, payment, attempt, 'refunded');
        return null;
      case 'declined':
        return this.ended(transaction, payment, attempt, state, { to: 'failed', via: 'processing' }, 'declined');
      case 'voided':
        return this.ended(transaction, payment, attempt, state, await this.cancelled(transaction, payment, attempt));
    }
  }

  /** What the provider says is not taken, and never will be. */
  async notTaken(transaction: Transaction, payment: PaymentRow, attempt: number, reason: string): Promise<void> {
    const charge = { paymentId: payment.id, attempt, kind: 'charge' } as const;
    await this.operations.settle(transaction, charge, { state: 'refused', lastAnswer: reason, reason });
  }

  /** A call may still be on its way: what is over gets a void, which keeps a charge that arrives after it from being taken. */
  private async notFound(transaction: Transaction, payment: PaymentRow, attempt: number): Promise<null> {
    if (isAwaited(payment, attempt)) return null;
    const operation = { paymentId: payment.id, attempt, kind: 'void', cause: 'charged_after_end' } as const;
    await this.operations.put(transaction, { ...operation, isCarriedOut: false });
    return null;
  }

  private async charged(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    state: Held,
    change: Change,
  ): Promise<StatusChangeResult | null> {
    if (!(await this.lateCharges.isOurs(transaction, payment, attempt, state))) return null;
    return this.change(transaction, payment, attempt, state, change, 'approved');
  }

  /** Of a void whose answer got lost, or is still on its way, the cause is ours; of any other, what the provider says. */
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
  ): Promise<StatusChangeResult | null> {
    const result = isAwaited(payment, attempt)
      ? await this.change(transaction, payment, attempt, state, change, outcome)
      : null;
    await this.notTaken(transaction, payment, attempt, state.status);
    const voided = { paymentId: payment.id, attempt, kind: 'void' } as const;
    await this.operations.settle(transaction, voided, { state: 'confirmed', lastAnswer: state.status });
    return result;
  }

  private change(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    { transactionId, declineCode, nextAction, metadata }: Held,
    change: Change,
    outcome?: AttemptOutcome,
  ): Promise<StatusChangeResult> {
    const code = outcome === 'declined' ? (declineCode ?? null) : null;
    return this.payments.changeStatusIn(transaction, payment.id, {
      cause: 'provider_lookup',
      ...change,
      providerTransactionId: transactionId,
      providerMetadata: { ...metadata, ...(code !== null && { decline_code: code }) },
      ...(nextAction && { nextAction }),
      attempt,
      ...(outcome && { end: { number: attempt, outcome, declineCode: code } }),
    });
  }
}
