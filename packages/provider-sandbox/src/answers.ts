// Answers of the sandbox, from its rows: no I/O.
import { Decimal } from 'decimal.js';
import {
  type ChargeAnswer,
  currencyDigits,
  type ListedCharge,
  type NextAction,
  type ProviderState,
} from '@payment-orchestrator/provider-kit';
import type { SandboxTransaction } from './transactions.queries.js';

/**
 * A request that the sandbox refuses. It says nothing about the outcome of an earlier one under its key or reference.
 */
export class SandboxRefusal extends Error {
  constructor(readonly code: 'idempotency_key_reused' | 'reference_already_used') {
    super(code);
    this.name = 'SandboxRefusal';
  }
}

/** The amount in the form that requests under one key are compared by: `10.1` and `10.10` are the same. */
export const exactAmount = (amount: string): string => new Decimal(amount).toFixed();

/** The exact difference of decimal texts: `("49.90", "10.00")` → `"39.9"`. */
export const difference = (from: string, amount: string): string => new Decimal(from).minus(amount).toFixed();

/** With the currency's decimals, and never fewer than the amount has: `49.9000` → `"49.90"`. */
export function amountIn(currency: string, amount: string): string {
  const decimal = new Decimal(amount);
  return decimal.toFixed(Math.max(currencyDigits(currency) ?? 0, decimal.decimalPlaces()));
}

/** The answer to the charge, the same to each repeat. */
export function chargeAnswerOf(
  transaction: Pick<
    SandboxTransaction,
    'transaction_id' | 'outcome' | 'decline_code' | 'page' | 'page_url' | 'capture_before'
  >,
): ChargeAnswer {
  const { transaction_id: transactionId, outcome, capture_before: captureBefore } = transaction;
  if (outcome === 'authorized') return { transactionId, outcome, captureBefore: captureBefore! };
  if (outcome === 'declined' || outcome === 'soft_declined') {
    return { transactionId, outcome, declineCode: transaction.decline_code ?? 'card_declined' };
  }
  if (outcome === 'approved') return { transactionId, outcome };
  return { transactionId, outcome, ...nextActionOf(transaction) };
}

function nextActionOf({ page, page_url: url }: Pick<SandboxTransaction, 'page' | 'page_url'>): {
  nextAction?: NextAction;
} {
  if (url !== null) return { nextAction: { type: 'redirect', url, method: 'GET' } };
  if (page === null) return {};
  return { nextAction: { type: 'provider_action', provider: 'sandbox', data: { challenge: page } } };
}

/** The answer after the payer's step, the same to each repeat. Throws for a transaction that the payer did not decide. */
export function completedAnswerOf(transaction: SandboxTransaction): ChargeAnswer {
  const {
    status,
    transaction_id: transactionId,
    capture_before: captureBefore,
    decline_code: declineCode,
  } = transaction;
  switch (status) {
    case 'captured':
      return { transactionId, outcome: 'approved' };
    case 'authorized':
      return { transactionId, outcome: 'authorized', captureBefore: captureBefore! };
    case 'declined':
      return { transactionId, outcome: 'declined', declineCode: declineCode ?? 'card_declined' };
    case 'voided':
      return { transactionId, outcome: 'declined', declineCode: 'voided' };
    default:
      throw new Error(`the transaction ${transactionId} is ${status}`);
  }
}

export function stateOf(transaction: SandboxTransaction | undefined): ProviderState {
  if (!transaction) return { status: 'not_found' };
  const {
    status,
    transaction_id: transactionId,
    amount,
    currency,
    decline_code: declineCode,
    capture_before: captureBefore,
  } = transaction;
  const isCaptured = status === 'captured' || status === 'refunded';
  return {
    status,
    transactionId,
    amount,
    currency,
    ...(isCaptured && { capturedAmount: amountIn(currency, transaction.captured_amount) }),
    ...(isCaptured && { refundedAmount: amountIn(currency, transaction.refunded_amount) }),
    ...(status === 'authorized' && captureBefore !== null && { captureBefore }),
    ...(status === 'declined' && declineCode !== null && { declineCode }),
    ...(status === 'open' && nextActionOf(transaction)),
  };
}

export const listedCharge = ({
  reference,
  payment_id: paymentId,
  transaction_id: transactionId,
  status,
  amount,
  currency,
  created_at: createdAt,
}: SandboxTransaction): ListedCharge => ({
  reference,
  paymentId,
  transactionId,
  status,
  amount,
  currency,
  createdAt,
});
