import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareLedgers } from '../../ledger/ledger.js';
import type { DisputeStatus, Kind } from './disputes.js';
import {
  cancelOf,
  captureByHand,
  captureOf,
  deliveryOf,
  disputeOf,
  endOfRefund,
  excessiveSettlementOf,
  lapseOf,
  type MoneyCommand,
  type MoneyModel,
  Pay,
  refundByHand,
  refundOf,
  refundsTogetherOf,
  settlementOf,
  syncOf,
  voidByHand,
  wrongSettlementOf,
} from './money-commands.js';
import type { MoneyHarness } from './money-harness.js';
import { AMOUNT } from './scripted-payment.js';
import type { Fate } from './provider-books.js';
import { reportedBy } from './reported-events.js';

type Command = fc.AsyncCommand<MoneyModel, MoneyHarness>;

/** The first of some commands that is possible. */
class FirstPossible implements fc.AsyncCommand<MoneyModel, MoneyHarness> {
  private chosen: MoneyCommand | undefined;

  constructor(private readonly candidates: readonly MoneyCommand[]) {}

  check(model: Readonly<MoneyModel>): boolean {
    this.chosen = this.candidates.find((each) => each.check(model));
    return this.chosen !== undefined;
  }

  run(model: MoneyModel, harness: MoneyHarness): Promise<void> {
    return this.chosen!.run(model, harness);
  }

  toString(): string {
    return this.chosen?.toString() ?? 'not possible';
  }
}

const index = fc.nat({ max: 1 });
const isHeld = fc.boolean();
const fate = fc.constantFrom<Fate>('answered', 'answered', 'lost', 'dropped', 'refused', 'pending');
/** `undefined`: all of it, or the rest. */
const amount = fc.constantFrom(undefined, undefined, 30_00, 19_90, 10_00, 1, AMOUNT, AMOUNT + 1);
const part = fc.constantFrom(AMOUNT, 30_00, 10_00, 1);
const which = fc.nat({ max: 3 });

const pays = fc
  .record({
    capture: fc.constantFrom('automatic' as const, 'manual' as const),
    fate: fc.constantFrom<Fate>('answered', 'answered', 'answered', 'lost', 'dropped'),
  })
  .map((given) => new Pay(given.capture, given.fate));

const captures = fc.record({ index, amount, fate }).map(captureOf);
const refunds = fc.record({ index, amount, fate, isConfirmed: fc.boolean() }).map(refundOf);
const atOnce = { index, count: fc.integer({ min: 2, max: 4 }), amount: fc.constantFrom(10_00, 19_90, 24_95) };
const ends = fc.record({ index, isHeld, which, isFailure: fc.boolean() }).map(endOfRefund);
const settlements = fc.record({ index, which }).map(settlementOf);
const disputes = fc.record({
  index,
  id: fc.constantFrom('A', 'B'),
  kind: fc.constantFrom<Kind>('inquiry', 'chargeback', 'chargeback', 'pre_arbitration'),
  status: fc.constantFrom<DisputeStatus>('open', 'under_review', 'won', 'lost', 'accepted'),
  amount: fc.constantFrom(AMOUNT, 10_00),
  isLate: fc.boolean(),
});

const commands: fc.Arbitrary<MoneyCommand> = fc.oneof(
  ...[captures, captures, refunds, refunds, ends, ends, settlements, settlements],
  fc.record({ index, fate }).map(cancelOf),
  fc.record(atOnce).map(refundsTogetherOf),
  index.map(lapseOf),
  index.map(syncOf),
  disputes.map(disputeOf),
  fc.record({ index, isHeld }).map(voidByHand),
  fc.record({ index, isHeld, part }).map(captureByHand),
  fc.record({ index, isHeld, part }).map(refundByHand),
  fc.record({ index, isReversed: fc.boolean(), times: fc.integer({ min: 1, max: 2 }) }).map(deliveryOf),
  fc.record({ index, which }).map(wrongSettlementOf),
  fc.record({ index, which }).map(excessiveSettlementOf),
);
const CANDIDATES = 4;

