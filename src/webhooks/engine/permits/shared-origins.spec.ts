import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answering, dealt, laneOf, timeOut } from '../../../../test/support/app/permit-lanes.js';
import { FAST_MAX, MIN, SLOW_MAX } from './concurrency-limit.js';
import { DeliveryPermits } from './delivery-permits.js';
import type { PermitLane } from './permit-lane.js';

describe('DeliveryPermits of an origin that several merchants send to', () => {
  it('deals out more of an origin’s connections when another worker has gone', () => {
    const permits = new DeliveryPermits(1_024);
    permits.shareAmong(4);
    const lanes = Array.from({ length: 50 }, (_, shop) => answering(permits, 100 + shop, 'http://shared'));
    dealt(permits, lanes, 8);
    permits.shareAmong(2);
    permits.deal();
    const held = lanes.reduce((sum, lane) => sum + lane.held, 0);
    expect(held).toBeGreaterThan(FAST_MAX / 4);
    expect(held).toBeLessThanOrEqual(FAST_MAX / 2);
  });

  it('gives the connection that a shared origin frees to the merchant whose turn it is', () => {
    const permits = new DeliveryPermits(1_024);
    const first = answering(permits, 100, 'http://shared', 200, 1_000);
    const second = answering(permits, 200, 'http://shared', 200, 1_000);
    dealt(permits, [first]);
    dealt(permits, [first, second]);
    const held = second.held;
    for (let freed = 0; freed < 16; freed++) {
      permits.release(first, 1, first.bodyBytes);
      permits.ask(first, 1_000);
      permits.deal();
    }
    expect(second.held).toBeGreaterThanOrEqual(held + 4);
  });

  it('leaves three quarters of an origin to others than its dead paths', () => {
    const permits = new DeliveryPermits(1_024);
    const dead = Array.from({ length: 20 }, (_, index) =>
      laneOf(permits, 100 * (index + 1), 'unanswered', 'http://shared'),
    );
    expect(dealt(permits, dead).reduce((sum, count) => sum + count)).toBe(SLOW_MAX / 4);
    expect(dealt(permits, [answering(permits, 9_900, 'http://shared', 200, 1_000)])[0]).toBeGreaterThanOrEqual(
      SLOW_MAX / 2,
    );
  });

  it('leaves half of an origin to those that answer, also when time-outs have shrunk it under what its dead paths hold', () => {
    const permits = new DeliveryPermits(1_024);
    const healthy = answering(permits, 9_900, 'http://shared');
    const dead = Array.from({ length: FAST_MAX / 2 }, (_, index) =>
      laneOf(permits, 100 + index, 'new', 'http://shared'),
    );
    expect(dealt(permits, dead).reduce((sum, count) => sum + count)).toBe(FAST_MAX / 2);
    for (const lane of dead.slice(0, 8)) timeOut(permits, lane);
    expect(dealt(permits, [healthy], 8)).toEqual([8]);
  });

  it('leaves connections of an origin to others when a lane that held most of them answers no more', () => {
    const permits = new DeliveryPermits(1_024);
    const others = [200, 300, 400].map((id) => answering(permits, id, 'http://shared'));
    const turned = answering(permits, 100, 'http://shared');
    expect(dealt(permits, [turned])).toEqual([(FAST_MAX * 3) / 4]);
    for (let size = FAST_MAX; size > MIN; size /= 2) timeOut(permits, turned);
    expect(turned.standing).toBe('unanswered');
    expect(dealt(permits, others, 4)).toEqual([4, 4, 4]);
  });

  describe('leaves connections of an origin to another merchant when all lanes of one that answered hang', () => {
    function hanging(shops: number): { permits: DeliveryPermits; lanes: PermitLane[]; other: PermitLane } {
      const permits = new DeliveryPermits(1_024);
      const lanes = Array.from({ length: shops }, (_, shop) => answering(permits, 100 + shop, 'http://shared'));
      const other = answering(permits, 300, 'http://shared');
      dealt(permits, lanes);
      return { permits, lanes, other };
    }

    it.each([2, 60])('on %i lanes', (shops) => {
      const { permits, other } = hanging(shops);
      expect(dealt(permits, [other], 4)).toEqual([4]);
    });

    it('for each of its lanes once the claims of its others gave back what they did not need', () => {
      const { permits, other } = hanging(60);
      const others = [other, answering(permits, 301, 'http://shared'), answering(permits, 310, 'http://shared')];
      const grants = others.map((lane) => {
        permits.ask(lane, 4);
        return permits.deal().get(lane);
      });
      expect(grants.map((grant) => grant?.count)).toEqual([4, 4, undefined]);
      for (const at of [0, 1]) permits.settle(others[at]!, grants[at]!, [1_000]);
      expect(permits.deal().get(others[2]!)?.count).toBe(4);
    });

    const hangingStep = fc.record({
      act: fc.constantFrom('timeout', 'ask', 'answer'),
      lane: fc.nat(5),
      wanted: fc.integer({ min: 1, max: 4 }),
      times: fc.integer({ min: 1, max: 12 }),
    });

    it('as long as it has few in flight there, whatever it asks for and however many have timed out', () => {
      fc.assert(
        fc.property(fc.array(hangingStep, { maxLength: 150 }), (steps) => {
          const { permits, lanes } = hanging(60);
          const others = Array.from({ length: 6 }, (_, lane) => answering(permits, 300 + 3 * lane, 'http://shared'));
          const held = () => others.reduce((sum, lane) => sum + lane.held, 0);
          for (const { act, lane: index, wanted, times } of steps) {
            const lane = others[index]!;
            if (act === 'ask') permits.ask(lane, wanted);
            if (act === 'answer' && lane.held > 0) {
              permits.answered(lane, 5);
              permits.release(lane, 1, 1_000);
            }
            if (act === 'timeout') {
              for (const hung of lanes.filter((each) => each.held > 0).slice(0, times)) timeOut(permits, hung);
              for (const hung of lanes) permits.ask(hung, 2);
            }
            // each claim of the others brings one delivery
            for (let grants = permits.deal(); grants.size > 0; grants = permits.deal()) {
              for (const [granted, grant] of grants)
                permits.settle(granted, grant, Array<number>(lanes.includes(granted) ? grant.count : 1).fill(1_000));
            }
            if (held() < 8) expect(others.filter((other) => other.wanted > 0)).toEqual([]);
          }
        }),
        { numRuns: 60 },
      );
    });

    it('while their time-outs shrink the origin', () => {
      const { permits, lanes, other } = hanging(60);
      for (let round = 0; round < 20; round++) {
        for (const lane of lanes.filter(({ held }) => held > 0).slice(0, 20)) timeOut(permits, lane);
        dealt(permits, lanes);
        expect(dealt(permits, [other], 1)).toEqual([1]);
        permits.answered(other, 5);
        permits.release(other, 1, other.bodyBytes);
        dealt(permits, lanes);
      }
    });
  });

  it.each([1, 4])(
    'lets many merchants with a few each hold no more of an origin than it has, with %i workers',
    (workers) => {
      const permits = new DeliveryPermits(1_024);
      permits.shareAmong(workers);
      const lanes = Array.from({ length: 40 }, (_, at) =>
        answering(permits, 100 * at + 100, 'http://shared', 200, 1_000),
      );
      for (const lane of lanes) dealt(permits, [lane], 8);
      expect(permits.total).toBeLessThanOrEqual(SLOW_MAX / workers);
    },
  );

  it('lets a merchant that has an origin to itself hold all of its connections', () => {
    const permits = new DeliveryPermits(1_024);
    const lanes = Array.from({ length: 60 }, (_, shop) => answering(permits, 100 + shop, 'http://own'));
    expect(dealt(permits, lanes).reduce((sum, count) => sum + count, 0)).toBe(FAST_MAX);
  });
});
