import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { FACTOR, runs } from '../../support/fuzz/runs.js';
import { disagreements } from '../../support/model/webhooks/agreement.js';
import { WebhookHistory } from '../../support/model/webhooks/history.js';
import { plans } from '../../support/model/webhooks/plan.js';
import { wrongRetention } from '../../support/model/webhooks/retention.js';
import { WebhookHarness } from '../../support/model/webhooks/webhook-harness.js';

// After any concurrent actions of merchants and operators, the API, the received webhooks and the reference model agree.
// MODEL_SEED repeats a run, GENERATED_FACTOR multiplies its length.

const SEED = Number(process.env['MODEL_SEED'] ?? 20_261_123);
const RUNS = runs(0.5);
const [MAX_MERCHANTS, MAX_BURSTS] = FACTOR > 1 ? [6, 8] : [3, 4];

let harness: WebhookHarness;
const counts = { merchants: 0, deliveries: 0, requests: 0 };

beforeAll(async () => {
  harness = await WebhookHarness.start();
});
afterAll(async () => {
  const done = `${counts.merchants} merchants, ${counts.deliveries} deliveries, ${counts.requests} requests`;
  process.stdout.write(`model of webhooks: seed ${SEED}, ${RUNS} runs, ${done}\n`);
  await harness.stop();
});

describe('webhooks compared with their reference model', () => {
  it(
    'agree with receivers and model when all work has ended',
    async () => {
      const property = fc.asyncProperty(plans(MAX_MERCHANTS, MAX_BURSTS), async (all) => {
        harness.wasCut = false;
        const histories = await Promise.all(all.map(() => WebhookHistory.start(harness)));
        await Promise.all(histories.map((history, index) => history.run(all[index]!)));
        await harness.drain(histories.map(({ merchantId }) => merchantId));
        const wrong: string[] = [];
        for (const history of histories) wrong.push(...(await disagreements(history, counts)));
        assert.deepEqual([...wrong, ...(wrong.length > 0 ? [] : await wrongRetention(harness, histories))], []);
      });
      // no shrinking: concurrent actions run in another order the next time, so a shorter plan would prove nothing
      await fc.assert(property, {
        seed: SEED,
        numRuns: RUNS,
        endOnFailure: true,
        interruptAfterTimeLimit: 600_000 * FACTOR,
        markInterruptAsFailure: false,
      });
    },
    600_000 * FACTOR + 60_000,
  );
});
