import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  anyCounter,
  anySituation,
  drawing,
  load,
  type Situation,
  stateAt as state,
} from '../../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { isEligible } from '../definition/eligibility.js';
import { explanationOf } from '../simulation/explanation.js';
import { type Decision, decide, decideAmong } from '../decision/decision.js';
import { candidatesFor } from '../decision/candidates.js';

const ids = (shops: readonly { shop: { id: number } }[]): number[] => shops.map(({ shop }) => shop.id);
const decideIn = ({ definition, disabled, statsByShop, segments, request, counter, draw }: Situation): Decision =>
  decide(load(definition, disabled), request, state(counter, draw, statsByShop, segments));

describe('every strategy', () => {
  it('never picks or falls back to an ineligible shop, and finds an eligible one if there is one', () => {
    fc.assert(
      fc.property(anySituation, ({ definition, disabled, statsByShop, segments, request, counter, draw }) => {
        const flow = load(definition, disabled);
        const { shop, declined, fallbacks } = decide(flow, request, state(counter, draw, statsByShop, segments));
        const routes = flow.routes.filter(({ matches }) => matches(request));
        // no later rule is tried after one that declines, or whose shops do not take what it refuses
        const last = routes.findIndex(({ decline, refuses }) => decline || refuses);
        const declines = routes[last]?.decline ? last : -1;
        const reachable = (last < 0 ? routes : routes.slice(0, last + 1)).flatMap(({ pool }) => pool?.shops ?? []);
        const isUp = (id: number) => declines < 0 || statsByShop.get(id)?.health !== 'unhealthy';
        expect(shop !== undefined).toBe(reachable.some((each) => isEligible(each, request) && isUp(each.shop.id)));
        expect(declined).toBe(shop ? undefined : routes[declines]?.decline);
        for (const each of [...(shop ? [shop] : []), ...fallbacks]) expect(isEligible(each, request)).toBe(true);
        const tried = ids([...(shop ? [shop] : []), ...fallbacks]);
        expect(new Set(tried).size).toBe(tried.length);
      }),
      { numRuns: runs(150) },
    );
  });

  it('never picks an unhealthy shop while a healthy one is eligible', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const { shop, fallbacks, trace } = decideIn(situation);
        const isDown = (id: number) => situation.statsByShop.get(id)?.health === 'unhealthy';
        expect(shop !== undefined && isDown(shop.shop.id)).toBe(trace.least_bad ?? false);
        expect(ids(fallbacks).filter(isDown)).toEqual([]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('picks the same shop in a simulation as for a payment with the same counter and random number', () => {
    fc.assert(
      fc.property(anySituation, ({ definition, disabled, statsByShop, segments, request, counter, draw }) => {
        const simulated = decide(load(definition, disabled), request, state(counter, draw, statsByShop, segments));
        const candidates = candidatesFor(load(definition, disabled), request, statsByShop, segments);
        // a payment asks for a counter only if its decision uses it
        const live = decideAmong(candidates, { counter: candidates.usesCounter ? counter : 0, random: drawing(draw) });
        expect(live.shop).toEqual(simulated.shop);
        expect(live.fallbacks).toEqual(simulated.fallbacks);
        expect(simulated.usesCounter).toBe(candidates.usesCounter);
      }),
      { numRuns: runs(150) },
    );
  });

  it('makes the same decision from the recorded inputs', () => {
    fc.assert(
      fc.property(anySituation, ({ definition, statsByShop, segments, request, counter, draw }) => {
        const { trace } = decide(load(definition), request, state(counter, draw, statsByShop, segments));
        const stored = JSON.parse(JSON.stringify(trace)) as typeof trace;
        expect(stored).toEqual(trace);
        const { reasoning } = stored;
        const recorded = reasoning && 'draw' in reasoning ? reasoning.draw : Number.NaN;
        const again = reasoning && 'counter' in reasoning ? reasoning.counter : 0;
        expect(decide(load(definition), request, state(again, recorded, statsByShop, segments)).trace).toEqual(trace);
      }),
      { numRuns: runs(150) },
    );
  });

  it('ignores the order of shops in the definition', () => {
    fc.assert(
      fc.property(anySituation, ({ definition, statsByShop, segments, request, counter, draw }) => {
        const reversed = { ...definition, shops: definition.shops.toReversed() };
        const [one, other] = [definition, reversed].map((each) =>
          decide(load(each), request, state(counter, draw, statsByShop, segments)),
        );
        expect(one!.trace).toEqual(other!.trace);
      }),
    );
  });

  it('records the failed tests of every shop, and none for a healthy pick', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const { shop, fallbacks, trace } = decideIn(situation);
        const shops = explanationOf(trace).shops;
        expect(shops.map((each) => each.shop_id).sort()).toEqual(
          situation.definition.shops.map((each) => each.shop_id).sort(),
        );
        const failing = new Set(
          shops.filter(({ tests }) => Object.values(tests).includes('failed')).map((each) => each.shop_id),
        );
        expect(ids(fallbacks).filter((id) => failing.has(id))).toEqual([]);
        expect(shops.filter((each) => each.picked).map((each) => each.shop_id)).toEqual(shop ? [shop.shop.id] : []);
        if (shop && !trace.least_bad) expect(failing.has(shop.shop.id)).toBe(false);
        if (!shop) expect(failing.size).toBe(shops.length);
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('round_robin', () => {
  it('picks each eligible shop exactly once in any cycle', () => {
    fc.assert(
      fc.property(anySituation, anyCounter, ({ definition, request }, start) => {
        const flow = load({ strategy: 'round_robin', shops: definition.shops });
        const eligible = ids(flow.shops.filter((shop) => isEligible(shop, request)));
        const cycle = eligible.map((_, step) => decide(flow, request, state(start + step)).shop!.shop.id);
        expect(cycle.sort()).toEqual(eligible.sort());
      }),
    );
  });
});
