import { Injectable } from '@nestjs/common';
import type { OperationState, ProviderState } from '@payment-orchestrator/provider-kit';
import type { OperationRow } from '../money/state/operation.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { ReportedOutcome } from '../money/state/settlement.js';
import { ProviderCallsService } from './provider-calls.service.js';

/** The outcome of an operation as its provider reports it now, or else as it reported last. */
@Injectable()
export class ReportedOutcomes {
  constructor(private readonly calls: ProviderCallsService) {}

  async find(payment: PaymentRow, operation: OperationRow): Promise<ReportedOutcome> {
    const now =
      operation.kind === 'refund' ? await this.refundOutcome(payment, operation) : await this.chargeOutcome(operation);
    return now ?? { code: operation.last_answer ?? 'unknown' };
  }

  private async chargeOutcome(operation: OperationRow): Promise<ReportedOutcome | null> {
    const looked = await this.calls.lookup(operation);
    return looked.known ? outcomeOfState(looked.answer) : null;
  }

  /** The refund's outcome, or else the outcome by the sum of the charge's refunds. */
  private async refundOutcome(payment: PaymentRow, operation: OperationRow): Promise<ReportedOutcome | null> {
    const refund = await this.calls.lookupOperation(operation);
    if (refund) return refund.known ? outcomeOfRefund(refund.answer) : null;
    const charge = await this.calls.lookup(operation);
    return charge.known ? outcomeOfSum(payment, charge.answer) : null;
  }
}

function outcomeOfState(state: ProviderState): ReportedOutcome {
  if (state.status === 'not_found') return { code: state.status };
  const { status: code, currency, capturedAmount, amount } = state;
  return { code, currency, amount: code === 'captured' ? (capturedAmount ?? amount) : undefined };
}

function outcomeOfRefund(state: OperationState): ReportedOutcome {
  if (state.outcome !== 'refused') return { code: state.outcome };
  return { code: state.isUnavailable === true ? 'unavailable' : 'refund_failed' };
}

/** The payment counts this refund until it fails. `null`: the state does not distinguish this refund from others. */
function outcomeOfSum(payment: PaymentRow, state: ProviderState): ReportedOutcome | null {
  if (state.status === 'not_found' || state.status === 'refunded') return { code: state.status };
  const { amount_captured: captured, amount_refunded: counted } = payment;
  if (state.refundedAmount !== undefined) {
    return { code: Number(state.refundedAmount) >= Number(counted) ? 'refunded' : state.status };
  }
  return Number(counted) < Number(captured) ? null : { code: state.status };
}
