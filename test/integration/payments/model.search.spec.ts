import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { type Model, paymentCommands, requireAgreement } from '../../support/model/payment-commands.js';
import type { MoneyModel } from '../../support/model/money/money-commands.js';
import { moneySequences, requireSameMoney, SETTLED } from '../../support/model/money/money-sequences.js';
import { MoneyHarness } from '../../support/model/money/money-harness.js';
import { PaymentHarness } from '../../support/model/payment-harness.js';
import { FACTOR, runs } from '../../support/fuzz/runs.js';

// After any sequence of commands, payments have the statuses of the reference model, and the provider's charges agree
// when nothing is open. Their money (test/support/model/money) is exactly as expected. MODEL_SEED repeats a run, GENERATED_FACTOR multiplies its length.

const SEED = Number(process.env['MODEL_SEED'] ?? 20_261_122);
const RUNS = runs(4, 1 / 2);
const MAX_COMMANDS = 12;
const MAX_SHRINKING_MS = 60_000;

const MONEY_RUNS = runs(2, 1 / 2);
const MAX_MONEY_COMMANDS = 24;

type Example = [(typeof SETTLED)[number], boolean];
/** Each with and without look-ups of refunds; in the short form only those that end with a refund, the last two. */
const EXAMPLES = SETTLED.flatMap((commands, index): Example[] => {
  const hasBoth = FACTOR > 1 || index >= SETTLED.length - 2;
  return hasBoth
    ? [
        [commands, true],
        [commands, false],
      ]
    : [[commands, index % 2 === 0]];
});

let harness: PaymentHarness;
let money: MoneyHarness;

beforeAll(async () => {
  harness = await PaymentHarness.start();
  money = await MoneyHarness.start();
});
afterAll(async () => {
  process.stdout.write(
    `model of payments: seed ${SEED}, ${RUNS} runs of up to ${MAX_COMMANDS} commands, of their money ${MONEY_RUNS} of up to ${MAX_MONEY_COMMANDS}\n`,
  );
  await harness.stop();
  await money.stop();
});

describe('payments compared with their reference model', () => {
  it(
    'pass only through allowed statuses, and agree with the provider when nothing is open',
    async () => {
      const property = fc.asyncProperty(paymentCommands(MAX_COMMANDS), async (commands) => {
        const model: Model = { payments: [] };
        await fc.asyncModelRun(() => ({ model, real: harness }), commands);
        await requireAgreement(model, harness);
      });
      await fc.assert(property, {
        seed: SEED,
        numRuns: RUNS,
        interruptAfterTimeLimit: 600_000 * FACTOR,
        markInterruptAsFailure: false,
      });
    },
    600_000 * FACTOR + MAX_SHRINKING_MS,
  );

  it(
    'PaymentModel predicts status, amounts, refunds, disputes, webhooks and events after every command',
    async () => {
      const property = fc.asyncProperty(
        moneySequences(MAX_MONEY_COMMANDS),
        fc.boolean(),
        async (commands: Iterable<fc.AsyncCommand<MoneyModel, MoneyHarness>>, findsRefunds) => {
          const model: MoneyModel = { payments: [] };
          money.books.findsRefunds = findsRefunds;
          await fc.asyncModelRun(() => ({ model, real: money }), commands);
          await requireSameMoney(model, money);
        },
      );
      await fc.assert(property, {
        seed: SEED,
        numRuns: EXAMPLES.length + MONEY_RUNS,
        endOnFailure: true,
        examples: EXAMPLES,
        interruptAfterTimeLimit: 600_000 * FACTOR,
        markInterruptAsFailure: false,
      });
    },
    600_000 * FACTOR + MAX_SHRINKING_MS,
  );
});
