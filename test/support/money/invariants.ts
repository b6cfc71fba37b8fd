import type { Effect } from '../../../src/payments/money/state/effect.js';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import { isOpen } from '../../../src/payments/money/state/operation.js';
import type { MoneyOperation, MoneyState } from '../../../src/payments/money/state/state.js';
import { captureOf, wasCharged } from '../../../src/payments/money/state/state.js';
import type { PaymentStatus } from '../../../src/payments/money/state/payment-state.js';
import type { Scenario } from './scenario.js';

/** The rule that a state or a step breaks, or `undefined`. */
export type Broken = string | undefined;

const STEPS: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'],
  processing: ['processing', 'completed', 'failed', 'cancelled', 'refunded'],
  completed: ['completed', 'refunded'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  refunded: ['refunded', 'completed'],
};

/** Rules of each state. */
export function brokenIn({ state, isOdd }: Scenario): Broken {
  return (
    amountsOf(state) ??
    operationsOf(state) ??
    (isOdd || state.alarms.length === 0 ? undefined : `false alarm: ${state.alarms.join()}`)
  );
}

function amountsOf({ payment, refunds, operations }: MoneyState): Broken {
  const { status } = payment;
  const [refunded, captured, held, amount] = [
    payment.amount_refunded,
    payment.amount_captured,
    payment.amount_authorized,
    payment.amount,
  ].map(Number) as [number, number, number, number];
  const text = `${status}, ${refunded} refunded, ${captured} captured, ${held} authorised`;
  if (refunded < 0 || refunded > captured || captured > held || held > amount) return `amounts out of order: ${text}`;
  const isCharged = status === 'completed' || status === 'refunded';
  if (isCharged !== captured > 0) return `captured and status differ: ${text}`;
  if (status === 'refunded' && refunded !== captured) return `refunded in part only: ${text}`;
  const counted = refunds.filter((row) => row.status !== 'failed').reduce((sum, row) => sum + Number(row.amount), 0);
  // a person who settles a charge as refunded knows no refund
  const isSettled = operations.some(({ reason }) => reason?.startsWith('settled as refunded') === true);
  if (counted !== refunded && !isSettled) return `the sum of refunds is ${counted}: ${text}`;
  const isPending = refunds.some((row) => row.status === 'pending');
  if (status === 'refunded' && isPending) return `refunded while a refund is pending: ${text}`;
  if (status === 'completed' && refunded === captured && !isPending)
    return `all is refunded, and the status is not: ${text}`;
  if (refunds.some((row) => row.status === 'failed' && row.failure_code === null))
    return 'a refund failed without a code';
  return undefined;
}

function operationsOf(state: MoneyState): Broken {
  const { operations, refunds, alarms } = state;
  for (const row of operations) {
    const text = `${row.kind} of attempt ${row.attempt}`;
    const others = operations.filter(
      (other) => other.id > row.id && isSameKind(row, other) && isOpen(row) && isOpen(other),
    );
    if (others.length > 0) return `two are open: ${text}`;
    if (isOpen(row) && !row.is_tried && alarms.length === 0) return `no worker tries it, and no alarm says so: ${text}`;
    if (!isOpen(row) && row.is_tried) return `closed, and tried: ${text}`;
    if (isReversal(row) && isOpen(row) && row.kind === 'refund' && wasCharged(state, row.attempt))
      return `the payment keeps the charge that is reversed: ${text}`;
    if (isReversal(row) && row.kind === 'refund' && !state.payment.charged_after_end)
      return `a late charge without its event: ${text}`;
    const isVoided = row.kind === 'capture' && operations.some((other) => isVoidBeside(row, other));
    if (isVoided && isOpen(row)) return `captured and voided at once: ${text}`;
    const isOther = Number(row.amount) !== Number(state.payment.amount_captured);
    if (
      row.kind === 'capture' &&
      row.state === 'confirmed' &&
      isOther &&
      !row.reason?.startsWith('settled') &&
      wasCharged(state, row.attempt)
    )
      return `another amount is captured than confirmed: ${text}`;
    const refund = refunds.find(({ id }) => id === row.refund_id);
    if (refund && (refund.status === 'pending') !== isOpen(row))
      return `its refund is ${refund.status}: ${row.state} ${text}`;
  }
  const captures = operations.filter(({ kind, state: is }) => kind === 'capture' && is !== 'refused');
  return captures.some((row) => captureOf(captures, row.attempt) !== row) ? 'two captures' : undefined;
}

