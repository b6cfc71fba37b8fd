// The findings of recovery about the open operations of a payment, by the documentation.

import type { ModelOperation, ModelRefund, PaymentMoney } from './payment-money.js';
import { type Booked, leftAt } from './provider-books.js';

/** Whether an authorisation waits for its capture. */
export const isCapturable = ({ status, capturing }: Booked): boolean => status === 'authorized' && capturing === null;

/**
 * Asks the provider about each open operation, in the order of the requests, or calls it again. `booked`: before that.
 * `findsRefunds`: refunds can be looked up.
 */
export function recoverMoney(money: PaymentMoney, booked: Booked | undefined, findsRefunds: boolean): void {
  // refunds that arrive in this recovery
  const arrived: ModelRefund[] = [];
  for (const operation of [...money.open]) {
    if (operation.state === 'closed') continue;
    if (operation.kind === 'charge') recoverCharge(money, booked, operation);
    else if (operation.kind === 'capture') recoverCapture(money, booked!, operation);
    else if (operation.kind === 'void') recoverVoid(money, booked!, operation);
    else recoverRefund(money, booked!, operation, { findsRefunds, arrived });
    money.settleWaiting();
  }
}

function recoverCharge(money: PaymentMoney, booked: Booked | undefined, operation: ModelOperation): void {
  if (money.isCharged || money.isAuthorized) operation.state = 'closed';
  else money.find(booked);
}

/** Repeats a capture under its key, or asks for the outcome of an accepted one. */
export function recoverCapture(money: PaymentMoney, booked: Booked, operation: ModelOperation): void {
  if (operation.state === 'unknown' && (operation.isDone || isCapturable(booked))) {
    money.complete('capture_requested', operation.amount);
    Object.assign(operation, { state: 'closed', isConfirmed: true });
  } else if (booked.status !== 'authorized') {
    money.find(booked);
    operation.state = 'closed';
  }
}

/** Returns whether the payment is cancelled. */
export function recoverVoid(money: PaymentMoney, booked: Booked, operation: ModelOperation): boolean {
  operation.state = 'closed';
  if (money.isCharged) return false;
  const isVoided = operation.isDone || isCapturable(booked) || booked.status === 'voided';
  operation.isConfirmed = isVoided;
  if (isVoided && operation.cause === 'charged_after_end') money.history.push('cancelled late_charge_reversed');
  else if (isVoided) money.end('cancelled', operation.cause);
  // before the void of a lapsed authorisation, the provider is asked
  else if (operation.cause === 'authorization_expired') money.find(booked);
  return isVoided;
}

function recoverRefund(
  money: PaymentMoney,
  booked: Booked,
  operation: ModelOperation,
  { findsRefunds, arrived }: { findsRefunds: boolean; arrived: ModelRefund[] },
): void {
  const refund = operation.refund!;
  const { booked: made, amount } = refund;
  if (!made) {
    const left = leftAt(booked) - arrived.reduce((sum, each) => sum + each.amount, 0);
    // a refusal whose answer was lost is repeated; a call that never arrived arrives now
    if (operation.isDone || booked.status !== 'captured' || amount > left) return money.fail(refund);
    arrived.push(refund);
    return money.succeed(refund, 'refund_requested');
  }
  if (findsRefunds && made.status === 'failed') {
    // the look-up shows the id too
    refund.id = made.id;
    return money.fail(refund);
  }
  // a repeat gets the first answer, also after a failure
  const isAnswered = operation.state === 'unknown' || (findsRefunds && made.status === 'succeeded');
  if (isAnswered || (!findsRefunds && areAllReturned(money, booked))) money.succeed(refund, 'refund_requested');
}

/** The provider has given back as much as all refunds of the payment, this one included. */
const areAllReturned = ({ refunded }: PaymentMoney, { refunds }: Booked): boolean =>
  refunds.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0) >= refunded;
