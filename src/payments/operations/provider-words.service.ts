import { Injectable } from '@nestjs/common';
import type { ProviderState, RefundState } from '../../providers/payment-provider.js';
import type { OperationRow } from '../ledger/operation.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import type { ProviderWord } from '../ledger/refunds/settlement.js';
import { ProviderCallsService } from './provider-calls.service.js';

/** Asks a provider what became of an operation, and otherwise tells what it said last. */
@Injectable()
export class ProviderWords {
  constructor(private readonly calls: ProviderCallsService) {}

  async about(payment: PaymentRow, operation: OperationRow): Promise<ProviderWord> {
    const now =
      operation.kind === 'refund' ? await this.refundWord(payment, operation) : await this.chargeWord(operation);
    return now ?? { code: operation.last_answer ?? 'unknown' };
  }

  private async chargeWord(operation: OperationRow): Promise<ProviderWord | null> {
    const looked = await this.calls.lookup(operation);
    return looked.known ? wordOfState(looked.answer) : null;
  }

  /** By the refund, or else by the sum that the charge gave back. */
  private async refundWord(payment: PaymentRow, operation: OperationRow): Promise<ProviderWord | null> {
    const refund = await this.calls.lookupRefund(operation);
    if (refund) return refund.known ? wordOfRefund(refund.answer) : null;
    const charge = await this.calls.lookup(operation);
    return charge.known ? wordOfReturned(payment, charge.answer) : null;
  }
}

function wordOfState(state: ProviderState): ProviderWord {
  if (state.status === 'not_found') return { code: state.status };
  const { status: code, currency, capturedAmount, amount } = state;
  return { code, currency, amount: code === 'captured' ? (capturedAmount ?? amount) : undefined };
}

function wordOfRefund(state: RefundState): ProviderWord {
  if (state.outcome !== 'refused') return { code: state.outcome };
  return { code: state.isUnavailable === true ? 'unavailable' : 'refund_failed' };
}

/** The payment counts this refund until it fails. `null`: the state does not tell this refund from others. */
function wordOfReturned(payment: PaymentRow, state: ProviderState): ProviderWord | null {
  if (state.status === 'not_found' || state.status === 'refunded') return { code: state.status };
  const { amount_captured: captured, amount_refunded: counted } = payment;
  if (state.refundedAmount !== undefined) {
    return { code: Number(state.refundedAmount) >= Number(counted) ? 'refunded' : state.status };
  }
  return Number(counted) < Number(captured) ? null : { code: state.status };
}
