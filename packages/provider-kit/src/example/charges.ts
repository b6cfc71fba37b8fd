import {
  type ChargeAnswer,
  type ChargeState,
  fromMinorAmount,
  type MinorUnits,
  type OperationAnswer,
} from '@payment-orchestrator/provider-kit';

export const UNITS: ReadonlyMap<string, MinorUnits> = new Map([
  ['EUR', { exponent: 2, step: 1 }],
  ['JPY', { exponent: 0, step: 1 }],
  ['KWD', { exponent: 3, step: 1 }],
]);

export type AcmeStatus =
  'pending' | 'waiting_for_payer' | 'authorized' | 'paid' | 'declined' | 'cancelled' | 'expired' | 'refunded';

/** A charge as Acme answers it. */
export interface AcmeCharge {
  id: string;
  reference: string;
  status: AcmeStatus;
  /** Minor units, like the sums. */
  amount: number;
  captured: number;
  refunded: number;
  currency: string;
  /** Seconds since 1970, of an authorisation. */
  capture_before?: number;
  reason?: string;
  redirect?: string;
  saved_source?: string;
}

/** A capture or a refund as Acme answers it. */
export interface AcmeOperation {
  id: string;
  kind: 'capture' | 'refund';
  status: 'pending' | 'succeeded' | 'failed';
  amount: number;
  currency: string;
  key: string;
}

const STATUSES: ReadonlyMap<string, ChargeState['status']> = new Map([
  ['pending', 'open'],
  ['waiting_for_payer', 'open'],
  ['authorized', 'authorized'],
  ['paid', 'captured'],
  ['declined', 'declined'],
  ['cancelled', 'voided'],
  ['expired', 'voided'],
  ['refunded', 'refunded'],
]);

/** Acme's reasons of declines with our codes; no other shop can charge the hard ones. */
const REASONS: ReadonlyMap<string | undefined, { code: string; isHard: boolean }> = new Map([
  ['lost', { code: 'lost_card', isHard: true }],
  ['no_money', { code: 'insufficient_funds', isHard: false }],
]);
const OTHER_REASON = { code: 'card_declined', isHard: false };

/** Decimal text in units of the currency. Throws for a currency that Acme does not have. */
export function amountOf(minor: unknown, currency: unknown): string {
  const units = UNITS.get(String(currency));
  if (!units || !Number.isSafeInteger(minor)) throw new Error('Acme reported an amount that cannot be read');
  return fromMinorAmount(minor as number, units);
}

export const fromSeconds = (seconds: unknown): Date => {
  if (!Number.isSafeInteger(seconds)) throw new Error('Acme reported a time that cannot be read');
  return new Date((seconds as number) * 1_000);
};

const nextActionOf = ({ status, redirect }: AcmeCharge) =>
  status === 'waiting_for_payer' && redirect !== undefined
    ? ({ nextAction: { type: 'redirect', url: redirect, method: 'GET' } } as const)
    : {};

/** The answer to a charge. Throws for a status that is not known: the outcome is unknown then. */
export function chargeAnswer(charge: AcmeCharge): ChargeAnswer {
  const { id: transactionId, status, reason, capture_before: before, saved_source: token } = charge;
  const known = { transactionId, ...(token !== undefined && { savedMethod: { token } }) };
  switch (status) {
    case 'paid':
      return { ...known, outcome: 'approved' };
    case 'authorized':
      return { ...known, outcome: 'authorized', captureBefore: fromSeconds(before) };
    case 'pending':
      return { transactionId, outcome: 'processing' };
    case 'waiting_for_payer':
      return { transactionId, outcome: 'processing', ...nextActionOf(charge) };
    case 'declined': {
      const { code: declineCode, isHard } = REASONS.get(reason) ?? OTHER_REASON;
      return { transactionId, outcome: isHard ? 'declined' : 'soft_declined', declineCode };
    }
    default:
      throw new Error('Acme answered a charge with another status');
  }
}

export function stateOf(charge: AcmeCharge): ChargeState {
  const { id: transactionId, amount, captured, refunded, currency, reason, capture_before: before } = charge;
  const status = STATUSES.get(charge.status);
  if (!status) throw new Error('Acme answered a charge with an unknown status');
  const isCaptured = status === 'captured' || status === 'refunded';
  return {
    status,
    transactionId,
    amount: amountOf(amount, currency),
    currency,
    ...(isCaptured && { capturedAmount: amountOf(captured, currency), refundedAmount: amountOf(refunded, currency) }),
    ...(status === 'authorized' && { captureBefore: fromSeconds(before) }),
    ...(status === 'declined' && { declineCode: (REASONS.get(reason) ?? OTHER_REASON).code }),
    ...nextActionOf(charge),
  };
}

/** The answer to a capture or a refund. Throws for a status that is not known. */
export function operationAnswer({ id: operationId, status }: AcmeOperation): OperationAnswer {
  if (status === 'succeeded') return { outcome: 'confirmed', operationId };
  if (status === 'pending') return { outcome: 'pending', operationId };
  if (status === 'failed') return { outcome: 'refused', operationId, reason: 'Acme could not do it', retryable: true };
  throw new Error('Acme answered an operation with an unknown status');
}
