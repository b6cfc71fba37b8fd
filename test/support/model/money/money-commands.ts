import assert from 'node:assert/strict';
import type fc from 'fast-check';
import type { Ledgers } from '../../ledger/ledger.js';
import { brokenAmounts } from '../../ledger/money.js';
import type { DisputeReport } from './disputes.js';
import type { MoneyHarness } from './money-harness.js';
import type { ModelOperation } from './payment-money.js';
import { ScriptedPayment } from './scripted-payment.js';
import { type Cents, type Fate, finishCapture, leftAt } from './provider-books.js';
import { isCapturable } from './recovery-money.js';

export interface MoneyModel {
  payments: ScriptedPayment[];
}

/** One of the payments so far; there must be at least one. */
const nth = ({ payments }: Readonly<MoneyModel>, index: number): ScriptedPayment => payments[index % payments.length]!;

/** An action on a payment; `what` is printed if it fails. */
export class MoneyCommand implements fc.AsyncCommand<MoneyModel, MoneyHarness> {
  constructor(
    private readonly what: string,
    private readonly index: number,
    private readonly act: (payment: ScriptedPayment, harness: MoneyHarness) => Promise<void>,
    private readonly isPossible: (payment: ScriptedPayment) => boolean = () => true,
  ) {}

  check(model: Readonly<MoneyModel>): boolean {
    return model.payments.length > 0 && this.isPossible(nth(model, this.index));
  }

  async run(model: MoneyModel, harness: MoneyHarness): Promise<void> {
    const payment = nth(model, this.index);
    await this.act(payment, harness);
    await payment.check();
    requireAmounts(await harness.ledgers([payment.id]));
  }

  toString(): string {
    return `${this.what} of payment ${this.index}`;
  }
}

/** Begins with one payment more. */
export class Pay implements fc.AsyncCommand<MoneyModel, MoneyHarness> {
  constructor(
    private readonly capture: 'automatic' | 'manual',
    private readonly fate: Fate,
  ) {}

  check = (): boolean => true;

  async run(model: MoneyModel, harness: MoneyHarness): Promise<void> {
    const payment = await ScriptedPayment.pay(harness, this.capture, this.fate);
    model.payments.push(payment);
    await payment.check();
  }

  toString(): string {
    return `pay(${this.capture}, ${this.fate})`;
  }
}

/** Conditions that hold at all times, also while operations are open. */
function requireAmounts({ payments, refunds }: Ledgers): void {
  for (const payment of payments) assert.deepEqual(brokenAmounts(payment, refunds), [], `payment ${payment.id}`);
}

export interface Given {
  index: number;
  isHeld: boolean;
  part: Cents;
}

const reportedLater = ({ isHeld }: Pick<Given, 'isHeld'>): string => (isHeld ? ', reported later,' : '');

export const captureOf = (given: { index: number; amount: Cents | undefined; fate: Fate }): MoneyCommand =>
  new MoneyCommand(
    `capture ${given.amount ?? 'all'}, ${given.fate},`,
    given.index,
    (payment) => payment.capture(given.amount, given.fate),
    ({ money }) => money.status !== 'pending',
  );

export const cancelOf = (given: { index: number; fate: Fate }): MoneyCommand =>
  new MoneyCommand(
    `cancel, ${given.fate},`,
    given.index,
    (payment) => payment.cancel(given.fate),
    ({ money }) => money.status !== 'pending',
  );

export const refundOf = (given: {
  index: number;
  amount: Cents | undefined;
  fate: Fate;
  isConfirmed: boolean;
}): MoneyCommand =>
  new MoneyCommand(
    `refund ${given.amount ?? 'the rest'}, ${given.fate}${given.isConfirmed ? ', confirmed' : ''},`,
    given.index,
    (payment) => payment.refund(given.amount, given.fate, given.isConfirmed),
  );

export const refundsTogetherOf = (given: { index: number; count: number; amount: Cents }): MoneyCommand =>
  new MoneyCommand(
    `${given.count} refunds of ${given.amount} at once`,
    given.index,
    (payment) => payment.refundTogether(given.count, given.amount),
    ({ isCalm }) => isCalm,
  );

