import { Injectable } from '@nestjs/common';
import { Problem } from '../../shared/problem.js';
import type { NextAction } from '@payment-orchestrator/provider-kit';
import { attemptEnd, type KnownEnd } from '../money/state/attempt.js';
import { isAuthorized, isOutcomePending } from '../money/state/state.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { factOfAnswer } from '../money/state/call-fact.js';
import { MoneyService } from '../store/money.service.js';
import type { RefusedData } from '../../providers/calls/call-rules.js';
import { type ActingAttempt, ProviderCallsService } from '../operations/provider-calls.service.js';

type Data = Readonly<Record<string, unknown>>;
type Completion = { outcome: 'completed'; payment: PaymentRow } | { outcome: 'no_answer' } | RefusedData;

/**
 * Completes steps of payers at providers that wait for what the step returned. Nothing of it is stored: if the process
 * dies after the call, a repeat gets the same answer from the provider, and a notification or a look-up finds the outcome.
 */
@Injectable()
export class NextActions {
  constructor(
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly calls: ProviderCallsService,
    private readonly money: MoneyService,
  ) {}

  /**
   * Completes a `provider_action`. A payment that has its outcome is returned unchanged, because a notification may have
   * been faster, and so that a repeat is safe. Throws `payment_not_found`, `no_next_action`, `validation_failed` with
   * fields in `data`, and `dependency_unavailable` if the provider does not answer.
   */
  async complete(merchantId: number, paymentId: number, data: Data): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    if (!isOutcomePending(payment, payment.attempt) || isAuthorized(payment)) return payment;
    const attempt = await this.waitingAttempt(payment);
    const completion = await this.handIn(attempt, data, payment.next_action);
    if (completion.outcome === 'completed') return completion.payment;
    if (completion.outcome === 'no_answer') throw noAnswer();
    const errors = completion.errors.map(({ field, message }) => ({ field: `data.${field}`, message }));
    throw new Problem('validation_failed', { errors });
  }

  /**
   * Hands the data to the provider, and writes its answer; `action` is the step that it completes. As for a repeated
   * charge, an unavailable provider says nothing about the charge that it began, and the payment still waits.
   */
  async handIn(attempt: ActingAttempt, data: Data, action: NextAction | null): Promise<Completion> {
    const call = await this.calls.completeAction(attempt, data);
    if (!call.known) return { outcome: 'no_answer' };
    if (call.answer.outcome === 'invalid_data') return call.answer;
    const end = attemptEnd(attempt.attempt, call.answer, true);
    if (end.outcome === 'unknown') return { outcome: 'no_answer' };
    const fact = { ...factOfAnswer(end as KnownEnd, call.answer), ...(action && { completedAction: action }) };
    return { outcome: 'completed', payment: (await this.money.apply(attempt.payment_id, fact)).payment };
  }

  private async waitingAttempt({
    id,
    attempt,
    status,
    capture,
    next_action: action,
  }: PaymentRow): Promise<ActingAttempt> {
    const charge = (await this.operations.list(id)).find((row) => row.kind === 'charge' && row.attempt === attempt);
    if (action?.type === 'provider_action' && charge) return { ...charge, capture };
    const waitsFor =
      action?.type === 'redirect' ? 'waits for the payer to return from a redirect' : 'has no next action';
    throw new Problem('no_next_action', { detail: `payment ${id} is ${status} and ${waitsFor}` });
  }
}

const noAnswer = (): Problem =>
  new Problem('dependency_unavailable', {
    detail: 'the provider gave no answer, and repeating the request is safe',
  });