/** Payments, and then what happens to them. No `fc.commands`: most of its sequences have one or two commands. */
export const moneySequences = (maxCommands: number): fc.Arbitrary<Command[]> =>
  fc
    .tuple(
      fc.array(pays, { minLength: 1, maxLength: 2, size: 'max' }),
      fc.array(
        fc
          .array(commands, { minLength: CANDIDATES, maxLength: CANDIDATES })
          .map((candidates) => new FirstPossible(candidates)),
        { minLength: 1, maxLength: maxCommands, size: 'max' },
      ),
    )
    .map(([first, then]) => [...first, ...then]);

const heldOfFirst = { index: 0, isHeld: true };
const settle = settlementOf({ index: 0, which: 0 });
const contradict = wrongSettlementOf({ index: 0, which: 0 });
const lost = (amount: number | undefined) => captureOf({ index: 0, amount, fate: 'lost' });
const dropped = captureOf({ index: 0, amount: 10_00, fate: 'dropped' });
const returned = refundByHand({ ...heldOfFirst, part: AMOUNT });
const taken = captureByHand({ ...heldOfFirst, part: 30_00 });
const authorized = new Pay('manual', 'answered');
const excess = excessiveSettlementOf({ index: 0, which: 0 });
const refund = (fate: Fate) => refundOf({ index: 0, amount: 10_00, fate, isConfirmed: false });

/** Every outcome that a person can settle an operation with. */
export const SETTLED: readonly (readonly Command[])[] = [
  // a charge: captured, in part, not captured, refunded, voided
  [new Pay('automatic', 'lost'), contradict, excess, settle],
  [new Pay('manual', 'lost'), taken, contradict, settle],
  [new Pay('automatic', 'dropped'), contradict, settle],
  [new Pay('automatic', 'lost'), returned, settle],
  [new Pay('manual', 'lost'), voidByHand(heldOfFirst), contradict, settle],
  // a capture: captured, by another one, not captured, refunded, voided
  [authorized, lost(30_00), contradict, settle, lost(30_00), lost(10_00), lost(undefined)],
  [authorized, dropped, taken, excess, settle],
  [authorized, dropped, contradict, settle, lost(20_00)],
  [authorized, lost(30_00), returned, settle],
  [authorized, dropped, voidByHand(heldOfFirst), contradict, settle],
  // a void: voided, captured, not captured, refunded
  [authorized, cancelOf({ index: 0, fate: 'lost' }), contradict, excess, settle],
  [authorized, cancelOf({ index: 0, fate: 'dropped' }), taken, contradict, settle],
  [authorized, cancelOf({ index: 0, fate: 'dropped' }), settle, lost(20_00)],
  [authorized, cancelOf({ index: 0, fate: 'dropped' }), taken, returned, settle],
  // a refund: refunded, not refunded
  [new Pay('automatic', 'answered'), refund('lost'), excess, settle, refund('pending'), settle],
  [
    new Pay('automatic', 'answered'),
    refund('dropped'),
    settle,
    refundOf({ index: 0, amount: undefined, fate: 'lost', isConfirmed: false }),
    settle,
  ],
];

/** Everything that is on its way arrives; then both sides must agree, and the events show what has happened. */
export async function requireSameMoney({ payments }: MoneyModel, harness: MoneyHarness): Promise<void> {
  for (const payment of payments) {
    await payment.finish();
    await payment.check();
  }
  const ids = payments.map(({ id }) => id);
  const { disagreements } = compareLedgers(await harness.ledgers(ids));
  assert.deepEqual(
    disagreements.map(({ kind, text }) => `${kind}: ${text}`),
    [],
  );
  const expected = payments.map((payment) => payment.events);
  const events = await harness.newEvents(ids, expected.flat().length);
  for (const payment of payments) assert.deepEqual(reportedBy(payment.id, events), payment.events.sort());
}
