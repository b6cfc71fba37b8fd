import { toJsonAmount } from '../../../shared/money.js';
import { Problem } from '../../../shared/problem.js';
import type { OperationKind, OperationRow } from './operation.js';

export const SETTLE_OUTCOMES = ['captured', 'not_captured', 'refunded', 'not_refunded', 'voided'] as const;

/**
 * The outcome that a person found at the provider. `captured`: the payer was charged. `not_captured`: the payer was not charged by
 * this operation. `voided`: nothing was charged, and nothing can be any longer. `refunded`: the payer got the money back.
 * `not_refunded`: the payer did not get this refund.
 */
export type SettleOutcome = (typeof SETTLE_OUTCOMES)[number];

/** The kinds of operations that settle differently. `late_refund`: the reversal of a charge after the payment's end. */
export type SettledKind = OperationKind | 'late_refund';

/** The effect of an outcome. */
export interface Settlement {
  /** State of the operation after it. */
  state: 'confirmed' | 'refused';
  /** Status of a payment that waits for this outcome; `null`: it stays, or follows its refunds. */
  to: 'completed' | 'failed' | 'cancelled' | 'refunded' | null;
}

/**
 * The legal outcomes of each kind. A void or capture that was not made leaves the payment as it is, so that it can be
 * requested again. The reversal of a late charge only ends with the money at the payer: the payment says that it took
 * nothing.
 */
export const SETTLEMENTS: Readonly<Record<SettledKind, Readonly<Partial<Record<SettleOutcome, Settlement>>>>> = {
  charge: {
    captured: { state: 'confirmed', to: 'completed' },
    not_captured: { state: 'refused', to: 'failed' },
    refunded: { state: 'confirmed', to: 'refunded' },
    voided: { state: 'refused', to: 'cancelled' },
  },
  capture: {
    captured: { state: 'confirmed', to: 'completed' },
    not_captured: { state: 'refused', to: null },
    refunded: { state: 'confirmed', to: 'refunded' },
    voided: { state: 'refused', to: 'cancelled' },
  },
  void: {
    captured: { state: 'refused', to: 'completed' },
    not_captured: { state: 'refused', to: null },
    refunded: { state: 'refused', to: 'refunded' },
    voided: { state: 'confirmed', to: 'cancelled' },
  },
  refund: {
    refunded: { state: 'confirmed', to: null },
    not_refunded: { state: 'refused', to: null },
  },
  late_refund: {
    refunded: { state: 'confirmed', to: null },
  },
};

export const settledKind = ({ kind, cause }: Pick<OperationRow, 'kind' | 'cause'>): SettledKind =>
  kind === 'refund' && cause === 'charged_after_end' ? 'late_refund' : kind;

/** A provider's report about an operation or its charge: the state of a look-up, or a stored `last_answer`. */
export interface ReportedOutcome {
  code: string;
  /** Decimal text, if the provider gave one. */
  amount?: string | undefined;
  currency?: string | undefined;
}

/** Codes that say nothing about the outcome. */
const INCONCLUSIVE: ReadonlySet<string> = new Set([
  ...['no_answer', 'not_asked', 'unknown', 'unavailable', 'failed', 'refused'],
  ...['void_failed', 'capture_failed', 'processing'],
]);

/** The codes that agree with an outcome, for a charge, a capture and a void, and for a refund. */
const AGREES: Readonly<Record<SettleOutcome, readonly string[]>> = {
  captured: ['captured', 'approved', 'completed', 'confirmed', 'pending'],
  not_captured: ['not_found', 'declined', 'soft_declined', 'voided', 'cancelled', 'authorization_expired'],
  refunded: ['refunded', 'confirmed', 'pending'],
  not_refunded: ['not_found', 'refund_failed', 'captured', 'authorized'],
  voided: ['not_found', 'declined', 'soft_declined', 'voided', 'cancelled', 'authorization_expired', 'pending'],
};