export const voidByHand = (given: Omit<Given, 'part'>): MoneyCommand =>
  new MoneyCommand(
    `void at the provider${reportedLater(given)}`,
    given.index,
    async (payment) => {
      payment.booked!.status = 'voided';
      if (payment.money.status !== 'pending') await payment.reported({ status: 'cancelled' }, given.isHeld);
      // a report about a call that may be under way waits for some seconds, and one of a void authorisation is not sent
      else payment.held.length = 0;
    },
    ({ booked }) => booked !== undefined && isCapturable(booked),
  );

export const captureByHand = (given: Given): MoneyCommand =>
  new MoneyCommand(
    `capture of ${given.part} at the provider${reportedLater(given)}`,
    given.index,
    (payment) => {
      const booked = payment.booked!;
      finishCapture(booked, booked.capturing ?? given.part);
      return payment.reported({ status: 'completed', amount: booked.captured }, given.isHeld);
    },
    ({ booked }) => booked?.status === 'authorized',
  );

export const refundByHand = (given: Given): MoneyCommand =>
  new MoneyCommand(
    `refund of ${given.part} at the provider${reportedLater(given)}`,
    given.index,
    (payment, { books }) => {
      const booked = payment.booked!;
      const refund = books.refundByHand(booked, Math.min(given.part, leftAt(booked)));
      return payment.reported({ status: 'refunded', booked: refund }, given.isHeld);
    },
    ({ booked, money }) => booked !== undefined && leftAt(booked) > 0 && !money.hasUnseenFailure,
  );

export function endOfRefund(given: Omit<Given, 'part'> & { which: number; isFailure: boolean }): MoneyCommand {
  const status = given.isFailure ? 'failed' : 'succeeded';
  const endingOf = ({ booked, money }: ScriptedPayment) => {
    const ending = (booked?.refunds ?? []).filter((each) =>
      given.isFailure ? each.status !== 'failed' && money.canFail(each) : each.status === 'pending',
    );
    return ending[given.which % Math.max(1, ending.length)];
  };
  return new MoneyCommand(
    `refund ${given.which} ${status} at the provider${reportedLater(given)}`,
    given.index,
    (payment) => {
      const booked = endingOf(payment)!;
      booked.status = status;
      return payment.reported({ status: given.isFailure ? 'refund_failed' : 'refunded', booked }, given.isHeld);
    },
    (payment) => endingOf(payment) !== undefined,
  );
}

export const deliveryOf = ({ index, ...how }: { index: number; isReversed: boolean; times: number }): MoneyCommand =>
  new MoneyCommand(
    `deliver ${JSON.stringify(how)}`,
    index,
    (payment) => payment.deliver(how),
    ({ held }) => held.length > 0,
  );

export const disputeOf = (given: { index: number; isLate: boolean } & Omit<DisputeReport, 'minute'>): MoneyCommand => {
  const { index, isLate, ...report } = given;
  return new MoneyCommand(
    `dispute ${JSON.stringify(report)}${isLate ? ', reported late,' : ''}`,
    index,
    (payment) => payment.dispute(report, isLate),
    ({ booked }) => booked !== undefined,
  );
};

export const syncOf = (index: number): MoneyCommand => new MoneyCommand('sync', index, (payment) => payment.sync());

export const lapseOf = (index: number): MoneyCommand =>
  new MoneyCommand(
    'lapse',
    index,
    (payment) => payment.lapse(),
    ({ money }) => money.isAuthorized,
  );

/** An open operation that a person may settle. */
const openOf = ({ money }: ScriptedPayment, which: number): ModelOperation | undefined => {
  const open = money.open.filter(({ kind }) => kind === 'refund' || money.isOngoing);
  return open[which % Math.max(1, open.length)];
};

export const settlementOf = ({ index, which }: { index: number; which: number }): MoneyCommand =>
  new MoneyCommand(
    `settle operation ${which}`,
    index,
    (payment) => payment.settle(openOf(payment, which)!),
    (payment) => openOf(payment, which) !== undefined,
  );

export const wrongSettlementOf = ({ index, which }: { index: number; which: number }): MoneyCommand =>
  new MoneyCommand(
    `settle operation ${which} wrongly`,
    index,
    (payment) => payment.settleWrongly(openOf(payment, which)!),
    (payment) => (openOf(payment, which)?.kind ?? 'refund') !== 'refund',
  );

export const excessiveSettlementOf = ({ index, which }: { index: number; which: number }): MoneyCommand =>
  new MoneyCommand(
    `settle operation ${which} with too much`,
    index,
    (payment) => payment.settleWithTooMuch(openOf(payment, which)!),
    (payment) => openOf(payment, which) !== undefined,
  );
