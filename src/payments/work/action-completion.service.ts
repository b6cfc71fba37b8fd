import { Injectable } from '@nestjs/common';
import type { NextAction } from '@payment-orchestrator/provider-kit';
import type { RefusedData } from '../../providers/calls/call-rules.js';
import { attemptEnd, type KnownEnd } from '../money/state/attempt.js';
import { factOfAnswer } from '../money/state/call-fact.js';
import type { PaymentRow } from '../money/state/payment.js';
import { MoneyService } from '../store/money.service.js';
import { type ActingAttempt, ProviderCallsService } from './provider-calls.service.js';

type Completion = { outcome: 'completed'; payment: PaymentRow } | { outcome: 'no_answer' } | RefusedData;

/** Completes the step of a payer at a provider that waits for it. */
@Injectable()
export class ActionCompletion {
  constructor(
    private readonly calls: ProviderCallsService,
    private readonly money: MoneyService,
  ) {}

  /**
   * Hands the data to the provider, and writes its answer; `action` is the step that it completes. As for a repeated
   * charge, an unavailable provider says nothing about the charge that it began, and the payment still waits.
   */
  async handIn(
    attempt: ActingAttempt,
    data: Readonly<Record<string, unknown>>,
    action: NextAction | null,
  ): Promise<Completion> {
    const call = await this.calls.completeAction(attempt, data);
    if (!call.known) return { outcome: 'no_answer' };
    if (call.answer.outcome === 'invalid_data') return call.answer;
    const end = attemptEnd(attempt.attempt, call.answer, true);
    if (end.outcome === 'unknown') return { outcome: 'no_answer' };
    const fact = { ...factOfAnswer(end as KnownEnd, call.answer), ...(action && { completedAction: action }) };
    return { outcome: 'completed', payment: (await this.money.apply(attempt.payment_id, fact)).payment };
  }
}
