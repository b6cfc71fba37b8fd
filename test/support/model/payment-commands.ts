import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareLedgers, type Ledgers } from '../ledger/ledger.js';
import type { PaymentAnswer } from '../app/merchant.js';
import {
  AFTER_CREATION,
  afterCancel,
  afterRefund,
  afterTelling,
  canBecome,
  type Status,
  tellable,
  type Token,
  TOKENS,
} from './payment-model.js';
import { type FlowName, type PaymentHarness, SHOPS_OF_FAILOVER } from './payment-harness.js';

/** A payment as the model has it. */
interface ModelPayment {
  answer: PaymentAnswer;
  token: Token;
  status: Status;
}

export interface Model {
  payments: ModelPayment[];
}

/** Something that is done; `what` is what a failure prints. */
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
/** One of the payments so far, of which there is at least one. */
const nth = ({ payments }: Readonly<Model>, index: number): ModelPayment => payments[index % payments.length]!;
const hasPayments = ({ payments }: Readonly<Model>): boolean => payments.length > 0;

/** At every moment: a payment is completed only by money that the provider has taken. */
function requireMoneyOfCompleted({ payments, transactions }: Ledgers): void {
  for (const { id } of payments.filter(({ status }) => status === 'completed')) {
    const taken = transactions.filter((one) => one.payment_id === id && /captured|refunded/.test(one.status));
    assert.equal(taken.length, 1, `payment ${id} is completed, and ${taken.length} charges were taken for it`);
  }
}

/** The payment has one of these statuses now, which the model takes over. */
async function follow(harness: PaymentHarness, payment: ModelPayment, allowed: readonly Status[]): Promise<void> {
  const { status } = await harness.merchant.payment(payment.answer.id);
  const what = `payment ${payment.answer.id} of ${payment.token} was ${payment.status} and is ${status}`;
  assert.ok(allowed.includes(status as Status), `${what}, allowed: ${allowed.join(', ')}`);
  payment.status = status as Status;
}

/** Something may have been learnt of every payment: what the table of transitions allows, and no refund out of nothing. */
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
  // a machine that is busy elsewhere lets any answer come too late
  const isUnanswered = operations.at(-1)?.state === 'unknown';
  // a shop that failed too often is not asked (docs/decisions/013-shop-health.md)
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

/** It is over, and its charge or what undoes it is not: what is signed about that is believed, and may be no lie. */
async function isOpenToWords(harness: PaymentHarness, { answer, status }: ModelPayment): Promise<boolean> {
  if (status !== 'failed' && status !== 'cancelled') return false;
  const { operations } = await harness.ledgers([answer.id]);
  return operations.some(({ state }) => state !== 'confirmed' && state !== 'refused');
}

async function tell(harness: PaymentHarness, payment: ModelPayment, index: number, times: number): Promise<void> {
  if (await isOpenToWords(harness, payment)) return;
  const choices = tellable(payment.status, payment.token);
  const told = choices[index % choices.length]!;
  const answers = await harness.notify(payment.answer, told, times);
  assert.ok(
    answers.every((answer) => answer === 200),
    `a notification is answered ${answers.join(', ')}`,
  );
  await follow(harness, payment, [afterTelling(payment.status, told)]);
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

/** What such a charge took cannot be given back when it comes too late: an operation stays open for a person. */
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
      (model) => hasPayments(model) && tellable(nth(model, index).status, nth(model, index).token).length > 0,
      (model, harness) => tell(harness, nth(model, index), which, times),
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

/** What is done in a run, in the order of what it costs to shrink. */
export const paymentCommands = (maxCommands: number) =>
  fc.commands(
    [creations, deaths, arrivals, actions, notifications, releases, choices, expiries, recoveries, creations, actions],
    { maxCommands, size: 'max' },
  );

/** Everything comes to rest, and both sides agree. */
export async function requireAgreement(model: Model, harness: PaymentHarness): Promise<void> {
  const ledgers = await harness.rest(model.payments.map(({ answer }) => answer));
  await followAll(harness, model);
  const { disagreements } = compareLedgers(ledgers);
  assert.deepEqual(
    disagreements.map(({ kind, text }) => `${kind}: ${text}`),
    [],
  );
}
