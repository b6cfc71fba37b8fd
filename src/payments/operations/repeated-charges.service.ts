import { Injectable } from '@nestjs/common';
import type { ChargeAnswer } from '@payment-orchestrator/provider-kit';
import type { KnownEnd } from '../money/state/attempt.js';
import { factOfAnswer, factOfState } from '../money/state/call-fact.js';
import type { ChargeFact } from '../money/state/fact.js';
import type { OperationRow } from '../money/state/operation.js';
import type { PaymentRow } from '../money/state/payment.js';
import { type ChargeTarget, ProviderCallsService } from './provider-calls.service.js';

type RepeatedCharge = Pick<OperationRow, 'payment_id'> & ChargeTarget;

/** Answers to repeats of charges whose first answer was lost. */
@Injectable()
export class RepeatedCharges {
  constructor(private readonly calls: ProviderCallsService) {}

  /**
   * Returns the fact of an answer. A refusal may be about only the repeat, while the provider holds the money of the first
   * call. So the charge is looked up, by the id in the answer if there is none yet. Without a look-up, only a refusal with
   * an id is the stored answer to the key. `undefined`: the outcome stays unknown.
   */
  async factOf(
    charge: RepeatedCharge,
    payment: PaymentRow,
    end: KnownEnd,
    answer: ChargeAnswer,
  ): Promise<ChargeFact | undefined> {
    const isRefusal = end.outcome === 'declined' || end.outcome === 'soft_declined';
    if (!isRefusal) return factOfAnswer(end, answer);
    const id = answer.transactionId ?? charge.provider_transaction_id;
    const named = { ...charge, provider_transaction_id: id };
    if (!(await this.calls.canLookUp(named))) {
      return answer.transactionId === undefined ? undefined : factOfAnswer(end, answer);
    }
    const found = await this.calls.lookup(named);
    if (!found.known) return undefined;
    const state = factOfState(found.answer, charge.attempt, payment.capture, payment.amount_refunded);
    return state.status === 'not_found' || state.status === 'declined' ? factOfAnswer(end, answer) : state;
  }
}
