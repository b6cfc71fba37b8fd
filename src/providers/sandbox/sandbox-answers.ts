// Answers of the sandbox, from its rows: no I/O.
import { Decimal } from 'decimal.js';
import { currencyDigits } from '../../shared/money.js';
import type {
  ChargeAnswer,
  ListedCharge,
  OperationAnswer,
  OperationRequest,
  ProviderState,
  RefundRequest,
} from '../payment-provider.js';
import type { SandboxOperation } from './sandbox-operations.queries.js';
import type { SandboxStatus, SandboxTransaction } from './sandbox-transactions.queries.js';

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

/** With the currency's decimals, and never fewer than the amount has: `49.9000` → `"49.90"`. */
export function amountIn(currency: string, amount: string): string {
  const decimal = new Decimal(amount);
  return decimal.toFixed(Math.max(currencyDigits(currency) ?? 0, decimal.decimalPlaces()));
}

/** The answer to the charge, the same to each repeat. */
export function chargeAnswerOf(
  transaction: Pick<SandboxTransaction, 'transaction_id' | 'outcome' | 'decline_code' | 'page_url'>,
): ChargeAnswer {
  const { transaction_id: transactionId, outcome, page_url: url } = transaction;
  if (outcome === 'declined' || outcome === 'soft_declined') {
    return { transactionId, outcome, declineCode: transaction.decline_code ?? 'card_declined' };
  }
  if (outcome === 'approved' || url === null) return { transactionId, outcome };
  return { transactionId, outcome, nextAction: { type: 'redirect', url, method: 'GET' } };
}

export function stateOf(transaction: SandboxTransaction | undefined): ProviderState {
  if (!transaction) return { status: 'not_found' };
  const {
    status,
    transaction_id: transactionId,
    amount,
    currency,
    decline_code: declineCode,
    page_url: url,
  } = transaction;
  return {
    status,
    transactionId,
    amount,
    currency,
    ...(status === 'declined' && declineCode !== null && { declineCode }),
    ...(status === 'open' && url !== null && { nextAction: { type: 'redirect', url, method: 'GET' } }),
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

/** An operation's answer, and the transaction's next status: at once, or a little later. */
export interface OperationDecision {
  answer: OperationAnswer;
  to?: SandboxStatus;
  later?: boolean;
}

const refused = (reason: string, retryable = false): OperationDecision => ({
  answer: { outcome: 'refused', reason, retryable },
});

const CONFIRMED: OperationDecision = { answer: { outcome: 'confirmed' } };

/**
 * Repeats an earlier refusal under the key, regardless of later changes; `undefined`: the transaction's state decides.
 */
export function decisionByKey(
  earlier: SandboxOperation | undefined,
  fingerprint: string,
): OperationDecision | undefined {
  if (!earlier) return undefined;
  if (earlier.is_charge || earlier.fingerprint !== fingerprint) return refused('idempotency_key_reused');
  return earlier.refusal ? refused(earlier.refusal.reason, earlier.refusal.retryable) : undefined;
}

/** Captured money is refunded, not voided. A transaction that holds nothing is voided unchanged. */
export function decideVoid({ status }: SandboxTransaction): OperationDecision {
  if (status === 'captured') return refused('already_captured');
  return status === 'open' ? { ...CONFIRMED, to: 'voided' } : CONFIRMED;
}

/** Refunds the whole capture, once. */
export function decideRefund(transaction: SandboxTransaction | undefined, request: RefundRequest): OperationDecision {
  if (!transaction) return refused('transaction_not_found');
  const { status, becomes, refunds } = transaction;
  if (status === 'refunded') return CONFIRMED;
  if (status !== 'captured') return refused('not_captured', status === 'open');
  if (!isWhole(transaction, request)) return refused('amount_differs');
  if (refunds === 'refused') return refused('refund_refused');
  if (refunds === 'confirmed') return { ...CONFIRMED, to: 'refunded' };
  const answer: OperationAnswer = { outcome: 'pending', operationId: `sbr_${transaction.reference}` };
  return becomes === 'refunded' ? { answer } : { answer, to: 'refunded', later: true };
}

const isWhole = (transaction: SandboxTransaction, { amount, currency }: OperationRequest): boolean =>
  new Decimal(transaction.amount).equals(amount) && transaction.currency === currency;
