import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sweepCrashes } from '../../explore/crash-sweep.js';
import {
  fewDeliveries,
  FOUND_SEEDS,
  manyDeadOrigins,
  oneDeadPath,
  sharedSlowOrigin,
} from '../../explore/known-scenarios.js';
import type { Violation } from '../../explore/oracle.js';
import { MUTANTS } from '../../explore/mutants.js';
import { simulate } from '../../explore/simulation.js';
import type { ScenarioOptions } from '../../explore/scenario.js';
import { planScenario } from '../../explore/scenario-plan.js';
import { runs } from '../../support/fuzz/runs.js';

const SCENARIOS = runs(6);

/** The short form of `npm run explore`, docs/internals/testing.md. */
describe('webhook delivery in simulated scenarios', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  /** Returns the first violation with its seed. */
  const firstIn = async (
    seeds: number[],
    options?: ScenarioOptions,
  ): Promise<(Violation & { seed: number }) | undefined> => {
    for (const seed of seeds) {
      const { violation } = await simulate(planScenario(seed), options);
      if (violation !== undefined) return { seed, ...violation };
    }
    return undefined;
  };
  const seedsFrom = (first: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => first + index);

  it(`breaks no invariant in ${SCENARIOS} scenarios`, async () => {
    expect(await firstIn(seedsFrom(1, SCENARIOS))).toBeUndefined();
  }, 300_000);

  it.each(FOUND_SEEDS)('breaks no invariant in scenario $seed, where once $because', async ({ seed }) => {
    expect(await firstIn([seed])).toBeUndefined();
  });

  const scenarios = [
    { what: '100 shops share an origin that answers in a second', plan: sharedSlowOrigin() },
    { what: 'one path of an origin is dead', plan: oneDeadPath() },
    { what: 'most origins are dead', plan: manyDeadOrigins() },
  ];
  it.each(scenarios)('breaks no invariant where $what', async ({ plan }) => {
    expect((await simulate(plan)).violation).toBeUndefined();
  });

  it('survives a crash of a worker at each of its calls', async () => {
    const { runs, found } = await sweepCrashes(fewDeliveries(), 60);
    expect(found).toEqual([]);
    expect(runs).toBeGreaterThan(60);
  });

  it('repeats a scenario exactly', async () => {
    const twice = [
      await simulate(planScenario(7), { isTraced: true }),
      await simulate(planScenario(7), { isTraced: true }),
    ];
    expect(twice[0]).toEqual(twice[1]);
    expect(twice[0]!.trace.length).toBeGreaterThan(20);
  });

  describe('the oracle', () => {
    it.each(['attempt cut short', 'attempt without request'])('finds "%s" in the old engine', async (invariant) => {
      const plan = invariant === 'attempt cut short' ? sharedSlowOrigin() : oneDeadPath();
      expect((await simulate(plan, { engine: 'old' })).violation).toMatchObject({ invariant });
    });

    it.each(MUTANTS)('finds "$finds" where the store $does', async ({ finds, Store }) => {
      expect(await firstIn(seedsFrom(1, 20), { Store })).toMatchObject({ invariant: finds });
    });
  });
});
