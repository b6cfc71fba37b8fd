import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { OperationAnswer, ProviderState } from '../../providers/payment-provider.js';
import { mustReverse, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { WaitingNotifications } from '../ledger/waiting-notifications.service.js';
import { ChargeStates, isOutcomePending } from './charge-states.service.js';
import { ProviderCallsService, type ProviderOutcome } from './provider-calls.service.js';
import { isWithinWindow } from './repeat-window.js';

/** `unknown`: the call was not answered; recovery goes on with it. */
export type RunOutcome = { outcome: 'confirmed' | 'pending' | 'unknown' } | { outcome: 'refused'; reason: string };

const UNKNOWN: RunOutcome = { outcome: 'unknown' };
const PENDING: RunOutcome = { outcome: 'pending' };

/**
 * Carries out voids and refunds that are on record: calls the provider, and writes its answer and what that makes of the
 * payment in one transaction. May run twice at once: the provider takes a key once, and what is settled is not settled again.
 * What nobody may give up on, the reversal of what a payment must not keep, is asked for again under another key after a
 * refusal, for as long as the provider does not say that nothing is held. A provider that was away says nothing of an
 * earlier call under the same key: then the outcome stays unknown, and the key.
 */
@Injectable()
export class OperationRunner {
  constructor(
    private readonly database: Database,
    private readonly calls: ProviderCallsService,
    private readonly operations: OperationRecords,
    private readonly payments: PaymentsService,
    private readonly states: ChargeStates,
    private readonly waiting: WaitingNotifications,
  ) {}

  async run(operation: OperationRow): Promise<RunOutcome> {
    const payment = await this.payments.find(operation.merchant_id, operation.payment_id);
    if (isObsolete(operation, payment)) return this.refuse(operation, 'the payment has its outcome');
    const earlier = await this.outcomeOfEarlierCalls(operation, payment);
    if (earlier) return earlier;
    const answer = await (operation.kind === 'void' ? this.calls.void(operation) : this.calls.refund(operation));
    return this.record(operation, payment, answer);
  }

  /** What is there from earlier calls; `null`: nothing that another call could repeat, and the call is to be made. */
  private async outcomeOfEarlierCalls(operation: OperationRow, payment: PaymentRow): Promise<RunOutcome | null> {
    const isPending = operation.state === 'pending';
    const refund = wasCalled(operation) ? await this.calls.lookupRefund(operation) : undefined;
    if (refund?.known) {
      const { answer } = refund;
      return answer.outcome === 'not_found' ? null : this.record(operation, payment, { known: true, answer });
    }
    const isTooOld = !isPending && (await this.isTooOldToRepeat(operation));
    if (refund) return isTooOld ? this.recordUnknownOutcome(operation, 'no_answer') : isPending ? PENDING : null;
    const held = isPending || isTooOld ? await this.lookUp(operation) : null;
    return held ?? (isPending ? PENDING : null);
  }

  /** The provider would take the key for a new one. */
  private async isTooOldToRepeat(operation: OperationRow): Promise<boolean> {
    if (operation.tries <= 1) return false;
    const { idempotencyWindowMs } = await this.calls.recoveryOf(operation);
    return !isWithinWindow(operation, idempotencyWindowMs);
  }

  private async record(
    operation: OperationRow,
    payment: PaymentRow,
    outcome: ProviderOutcome<OperationAnswer>,
  ): Promise<RunOutcome> {
    if (!outcome.known) return this.recordUnknownOutcome(operation, 'no_answer');
    const { answer } = outcome;
    if (answer.outcome === 'confirmed') return this.confirm(operation, 'confirmed', answer.operationId);
    if (answer.outcome === 'pending') return this.pending(operation, answer.operationId);
    const { reason, isUnavailable = false, operationId } = answer;
    if (!mustReverse(operation, payment.status)) return this.refuse(operation, reason, isUnavailable, operationId);
    return (await this.lookUp(operation)) ?? this.retryUnderNewKey(operation, reason, isUnavailable);
  }

  /** What the provider said of the id before it was known here has waited for it. */
  private async pending(operation: OperationRow, providerOperationId: string): Promise<RunOutcome> {
    const isKnown = operation.state === 'pending' && operation.provider_operation_id === providerOperationId;
    if (isKnown) return PENDING;
    await this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, operation.payment_id);
      const record = { state: 'pending', lastAnswer: 'pending', providerOperationId } as const;
      await this.operations.record(transaction, operation, record);
      await this.waiting.apply(transaction, payment);
    });
    return PENDING;
  }

  /** What the provider holds settles it; `null`: it does not. */
  private async lookUp(operation: OperationRow): Promise<RunOutcome | null> {
    const looked = await this.calls.lookup(operation);
    if (!looked.known) return null;
    const state = looked.answer;
    if (state.status === 'captured') return operation.kind === 'void' ? this.captured(operation, state) : null;
    return state.status === 'open' ? null : this.confirm(operation, state.status);
  }

  /** There is nothing to void any more: the charge was taken, and the payment goes on with that or gives it back. */
  private async captured(operation: OperationRow, state: ProviderState): Promise<RunOutcome> {
    await this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, operation.payment_id);
      const record = { state: 'refused', lastAnswer: 'captured', reason: 'captured' } as const;
      await this.operations.record(transaction, operation, record);
      await this.states.apply(transaction, payment, operation.attempt, state);
    });
    return { outcome: 'refused', reason: 'the provider has charged the payment' };
  }

  private async refuse(
    operation: OperationRow,
    reason: string,
    isUnavailable = false,
    providerOperationId?: string,
  ): Promise<RunOutcome> {
    const record = { state: 'refused', lastAnswer: 'refused', reason, isUnavailable, providerOperationId } as const;
    const isRecorded = await this.operations.recordCommitted(operation, record);
    return isUnavailable && !isRecorded ? this.recordUnknownOutcome(operation) : { outcome: 'refused', reason };
  }

  private async retryUnderNewKey(operation: OperationRow, reason: string, isUnavailable: boolean): Promise<RunOutcome> {
    const isRecorded = await this.operations.retryUnderNewKey(this.database, operation, {
      lastAnswer: 'refused',
      reason,
      isUnavailable,
    });
    return isUnavailable && !isRecorded ? this.recordUnknownOutcome(operation) : { outcome: 'refused', reason };
  }

  private async recordUnknownOutcome(operation: OperationRow, lastAnswer = 'unavailable'): Promise<RunOutcome> {
    await this.operations.recordCommitted(operation, { state: 'unknown', lastAnswer });
    return UNKNOWN;
  }

  private async confirm(
    operation: OperationRow,
    lastAnswer: string,
    providerOperationId?: string,
  ): Promise<RunOutcome> {
    await this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, operation.payment_id);
      const record = { state: 'confirmed', lastAnswer, providerOperationId } as const;
      const isNew = await this.operations.record(transaction, operation, record);
      const isChanged = isNew && (await this.states.confirmed(transaction, operation, payment));
      // a change applies what waits by itself
      if (!isChanged) await this.waiting.apply(transaction, payment);
    });
    return { outcome: 'confirmed' };
  }
}

/** A refund that the provider may have, from a call before: a repeat would be answered as the first call was. */
const wasCalled = ({ kind, state, tries, key_calls: keyCalls }: OperationRow): boolean =>
  kind === 'refund' && (state !== 'open' || tries > 1 || keyCalls > 1);

/** Asked for while the payment was open; it has its outcome since, and nobody wants it voided. */
const isObsolete = ({ kind, cause, attempt }: OperationRow, payment: PaymentRow): boolean =>
  kind === 'void' &&
  cause !== 'charged_after_end' &&
  payment.attempt === attempt &&
  !isOutcomePending(payment, attempt) &&
  payment.status !== 'cancelled';