/** A capture or a void that was not made leaves the charge as it was. */
const LEFT_AS_IT_WAS: readonly string[] = ['open', 'authorized', 'pending'];

/**
 * Whether an outcome contradicts the provider's report. `amount`: the captured amount, decimal text; another amount or
 * currency contradicts as well. An inconclusive report contradicts nothing. Pure.
 */
export function contradicts(
  { kind, currency }: Pick<OperationRow, 'kind' | 'currency'>,
  { outcome, amount }: { outcome: SettleOutcome; amount: string | undefined },
  reported: ReportedOutcome,
): boolean {
  if (INCONCLUSIVE.has(reported.code)) return false;
  const isLeft = outcome === 'not_captured' && kind !== 'charge' && LEFT_AS_IT_WAS.includes(reported.code);
  if (!isLeft && !AGREES[outcome].includes(reported.code)) return true;
  if (outcome !== 'captured') return false;
  const isOtherAmount = reported.amount !== undefined && Number(reported.amount) !== Number(amount);
  return isOtherAmount || (reported.currency !== undefined && reported.currency.toUpperCase() !== currency);
}

/**
 * The doubt that a person must confirm before an operation is settled: it contradicts the provider's report, or the amount is larger
 * than the operation's. One problem names both, because one confirmation is for both. Pure.
 */
export function doubtOf(
  operation: Pick<OperationRow, 'id' | 'kind' | 'currency' | 'amount'>,
  settled: { outcome: SettleOutcome; amount: string },
  reported: ReportedOutcome,
): Problem | undefined {
  const isContradiction = contradicts(operation, settled, reported);
  const exceeds = Number(settled.amount) > Number(operation.amount);
  if (!isContradiction && !exceeds) return undefined;
  const reportedAmount = reported.amount === undefined ? undefined : Number(reported.amount);
  const state = [reported.code, reportedAmount, reported.currency].filter((part) => part !== undefined).join(' ');
  const [own, asked] = [operation.amount, settled.amount].map((each) => toJsonAmount(each));
  const reasons = [
    ...(isContradiction ? [`the provider reports: ${state}`] : []),
    ...(exceeds ? [`operation ${operation.id} is about ${own} ${operation.currency}, less than ${asked}`] : []),
  ];
  const question = `to settle operation ${operation.id} as ${settled.outcome} anyway, send confirm: true`;
  const code = isContradiction ? 'settle_contradicts_provider' : 'settle_exceeds_operation';
  return new Problem(code, { detail: [...reasons, question].join('; ') });
}

/**
 * Whether a call for the operation may be under way: it is claimed or was just created. `leaseMs`: how long a claim
 * lasts. Measured by the database's clock, at the time when the row was read. Pure.
 */
export function isUnderWay(operation: OperationRow, leaseMs: number): boolean {
  if (operation.next_try_at === null) return false;
  const readAt = operation.created_at.getTime() + operation.age_ms;
  const inMs = operation.next_try_at.getTime() - readAt;
  return inMs > 0 && inMs <= leaseMs;
}

/** A settlement that a client has confirmed and that needs a second one. */
export interface SettlementRequest {
  by: string;
  outcome: SettleOutcome;
  /** Decimal text. */
  amount: string;
  providerId: string | null;
}

/** Whether a client other than the one that requested it confirms the same settlement. Pure. */
export const isSecondOf = (request: SettlementRequest | null, { by, outcome, amount, providerId }: SettlementRequest) =>
  request !== null &&
  request.by !== by &&
  request.outcome === outcome &&
  Number(request.amount) === Number(amount) &&
  request.providerId === providerId;

/**
 * The greatest amount that an operation can be settled with, decimal text: what was authorised, or asked by the operation. A
 * greater amount at the provider is not ours. Pure.
 */
export const mostOf = (operation: Pick<OperationRow, 'amount'>, payment: { amount_authorized: string }): string =>
  Number(operation.amount) >= Number(payment.amount_authorized) ? operation.amount : payment.amount_authorized;
