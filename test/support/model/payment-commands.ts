import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareLedgers, type Ledgers } from '../ledger/ledger.js';
import type { PaymentAnswer } from '../app/merchant.js';
import {
  AFTER_CREATION,
  afterCancel,
  afterRefund,
  afterReport,
  canBecome,
  type Status,
  reportable,
  type Token,
  TOKENS,
} from './payment-model.js';
import { type FlowName, type PaymentHarness, SHOPS_OF_FAILOVER } from './payment-harness.js';

/** A payment in the model. */
interface ModelPayment {
  answer: PaymentAnswer;
  token: Token;
  status: Status;
}

export interface Model {
  payments: ModelPayment[];
}

/** An action; `what` is printed if it fails. */
class PaymentCommand implements fc.AsyncCommand<Model, PaymentHarness> {
  constructor(
    private readonly what: string,
    private readonly isPossible: (model: Readonly<Model>) => boolean,
    private readonly act: (model: Model, harness: PaymentHarness) => Promise<void>,
  ) {}

  check(model: Readonly<Model>): boolean {
    return this.isPossible(model);
  }

  async run(model: Model, harness: PaymentHarness): Promise<void> {
    await this.act(model, harness);
    requireMoneyOfCompleted(await harness.ledgers(idsOf(model)));
  }

  toString(): string {
    return this.what;
  }
}

const idsOf = ({ payments }: Readonly<Model>): number[] => payments.map(({ answer }) => answer.id);
/** One of the payments so far; there must be at least one. */
const nth = ({ payments }: Readonly<Model>, index: number): ModelPayment => payments[index % payments.length]!;
const hasPayments = ({ payments }: Readonly<Model>): boolean => payments.length > 0;

/** Must hold at all times: a payment is only completed if the provider has captured its money. */
function requireMoneyOfCompleted({ payments, transactions }: Ledgers): void {
  for (const { id } of payments.filter(({ status }) => status === 'completed')) {
    const taken = transactions.filter((one) => one.payment_id === id && /captured|refunded/.test(one.status));
    assert.equal(taken.length, 1, `payment ${id} is completed, and ${taken.length} charges were captured for it`);
  }
}

/** Checks that the payment has one of these statuses, and updates the model. */
async function follow(harness: PaymentHarness, payment: ModelPayment, allowed: readonly Status[]): Promise<void> {
  const { status } = await harness.merchant.payment(payment.answer.id);
  const what = `payment ${payment.answer.id} of ${payment.token} was ${payment.status} and is ${status}`;
  assert.ok(allowed.includes(status as Status), `${what}, allowed: ${allowed.join(', ')}`);
  payment.status = status as Status;
}

/**
 * Any payment may have changed: checks that the table of transitions allows it, and that no refund appears without a
 * charge.
 */
async function followAll(harness: PaymentHarness, { payments }: Model): Promise<void> {
  for (const payment of payments) {
    const { status } = await harness.merchant.payment(payment.answer.id);
    await follow(harness, payment, canBecome(payment.status, status as Status) ? [status as Status] : [payment.status]);
  }
}

async function create(model: Model, harness: PaymentHarness, flow: FlowName, token: Token): Promise<void> {
  harness.held.isOpen = token === 'tok_early_notification';
  const answer = await harness.pay(flow, token);
  harness.held.isOpen = false;
  const payment = { answer, token, status: AFTER_CREATION[token] };
  model.payments.push(payment);
  const { operations } = await harness.ledgers([answer.id]);
  // on a busy machine any answer can be too late
  const isUnanswered = operations.at(-1)?.state === 'unknown';
  // a shop that failed too often is skipped (docs/decisions/013-shop-health.md)
  const isCutShort = flow === 'failover' && operations.length < SHOPS_OF_FAILOVER;
  await follow(harness, payment, [
    payment.status,
    ...(isUnanswered ? (['pending'] as const) : []),
    ...(isCutShort ? (['failed'] as const) : []),
  ]);
}

async function createAndDie(model: Model, harness: PaymentHarness, token: Token, isSent: boolean): Promise<void> {
  const payment = { answer: await harness.payAndDie(token, isSent), token, status: 'pending' } as const;
  model.payments.push({ ...payment });
}

async function act(harness: PaymentHarness, payment: ModelPayment, action: 'cancel' | 'refund'): Promise<void> {
  const expected = action === 'cancel' ? afterCancel(payment.status) : afterRefund(payment.status, payment.token);
  const answered = await harness.act(payment.answer.id, action);
  const what = `${action} of a payment of ${payment.token} that is ${payment.status} answers ${answered}`;
  assert.ok(expected[answered], what);
  await follow(harness, payment, expected[answered]);
}

