import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CapacityPool, type LaneClass } from '../../src/webhooks/engine/capacity-pool.js';
import { ADDRESSES, ENDPOINT, p99Of, planOutage } from '../explore/endpoint-outage.js';
import { DroppingStore } from '../explore/mutants.js';
import { RecoveringStore } from '../explore/recovering-store.js';
import { RETRY_DELAYS_MS } from '../explore/scenario-plan.js';
import { simulate, type Verdict } from '../explore/simulation.js';
import { FACTOR } from '../support/fuzz/runs.js';

/** At least so long that more than a hundred deliveries fail for good. */
const OUTAGE_MS = (FACTOR > 1 ? 60 : 26) * 60_000;
const SEEDS = FACTOR > 1 ? [1, 2] : [1];
/** Attempts of a run of the schedule. */
const RUN = RETRY_DELAYS_MS.length + 1;
/** The outage may multiply the 99th percentile of other addresses by this. */
const MAX_RATIO = 1.25;

const afterOutage = (seed: number, Store = RecoveringStore): Promise<Verdict> =>
  simulate(planOutage(seed, OUTAGE_MS), { Store });
const undelivered = ({ deliveries }: Verdict): number[] =>
  deliveries.filter(({ history }) => history.at(-1)?.statusCode !== 200).map(({ id }) => id);
const calmRuns = new Map<number, Promise<Verdict>>();
/** The run without an outage, simulated once per seed. */
function calmRun(seed: number): Promise<Verdict> {
  const run = calmRuns.get(seed) ?? simulate(planOutage(seed, OUTAGE_MS, false));
  calmRuns.set(seed, run);
  return run;
}
/** For each address of payments: its 99th percentile, as a multiple of the one without an outage. */
async function ratios(seed: number, verdict: Verdict): Promise<number[]> {
  const calm = await calmRun(seed);
  return ADDRESSES.map((laneId) => p99Of(verdict, laneId) / p99Of(calm, laneId));
}

/** In virtual time: six merchants, and a standing endpoint of one of them that does not answer for a while. */
describe('an outage of a standing endpoint', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(SEEDS)(
    'ends with every delivery delivered in order, and delays no other address, with seed %i',
    async (seed) => {
      const verdict = await afterOutage(seed);
      expect(verdict.violation).toBeUndefined();
      expect(undelivered(verdict)).toEqual([]);
      const failedForGood = verdict.deliveries.filter(({ attempts }) => attempts > RUN);
      expect(new Set(failedForGood.map(({ endpointId }) => endpointId))).toEqual(new Set([ENDPOINT]));
      expect(failedForGood.length).toBeGreaterThan(100);
      expect(Math.max(...(await ratios(seed, verdict)))).toBeLessThanOrEqual(MAX_RATIO);
    },
    300_000,
  );

  it('ends with a delivery undelivered where the recovery drops one', async () => {
    const verdict = await afterOutage(1, DroppingStore);
    expect([verdict.violation, undelivered(verdict).length]).toEqual([undefined, 1]);
  }, 300_000);

  it('delays other addresses where unresponsive endpoints may take all slots', async () => {
    const { admits } = CapacityPool.prototype as { admits: (this: CapacityPool, laneClass: LaneClass) => boolean };
    const asInteractive = jest.spyOn(CapacityPool.prototype, 'admits').mockImplementation(function (
      this: CapacityPool,
    ) {
      return admits.call(this, 0);
    });
    const verdict = await afterOutage(1);
    asInteractive.mockRestore();
    expect([verdict.violation, undelivered(verdict)]).toEqual([undefined, []]);
    expect(Math.max(...(await ratios(1, verdict)))).toBeGreaterThan(MAX_RATIO);
  }, 300_000);
});
