import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { OperationAnswer, ProviderState } from '../../providers/payment-provider.js';
import { mustReverse, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { WaitingNotifications } from '../ledger/waiting-notifications.service.js';
import { ChargeStates, isOutcomePending } from './charge-states.service.js';
import type { ProviderOutcome } from './provider-call-runner.service.js';
import { ProviderCallsService } from './provider-calls.service.js';
import { isWithinWindow } from './repeat-window.js';

/** `unknown`: the call was not answered; recovery continues. */
export type RunOutcome = { outcome: 'confirmed' | 'pending' | 'unknown' } | { outcome: 'refused'; reason: string };

const UNKNOWN: RunOutcome = { outcome: 'unknown' };
const PENDING: RunOutcome = { outcome: 'pending' };

/**
 * Carries out recorded voids, captures and refunds: calls the provider, and writes its answer and the change of the
 * payment in one transaction. It may run twice at once: the provider accepts a key once, and a closed operation is not
 * closed again. A necessary reversal is requested again under another key after a refusal, until the provider says that it
 * holds no charge. An unavailable provider says nothing about an earlier call under the same key, so the outcome stays
 * unknown and the key stays the same.
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
    if (isObsolete(operation, payment)) return this.refuse(operation, 'the payment already has its outcome');
    const earlier = await this.outcomeOfEarlierCalls(operation, payment);
    if (earlier) return earlier;
    return this.record(operation, payment, await this.call(operation, payment));
  }

  private call(operation: OperationRow, payment: PaymentRow): Promise<ProviderOutcome<OperationAnswer>> {
    if (operation.kind === 'capture') return this.calls.capture(operation, payment);
    return operation.kind === 'void' ? this.calls.void(operation) : this.calls.refund(operation);
  }

  /** Outcome of earlier calls; `null`: none, so the call is to be made. */
  private async outcomeOfEarlierCalls(operation: OperationRow, payment: PaymentRow): Promise<RunOutcome | null> {
    const isPending = operation.state === 'pending';
    const refund = wasCalled(operation) ? await this.calls.lookupRefund(operation) : undefined;
    if (refund?.known) {
      const { answer } = refund;
      return answer.outcome === 'not_found' ? null : this.record(operation, payment, { known: true, answer });
    }
    const isTooOld = !isPending && (await this.isTooOldToRepeat(operation));
    if (operation.kind === 'capture' && isTooOld) return this.outcomeOfOldCapture(operation);
    if (refund) return isTooOld ? this.recordUnknownOutcome(operation, 'no_answer') : isPending ? PENDING : null;
    // an authorisation that is thought to have lapsed may have been captured at the provider
    const mustAsk = isPending || isTooOld || operation.cause === 'authorization_expired';
    const held = mustAsk ? await this.lookUp(operation) : null;
    return held ?? (isPending ? PENDING : null);
  }

  /** A repeat under the old key could capture a second part, so only the provider's state allows one. */
  private async outcomeOfOldCapture(operation: OperationRow): Promise<RunOutcome | null> {
    const looked = await this.calls.lookup(operation);
    return looked.known
      ? this.outcomeByState(operation, looked.answer)
      : this.recordUnknownOutcome(operation, 'no_answer');
  }

  /** The provider would treat the key as a new one. */
  private async isTooOldToRepeat(operation: OperationRow): Promise<boolean> {
    // a repeated request counts its call, and no try
    if (operation.tries <= 1 && operation.key_calls <= 1) return false;
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
    const shown = operation.kind === 'capture' && !isUnavailable ? await this.lookUp(operation) : null;
    if (shown) return shown;
    if (!mustReverse(operation, payment.status)) return this.refuse(operation, reason, isUnavailable, operationId);
    return (await this.lookUp(operation)) ?? this.retryUnderNewKey(operation, reason, isUnavailable);
  }

  /** Stores the provider's id. Notifications about this id may have arrived before, and are applied now. */
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

  /** Looks the charge up. `null`: its state does not decide the operation: nothing was captured, or ended. */
  private async lookUp(operation: OperationRow): Promise<RunOutcome | null> {
    const looked = await this.calls.lookup(operation);
    return looked.known ? this.outcomeByState(operation, looked.answer) : null;
  }

  private async outcomeByState(operation: OperationRow, state: ProviderState): Promise<RunOutcome | null> {
    if (state.status === 'open' || state.status === 'authorized') return null;
    if (operation.kind === 'capture') return state.status === 'not_found' ? null : this.captureEnded(operation, state);
    if (state.status === 'captured') return operation.kind === 'void' ? this.captured(operation, state) : null;
    return this.confirm(operation, state.status);
  }

  /** Closes a capture by the provider's state of the charge, which changes the payment. */
  private async captureEnded(operation: OperationRow, state: ProviderState): Promise<RunOutcome> {
    const isOurs = await this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, operation.payment_id);
      await this.states.apply(transaction, payment, operation.attempt, state);
      const all = await this.operations.list(payment.id, transaction);
      return all.some(({ id, state: now }) => id === operation.id && now === 'confirmed');
    });
    return isOurs ? { outcome: 'confirmed' } : { outcome: 'refused', reason: `the provider says: ${state.status}` };
  }

  /**
   * Closes a void of a captured charge: there is nothing left to void. The payment is completed, or the charge is
   * refunded.
   */
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
      // a change applies waiting notifications itself
      if (!isChanged) await this.waiting.apply(transaction, payment);
    });
    return { outcome: 'confirmed' };
  }
}

/** A refund that the provider may have received in an earlier call: a repeat would return the first call's answer. */
const wasCalled = ({ kind, state, tries, key_calls: keyCalls }: OperationRow): boolean =>
  kind === 'refund' && (state !== 'open' || tries > 1 || keyCalls > 1);

/** A void that is no longer needed: the payment got its outcome after the request. */
const isObsolete = ({ kind, cause, attempt }: OperationRow, payment: PaymentRow): boolean =>
  kind === 'void' &&
  cause !== 'charged_after_end' &&
  payment.attempt === attempt &&
  !isOutcomePending(payment, attempt) &&
  payment.status !== 'cancelled';
