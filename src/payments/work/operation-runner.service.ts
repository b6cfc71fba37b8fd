import { Injectable } from '@nestjs/common';
import type { OperationAnswer, ProviderState } from '@payment-orchestrator/provider-kit';
import { factOfOperation, factOfState } from '../money/state/call-fact.js';
import type { OperationFact } from '../money/state/fact.js';
import { isOpen, mustReverse, type OperationRow } from '../money/state/operation.js';
import { isRefundOfPayment } from '../money/state/refund.js';
import { isOutcomePending } from '../money/state/state.js';
import { OperationRecords } from '../store/operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../store/payments.service.js';
import { MoneyService } from '../store/money.service.js';
import type { ProviderOutcome } from '../../providers/calls/provider-call-runner.service.js';
import { ProviderCallsService } from './provider-calls.service.js';
import { isWithinWindow } from '../../providers/calls/call-rules.js';

/** `unknown`: the call was not answered; recovery continues. `too_early`: it is called again later. */
export type RunOutcome =
  { outcome: 'confirmed' | 'pending' | 'unknown' | 'too_early' } | { outcome: 'refused'; reason: string };

const UNKNOWN: RunOutcome = { outcome: 'unknown' };
const PENDING: RunOutcome = { outcome: 'pending' };
const WAITS_FOR_PAYER = 'the payment waits for its payer, and ends by itself at the provider';

/**
 * Carries out recorded voids, captures and refunds: asks or calls the provider, and hands its answer to `MoneyService`, which decides. It
 * may run twice at once: the provider accepts a key once, and a closed operation is not closed again.
 * - An operation that may have been called is looked up first, where the provider can be asked.
 * - A repeat has the same key and body. After the provider's window for keys a repeat could move money twice, so only the
 *   state of the charge decides, or else a person.
 */
@Injectable()
export class OperationRunner {
  constructor(
    private readonly calls: ProviderCallsService,
    private readonly operations: OperationRecords,
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
  ) {}

  async run(operation: OperationRow): Promise<RunOutcome> {
    const payment = await this.payments.find(operation.merchant_id, operation.payment_id);
    if (isObsolete(operation, payment)) {
      const reason = 'the payment already has its outcome';
      const refused = { outcome: 'refused', reason, retryable: false } as const;
      return this.apply(operation, { ...factOfOperation(operation, refused), result: { ...refused, isFinal: true } });
    }
    const earlier =
      (await this.waitForPayer(operation, payment)) ?? (await this.outcomeOfEarlierCalls(operation, payment));
    return earlier ?? this.record(operation, payment, await this.call(operation, payment));
  }

  /** A provider that cannot cancel an unfinished payment is asked instead. `null`: the payment does not wait for its payer. */
  private async waitForPayer(operation: OperationRow, payment: PaymentRow): Promise<RunOutcome | null> {
    if (operation.state === 'pending' || !(await this.isUnvoidable(operation))) return null;
    const looked = await this.calls.lookup(operation);
    const isUnfinished = looked.known && looked.answer.status === 'open';
    return isUnfinished ? this.applyState(operation, payment, looked.answer) : null;
  }

  private call(operation: OperationRow, payment: PaymentRow): Promise<ProviderOutcome<OperationAnswer>> {
    if (operation.kind === 'capture') return this.calls.capture(operation, payment);
    return operation.kind === 'void' ? this.calls.void(operation) : this.calls.refund(operation);
  }

  /** Outcome of earlier calls; `null`: none, so the call is to be made. */
  private async outcomeOfEarlierCalls(operation: OperationRow, payment: PaymentRow): Promise<RunOutcome | null> {
    const isPending = operation.state === 'pending';
    const looked = wasCalled(operation) ? await this.calls.lookupOperation(operation) : undefined;
    if (looked?.known) {
      if (looked.answer.outcome !== 'not_found')
        return this.record(operation, payment, { known: true, answer: looked.answer });
      return isPending ? PENDING : null;
    }
    const isTooOld = !isPending && (await this.isTooOldToRepeat(operation));
    if (isRefundOfPayment(operation)) return this.outcomeOfRefund(operation, payment, isTooOld);
    // a repeat under the old key could capture a second part, so only the provider's state allows one
    if (operation.kind === 'capture' && isTooOld) return this.outcomeOfOldCapture(operation, payment);
    if (looked) return isTooOld ? this.recordUnknown(operation, 'no_answer') : isPending ? PENDING : null;
    // an authorisation that is thought to have lapsed may have been captured at the provider
    const mustAsk = isPending || isTooOld || operation.cause === 'authorization_expired';
    const held = mustAsk ? await this.lookUp(operation, payment) : null;
    return held ?? (isPending ? PENDING : null);
  }

  /** Without a look-up of refunds, the charge shows only whether the provider has made all of them. */
  private async outcomeOfRefund(
    operation: OperationRow,
    payment: PaymentRow,
    isTooOld: boolean,
  ): Promise<RunOutcome | null> {
    const isPending = operation.state === 'pending';
    if (!isPending && !isTooOld) return null;
    if (await this.areAllRefunded(operation)) {
      return this.record(operation, payment, { known: true, answer: { outcome: 'confirmed' } });
    }
    return isPending ? PENDING : this.recordUnknown(operation, 'no_answer');
  }

  private async areAllRefunded(operation: OperationRow): Promise<boolean> {
    const looked = await this.calls.lookup(operation);
    if (!looked.known || looked.answer.status === 'not_found') return false;
    const { status, refundedAmount } = looked.answer;
    const payment = await this.payments.find(operation.merchant_id, operation.payment_id);
    const returned = status === 'refunded' ? payment.amount_captured : (refundedAmount ?? '0');
    return Number(returned) >= Number(payment.amount_refunded);
  }

