import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FACTOR, runs } from '../support/fuzz/runs.js';
import { ClockHarness } from '../support/model/clock-harness.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';

// The clocks of processes differ from the clock of the database by up to an hour and are set while payments are made:
// docs/operate/clocks.md. Processes also freeze. MODEL_SEED repeats a run. GENERATED_FACTOR makes a run longer.

const SEED = Number(process.env['MODEL_SEED'] ?? 20_261_123);
const SCENARIOS = runs(0.25);
const STEPS = 12;
const PLAN = { apis: 2, longestFreezeMs: 12_000 };

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  process.stdout.write(`clocks: seed ${SEED}, ${SCENARIOS} scenarios of ${STEPS} steps\n`);
  await receiver.stop();
});

describe('processes with wrong clocks', () => {
  it(
    'lose nothing and do nothing too early',
    async () => {
      const wrong: string[] = [];
      for (let number = 0; number < SCENARIOS; number++) {
        const harness = await ClockHarness.start(PLAN, new SeededRandom(SEED, number), receiver);
        try {
          for (let step = 0; step < STEPS; step++) await harness.step();
          await harness.finish();
        } finally {
          await harness.stop();
        }
        wrong.push(...harness.wrong.map((each) => `harness ${number}: ${each}`));
      }
      expect(wrong).toEqual([]);
    },
    300_000 * (FACTOR + 1),
  );
});
