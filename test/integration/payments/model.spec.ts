import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { type Model, paymentCommands, requireAgreement } from '../../support/model/payment-commands.js';
import { PaymentHarness } from '../../support/model/payment-harness.js';
import { FACTOR, runs } from '../../support/fuzz/runs.js';

// After any sequence of commands, payments have the statuses of the reference model, and the provider's charges agree
// when nothing is open. MODEL_SEED repeats a run, GENERATED_FACTOR multiplies its length.

const SEED = Number(process.env['MODEL_SEED'] ?? 20_261_122);
const RUNS = runs(12);
const MAX_COMMANDS = 12;
const MAX_SHRINKING_MS = 60_000;

let harness: PaymentHarness;

beforeAll(async () => {
  harness = await PaymentHarness.start();
});
afterAll(async () => {
  process.stdout.write(`model of payments: seed ${SEED}, ${RUNS} runs of up to ${MAX_COMMANDS} commands\n`);
  await harness.stop();
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
});
