// The findings of a person at the provider about an open operation, and the effect of settling it so, by the documentation.

import type { ModelOperation, PaymentMoney } from './payment-money.js';
import { type Booked, type Cents, finishCapture, isReturned } from './provider-books.js';

const SETTLED = 'settled_by_operator';

/** The finding of a person at the provider. */
export interface Truth {
  outcome: 'captured' | 'not_captured' | 'refunded' | 'not_refunded' | 'voided';
  amount?: Cents;
  providerId?: string;
}

/** The truth about an operation, or `undefined` while the provider can still do either. */
export function truthOf(
  { kind, refund, amount: asked }: ModelOperation,
  booked: Booked | undefined,
): Truth | undefined {
  if (kind === 'refund') {
    const made = refund!.booked;
    if (!made || made.status === 'failed') return { outcome: 'not_refunded' };
    made.status = 'succeeded';
    return { outcome: 'refunded', providerId: made.id };
  }
  if (!booked) return { outcome: 'not_captured' };
  // the provider carries out each accepted capture
  if (booked.capturing !== null) finishCapture(booked, booked.capturing);
  const { status, captured: amount } = booked;
  if (status === 'voided') return { outcome: 'voided' };
  if (status === 'authorized') return kind === 'charge' ? undefined : { outcome: 'not_captured' };
  if (isReturned(booked)) return { outcome: 'refunded', amount };
  return { outcome: 'captured', ...(kind === 'capture' && amount === asked ? {} : { amount }) };
}

/** Changes the payment as it is after a person has settled an operation of it. */
export function applySettled(
  money: PaymentMoney,
  booked: Booked | undefined,
  operation: ModelOperation,
  { outcome }: Truth,
): void {
  operation.state = 'closed';
  operation.isConfirmed =
    operation.kind === 'void' ? outcome === 'voided' : outcome === 'captured' || outcome === 'refunded';
  switch (outcome) {
    case 'captured':
      money.charge(SETTLED, booked!.captured);
      return money.closeAll();
    case 'refunded':
      if (operation.kind === 'refund') return money.succeed(operation.refund!, SETTLED);
      money.completeReturned(SETTLED, booked!.captured);
      return money.closeAll();
    case 'not_refunded':
      return money.fail(operation.refund!);
    case 'voided':
      return money.end('cancelled', SETTLED);
    case 'not_captured':
      if (operation.kind === 'charge') money.decline(SETTLED);
  }
}