/**
 * Whether the payment has ended but its charge or the reversal has not. A signed notification about it is believed
 * then, and must be true.
 */
async function believesNotifications(harness: PaymentHarness, { answer, status }: ModelPayment): Promise<boolean> {
  if (status !== 'failed' && status !== 'cancelled') return false;
  const { operations } = await harness.ledgers([answer.id]);
  return operations.some(({ state }) => state !== 'confirmed' && state !== 'refused');
}

async function notify(harness: PaymentHarness, payment: ModelPayment, index: number, times: number): Promise<void> {
  if (await believesNotifications(harness, payment)) return;
  const choices = reportable(payment.status, payment.token);
  const reported = choices[index % choices.length]!;
  const answers = await harness.notify(payment.answer, reported, times);
  assert.ok(
    answers.every((answer) => answer === 200),
    `a notification is answered ${answers.join(', ')}`,
  );
  await follow(harness, payment, [afterReport(payment.status, reported)]);
}

const indices = fc.nat({ max: 5 });
const once = fc.integer({ min: 1, max: 2 });

const creations = fc
  .record({ token: fc.constantFrom(...TOKENS), flow: fc.constantFrom<FlowName>('single', 'failover') })
  .map(
    ({ token, flow }) =>
      new PaymentCommand(
        `create(${flow}, ${token})`,
        () => true,
        (model, harness) => create(model, harness, flow, token),
      ),
  );

/** A late charge with this token cannot be refunded: its operation remains open for a person. */
const reversible = TOKENS.filter((token) => token !== 'tok_refund_refused');

const deaths = fc.record({ token: fc.constantFrom(...reversible), isSent: fc.boolean() }).map(
  ({ token, isSent }) =>
    new PaymentCommand(
      `die in create(${token}), ${isSent ? 'sent' : 'not sent'}`,
      () => true,
      (model, harness) => createAndDie(model, harness, token, isSent),
    ),
);

const arrivals = indices.map(
  (index) =>
    new PaymentCommand(`arrive(${index})`, hasPayments, async (model, harness) => {
      await harness.arrive(nth(model, index).answer.id);
      await followAll(harness, model);
    }),
);

const actions = fc
  .record({ index: indices, action: fc.constantFrom('cancel', 'refund') })
  .map(
    ({ index, action }) =>
      new PaymentCommand(`${action}(${index})`, hasPayments, (model, harness) =>
        act(harness, nth(model, index), action),
      ),
  );

const notifications = fc.record({ index: indices, which: fc.nat({ max: 11 }), times: once }).map(
  ({ index, which, times }) =>
    new PaymentCommand(
      `notify(${index}, ${which}, ${times} times)`,
      (model) => hasPayments(model) && reportable(nth(model, index).status, nth(model, index).token).length > 0,
      (model, harness) => notify(harness, nth(model, index), which, times),
    ),
);

const releases = fc.record({ times: once, isReversed: fc.boolean() }).map(
  (how) =>
    new PaymentCommand(`release(${JSON.stringify(how)})`, hasPayments, async (model, harness) => {
      await harness.held.release(how);
      await followAll(harness, model);
    }),
);

const choices = fc.record({ index: indices, choice: fc.constantFrom('approve', 'decline') }).map(
  ({ index, choice }) =>
    new PaymentCommand(`payer(${index}, ${choice})`, hasPayments, async (model, harness) => {
      await harness.choose(nth(model, index).answer, choice);
      await followAll(harness, model);
    }),
);

const expiries = indices.map(
  (index) =>
    new PaymentCommand(`expire(${index})`, hasPayments, async (model, harness) => {
      const payment = nth(model, index);
      await harness.expire([payment.answer.id]);
      await follow(harness, payment, payment.status === 'pending' ? ['pending', 'cancelled'] : [payment.status]);
    }),
);

const recoveries = fc.constant(null).map(
  () =>
    new PaymentCommand('recover', hasPayments, async (model, harness) => {
      await harness.recover(idsOf(model));
      await followAll(harness, model);
    }),
);

/** All commands, ordered by the cost of shrinking them. */
export const paymentCommands = (maxCommands: number) =>
  fc.commands(
    [creations, deaths, arrivals, actions, notifications, releases, choices, expiries, recoveries, creations, actions],
    { maxCommands, size: 'max' },
  );

/** Waits until everything has drained; then both sides must agree. */
export async function requireAgreement(model: Model, harness: PaymentHarness): Promise<void> {
  const ledgers = await harness.drain(model.payments.map(({ answer }) => answer));
  await followAll(harness, model);
  const { disagreements } = compareLedgers(ledgers);
  assert.deepEqual(
    disagreements.map(({ kind, text }) => `${kind}: ${text}`),
    [],
  );
}