  private async outcomeOfOldCapture(operation: OperationRow, payment: PaymentRow): Promise<RunOutcome | null> {
    const looked = await this.calls.lookup(operation);
    return looked.known
      ? this.applyState(operation, payment, looked.answer)
      : this.recordUnknown(operation, 'no_answer');
  }

  /** The provider would treat the key as a new one. */
  private async isTooOldToRepeat(operation: OperationRow): Promise<boolean> {
    // a repeated request counts its call, and no try
    if (operation.tries <= 1 && operation.key_calls <= 1) return false;
    const { idempotencyWindowMs } = await this.calls.capabilitiesOf(operation);
    return !isWithinWindow(operation, idempotencyWindowMs);
  }

  private async record(
    operation: OperationRow,
    payment: PaymentRow,
    outcome: ProviderOutcome<OperationAnswer>,
  ): Promise<RunOutcome> {
    if (!outcome.known) return this.recordUnknown(operation, 'no_answer');
    const { answer } = outcome;
    if (answer.outcome === 'refused') {
      const shown =
        answer.charge && operation.kind === 'void'
          ? await this.applyState(operation, payment, answer.charge)
          : await this.stateAfterRefusal(operation, payment, answer);
      if (shown) return shown;
      if (await this.isBeforeCapture(operation, answer))
        return this.apply(operation, factOfOperation(operation, answer, 'too_early', true));
    }
    return this.apply(operation, factOfOperation(operation, answer));
  }

  /** A refund that the provider refuses because it has not captured the charge yet. */
  private async isBeforeCapture(
    operation: OperationRow,
    { charge }: OperationAnswer & { outcome: 'refused' },
  ): Promise<boolean> {
    const isHeld = operation.kind === 'refund' && charge?.status === 'authorized';
    return isHeld && (await this.calls.capabilitiesOf(operation)).capturesLater === true;
  }

  /** A void at a provider that cannot cancel a payment that waits for its payer. */
  private async isUnvoidable(operation: OperationRow): Promise<boolean> {
    return operation.kind === 'void' && (await this.calls.capabilitiesOf(operation)).voidsUnfinished === false;
  }

  /** A refusal says that the charge is in another state than we think: the provider is asked, unless it said in which. */
  private async stateAfterRefusal(
    operation: OperationRow,
    payment: PaymentRow,
    { isUnavailable = false }: OperationAnswer & { outcome: 'refused' },
  ): Promise<RunOutcome | null> {
    const isCapture = operation.kind === 'capture' && !isUnavailable;
    return isCapture || mustReverse(operation, payment.status) ? this.lookUp(operation, payment) : null;
  }

  /** Looks the charge up. `null`: its state does not decide the operation: nothing was captured, or ended. */
  private async lookUp(operation: OperationRow, payment: PaymentRow): Promise<RunOutcome | null> {
    const looked = await this.calls.lookup(operation);
    return looked.known ? this.applyState(operation, payment, looked.answer) : null;
  }

  private async applyState(
    operation: OperationRow,
    payment: PaymentRow,
    state: ProviderState,
  ): Promise<RunOutcome | null> {
    const charge = factOfState(state, operation.attempt, payment.capture, payment.amount_refunded);
    if (state.status === 'open' && (await this.isUnvoidable(operation))) {
      const early = { outcome: 'refused', reason: WAITS_FOR_PAYER, retryable: true } as const;
      return this.apply(operation, factOfOperation(operation, early, 'open', true));
    }
    const isUndecided = charge.status === 'processing' || charge.status === 'authorized';
    if (isUndecided || (operation.kind === 'capture' && charge.status === 'not_found')) return null;
    const isHeld = state.status === 'captured';
    if (isHeld && operation.kind === 'refund') return null;
    const reason = isHeld ? 'the provider has charged the payment' : `the provider says: ${state.status}`;
    const result = { outcome: 'refused', reason } as const;
    return this.apply(operation, {
      ...factOfOperation(operation, { ...result, retryable: false }),
      lastAnswer: state.status,
      charge,
    });
  }

  private async recordUnknown(operation: OperationRow, lastAnswer: string): Promise<RunOutcome> {
    await this.operations.recordUnknown(operation, lastAnswer);
    return UNKNOWN;
  }

  /** Returns the outcome of the operation as it was decided. */
  private async apply(operation: OperationRow, fact: OperationFact): Promise<RunOutcome> {
    const { state } = await this.money.apply(operation.payment_id, fact);
    const after = state.operations.find(({ id }) => id === operation.id);
    const { result, charge } = fact;
    // a notification may have been faster; the answer stays the provider's
    if (!charge && result.outcome !== 'refused') return { outcome: result.outcome };
    if (after?.state === 'confirmed' || after?.state === 'pending') return { outcome: after.state };
    const isRepeated = after?.idempotency_key !== operation.idempotency_key;
    if (result.outcome === 'refused' && result.isTooEarly && after && isOpen(after)) return { outcome: 'too_early' };
    if (after && isOpen(after) && !isRepeated) return this.recordUnknown(operation, 'unavailable');
    return { outcome: 'refused', reason: result.outcome === 'refused' ? result.reason : '' };
  }
}

/** An operation that the provider may have received in an earlier call: a repeat would return the first call's answer. */
const wasCalled = ({ state, tries, key_calls: keyCalls }: OperationRow): boolean =>
  state !== 'open' || tries > 1 || keyCalls > 1;

/** A void that is no longer needed: the payment got its outcome after the request. */
const isObsolete = ({ kind, cause, attempt }: OperationRow, payment: PaymentRow): boolean =>
  kind === 'void' &&
  cause !== 'charged_after_end' &&
  payment.attempt === attempt &&
  !isOutcomePending(payment, attempt) &&
  payment.status !== 'cancelled';