const isSameKind = (one: MoneyOperation, other: MoneyOperation): boolean =>
  one.kind === other.kind && one.attempt === other.attempt && one.refund_id === null && other.refund_id === null;

const isVoidBeside = (capture: MoneyOperation, row: MoneyOperation): boolean =>
  row.kind === 'void' && row.attempt === capture.attempt && isOpen(row) && !isReversal(row);

const isReversal = ({ cause }: MoneyOperation): boolean => cause === 'charged_after_end';

/** Rules of each step: nothing opens again, and each event is recorded once. */
export function brokenBy(scenario: Scenario, after: MoneyState, effects: readonly Effect[], fact: Fact): Broken {
  const before = scenario.state;
  const [from, to] = [before.payment.status, after.payment.status];
  if (!STEPS[from].includes(to)) return `${from} became ${to}`;
  if (
    from === 'refunded' &&
    to === 'completed' &&
    !effects.some((each) => each.do === 'end_refund' && each.status === 'failed')
  )
    return 'refunded became completed without a failed refund';
  const reopened = before.operations.find(
    (row) => !isOpen(row) && after.operations.some((now) => now.id === row.id && isOpen(now)),
  );
  if (reopened) return `a closed ${reopened.kind} is open again`;
  const isAgain = before.refunds.find(
    (row) => row.status === 'failed' && after.refunds.some(({ id, status }) => id === row.id && status !== 'failed'),
  );
  if (isAgain) return 'a failed refund is none';
  return (
    tooEarly(scenario, after, fact) ??
    disbelieved(before, after, effects, fact) ??
    recordedOnce(before, after, effects, fact)
  );
}

/** While the call of an attempt is under way, only its answer says that it has failed: another shop may be asked then. */
function tooEarly({ state, isLeaseOver }: Scenario, { payment }: MoneyState, fact: Fact): Broken {
  const { status, attempt } = state.payment;
  const isUnderWay = !isLeaseOver && state.attempts.find(({ number }) => number === attempt)?.outcome === null;
  if (
    fact.about !== 'charge' ||
    !FAILURES.includes(fact.status) ||
    fact.source === 'answer' ||
    status !== 'pending' ||
    !isUnderWay
  )
    return undefined;
  return payment.status === 'failed' || payment.status === 'cancelled'
    ? `${payment.status} while the call is under way`
    : undefined;
}

const FAILURES: readonly string[] = ['declined', 'cancelled'];

/** The sum of refunds that a look-up has just found is ours, unless one of ours is under way or an alarm was raised. */
function disbelieved(before: MoneyState, after: MoneyState, effects: readonly Effect[], fact: Fact): Broken {
  if (fact.about !== 'charge' || fact.source !== 'look_up' || fact.refunded === undefined) return undefined;
  const isUnderWay = [...before.operations, ...after.operations].some((row) => row.kind === 'refund' && isOpen(row));
  const hasFollower = effects.some((each) => each.do === 'settle_waiting');
  if (!wasCharged(after, fact.attempt) || hasFollower || isUnderWay || after.alarms.length > 0) return undefined;
  const { amount_refunded: counted } = after.payment;
  return Number(counted) === Number(fact.refunded)
    ? undefined
    : `a look-up found ${fact.refunded} refunded, and ${Number(counted)} counts`;
}

function recordedOnce(before: MoneyState, after: MoneyState, effects: readonly Effect[], fact: Fact): Broken {
  const became = (state: MoneyOperation['state'], isMeant: (row: MoneyOperation) => boolean) =>
    after.operations.filter(
      (row) =>
        row.state === state && isMeant(row) && before.operations.find(({ id }) => id === row.id)?.state !== state,
    ).length;
  const count = (what: Effect['do']) => effects.filter((each) => each.do === what).length;
  const failed = became('refused', ({ kind }) => kind === 'capture');
  if (count('capture_failed') !== failed) return `${failed} captures failed, ${count('capture_failed')} events`;
  const reversed = became('confirmed', isReversal);
  // a person may have found a charge that was given back before any report of it
  const isSettled = fact.about === 'settlement' && count('late_charge_reversed') === 1;
  if (count('late_charge_reversed') !== reversed && !isSettled)
    return `${reversed} reversals made, ${count('late_charge_reversed')} events`;
  const isLate = after.payment.charged_after_end && !before.payment.charged_after_end;
  return count('late_charge') === Number(isLate) ? undefined : 'a late charge has not one event';
}
