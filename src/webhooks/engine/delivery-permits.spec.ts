import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../test/support/fuzz/runs.js';
import { FAST_MAX, MIN, SLOW_MAX } from './concurrency-limit.js';
import { type Arrival, DeliveryPermits, type PermitLane } from './delivery-permits.js';
import { sharesOf } from './permit-room.js';

const SIZE = 64;

/** Lane `id` of merchant `id / 100` and shop `id / 10`, each with an origin of its own unless one is given. */
function laneOf(permits: DeliveryPermits, id: number, arrival: Arrival = 'new', origin = `http://${id}`): PermitLane {
  const info = { id, shop_id: Math.floor(id / 10), merchant_id: Math.floor(id / 100), origin };
  return permits.lane(info, arrival);
}

/** A lane that has answered `answers` times within `durationMs`. */
function answering(
  permits: DeliveryPermits,
  id: number,
  origin?: string,
  answers = FAST_MAX,
  durationMs = 5,
): PermitLane {
  const lane = laneOf(permits, id, 'new', origin);
  for (let answer = 0; answer < answers; answer++) permits.answered(lane, durationMs);
  return lane;
}

/** One whose last claim brought as much as it might, and that holds nothing. */
function backlogged(permits: DeliveryPermits, id: number, origin?: string, durationMs = 5): PermitLane {
  const lane = answering(permits, id, origin, FAST_MAX, durationMs);
  permits.ask(lane, 1);
  const grant = permits.deal().get(lane)!;
  permits.settle(lane, grant, [lane.bodyBytes]);
  permits.release(lane, 1, lane.bodyBytes);
  return lane;
}

/** Permits that each lane got. */
function dealt(permits: DeliveryPermits, lanes: PermitLane[], wanted = 1_000): number[] {
  for (const lane of lanes) permits.ask(lane, wanted);
  const grants = permits.deal();
  return lanes.map((lane) => grants.get(lane)?.count ?? 0);
}

function timeOut(permits: DeliveryPermits, lane: PermitLane): void {
  permits.unanswered(lane);
  permits.release(lane, 1, lane.bodyBytes);
}

describe('DeliveryPermits', () => {
  it('gives one lane all that its level allows when nobody else waits', () => {
    const permits = new DeliveryPermits(1_024);
    expect(dealt(permits, [answering(permits, 100)])).toEqual([(FAST_MAX * 7) / 8]);
  });

  it('gives two to a lane that holds none, so that one claim tells whether there is a second delivery', () => {
    const permits = new DeliveryPermits(16);
    const lanes = [100, 200, 300, 400, 500].map((id) => laneOf(permits, id));
    expect(dealt(permits, lanes)).toEqual([2, 2, 2, 2, 0]);
  });

  it('keeps a slow endpoint to its connections', () => {
    const permits = new DeliveryPermits(1_024);
    const [one, other] = dealt(
      permits,
      [100, 200].map((id) => answering(permits, id, 'http://shared', 200, 1_000)),
    );
    expect(one! + other!).toBeLessThanOrEqual(SLOW_MAX);
    expect(Math.abs(one! - other!)).toBeLessThanOrEqual(2);
  });

  it.each([2, 3, 8, 200])(
    'takes its share of an origin’s connections among %i workers, and at least one',
    (workers) => {
      const permits = new DeliveryPermits(1_024);
      permits.shareAmong(workers);
      const lanes = Array.from({ length: 50 }, (_, shop) => answering(permits, 100 + shop, 'http://shared'));
      const total = dealt(permits, lanes).reduce((sum, count) => sum + count, 0);
      expect(total).toBeGreaterThanOrEqual(1);
      expect(total).toBeLessThanOrEqual(Math.ceil(FAST_MAX / workers));
    },
  );

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

  it('serves merchants in turn, then shops, then lanes', () => {
    const permits = new DeliveryPermits(SIZE);
    const lanes = [100, 101, 110, 200].map((id) => answering(permits, id));
    const [a, b, c, other] = dealt(permits, lanes);
    expect(other! - (a! + b! + c!)).toBeLessThanOrEqual(1);
    expect(Math.abs(c! - (a! + b!))).toBeLessThanOrEqual(4);
  });

  it('gives a lane with a backlog and a quick endpoint four turns at once', () => {
    const permits = new DeliveryPermits(1_024);
    const lanes = Array.from({ length: 50 }, (_, shop) => backlogged(permits, 100 + 10 * shop, 'http://shared'));
    expect([...new Set(dealt(permits, lanes, 4))].sort()).toEqual([0, 4]);
  });

  it('gives lanes with backlogs and others the same number of permits in the long run', () => {
    const permits = new DeliveryPermits(SIZE);
    const lanes = [
      backlogged(permits, 100),
      backlogged(permits, 200),
      answering(permits, 300),
      answering(permits, 400),
    ];
    const got = lanes.map(() => 0);
    for (let round = 0; round < 100; round++) {
      for (const [index, count] of dealt(permits, lanes, 4).entries()) got[index]! += count;
      for (const lane of lanes) permits.release(lane, Math.min(1, lane.held), lane.bodyBytes);
    }
    expect(Math.max(...got) - Math.min(...got)).toBeLessThanOrEqual(8);
  });

  it('gives a lane with a slow endpoint its turns one by one, whatever its backlog', () => {
    const permits = new DeliveryPermits(1_024);
    const lanes = Array.from({ length: 50 }, (_, shop) => backlogged(permits, 100 + 10 * shop, 'http://shared', 1_000));
    expect(Math.max(...dealt(permits, lanes, 4))).toBeLessThanOrEqual(2);
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

  it.each<[Arrival, number]>([
    ['new', 1 / 2],
    ['found', 3 / 8],
    ['unanswered', 1 / 4],
  ])('keeps lanes that are %s to their share of everything', (arrival, share) => {
    const permits = new DeliveryPermits(SIZE);
    const lanes = Array.from({ length: 100 }, (_, index) => laneOf(permits, 100 * (index + 1), arrival));
    expect(dealt(permits, lanes).reduce((sum, count) => sum + count)).toBe(SIZE * share);
    const healthy = answering(permits, 99_900);
    expect(dealt(permits, [healthy], 8)).toEqual([8]);
  });

  it('keeps the lanes of one merchant that do not answer to half of that', () => {
    const permits = new DeliveryPermits(SIZE);
    const lanes = Array.from({ length: 99 }, (_, index) => laneOf(permits, 100 + index, 'unanswered'));
    expect(dealt(permits, lanes).reduce((sum, count) => sum + count)).toBe(SIZE / 8);
    expect(dealt(permits, [laneOf(permits, 200, 'unanswered')])).toEqual([2]);
  });

  it('lets a new lane have a permit that lanes of its merchant which do not answer ask for again and again', () => {
    const permits = new DeliveryPermits(4);
    const dead = [101, 102].map((id) => laneOf(permits, id, 'unanswered'));
    expect(dealt(permits, dead, 1)).toEqual([1, 0]);
    const untried = laneOf(permits, 103);
    permits.ask(untried, 1);
    permits.deal();
    for (let turn = 0; turn < 2 && untried.held === 0; turn++) {
      const holder = dead.find(({ held }) => held > 0)!;
      timeOut(permits, holder);
      permits.ask(holder, 1);
      permits.deal();
    }
    expect(untried.held).toBe(1);
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

  it('counts a lane as unanswered after its first timeout here, and as answering with its next answer', () => {
    const permits = new DeliveryPermits(SIZE);
    const lane = laneOf(permits, 100);
    permits.unanswered(lane);
    expect(lane.standing).toBe('unanswered');
    permits.answered(lane, 5);
    expect(lane.standing).toBe('answering');
  });

  it('does not count a lane as unanswered for one timeout among many answers', () => {
    const permits = new DeliveryPermits(SIZE);
    const lane = answering(permits, 100);
    permits.unanswered(lane);
    expect(lane.standing).toBe('answering');
  });

  it('bounds the bytes of bodies in flight by what the lane had lately', () => {
    const permits = new DeliveryPermits(1_024, 4_000_000);
    const large = answering(permits, 100);
    permits.ask(large, 1);
    permits.settle(large, permits.deal().get(large)!, [250_000]);
    dealt(permits, [large]);
    expect(permits.heldBytes).toBeLessThanOrEqual(4_000_000 + 250_000);
    expect(permits.heldBytes).toBeGreaterThan(3_000_000);
  });

  it('forgets what it gave back', () => {
    const permits = new DeliveryPermits(SIZE);
    const lane = laneOf(permits, 100);
    permits.ask(lane, 2);
    permits.settle(lane, permits.deal().get(lane)!, []);
    expect([permits.total, permits.heldBytes, lane.held]).toEqual([0, 0, 0]);
  });

  const step = fc.record({
    lane: fc.nat(19),
    act: fc.constantFrom('ask', 'deal', 'answer', 'timeout', 'nothing', 'leave'),
    wanted: fc.integer({ min: 1, max: 200 }),
    slow: fc.boolean(),
  });

  it('exceeds no bound, and leaves no lane waiting for what is free', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const permits = new DeliveryPermits(SIZE);
        const lanes = Array.from({ length: 20 }, (_, index) =>
          laneOf(permits, 100 * (index % 3) + 100 + index, 'new', `http://${index % 4}`),
        );
        const inFlight = new Map<PermitLane, number[]>(lanes.map((lane) => [lane, []]));
        for (const { lane: index, act, wanted, slow } of steps) {
          const lane = lanes[index]!;
          if (act === 'ask') permits.ask(lane, wanted);
          else if (act === 'leave') permits.ask(lane, 0);
          else if (act === 'deal') {
            for (const [granted, grant] of permits.deal()) {
              const sizes = Array.from({ length: Math.ceil(grant.count / 2) }, () => 1_000 * (1 + (wanted % 3)));
              permits.settle(granted, grant, sizes);
              inFlight.get(granted)!.push(...sizes);
            }
            permits.deal().forEach((grant, granted) => permits.settle(granted, grant, []));
          } else {
            const size = inFlight.get(lane)!.pop();
            if (size === undefined) continue;
            if (act === 'answer') permits.answered(lane, slow ? 1_000 : 1);
            if (act === 'timeout') permits.unanswered(lane);
            permits.release(lane, 1, size);
          }
          expectBounds(permits, lanes);
        }
        for (let rounds = 0; rounds < 100; rounds++) {
          for (const [lane, grant] of permits.deal()) permits.settle(lane, grant, []);
          if (permits.waiting.every((count) => count === 0)) break;
        }
        for (const lane of lanes) for (const size of inFlight.get(lane)!) permits.release(lane, 1, size);
        for (let rounds = 0; rounds < 100; rounds++) {
          for (const [lane, grant] of permits.deal()) permits.settle(lane, grant, []);
        }
        expect([permits.total, permits.heldBytes, ...permits.waiting]).toEqual([0, 0, 0, 0, 0, 0, 0]);
      }),
      { numRuns: runs(75) },
    );
  });
});

function expectBounds(permits: DeliveryPermits, lanes: PermitLane[]): void {
  const held = (of: PermitLane[]) => of.reduce((sum, lane) => sum + lane.held, 0);
  expect(permits.total).toBe(held(lanes));
  expect(permits.total).toBeLessThanOrEqual(SIZE);
  for (const merchant of [1, 2, 3])
    expect(held(lanes.filter(({ info }) => info.merchant_id === merchant))).toBeLessThanOrEqual((SIZE * 3) / 4);
  for (const origin of [0, 1, 2, 3])
    expect(held(lanes.filter(({ info }) => info.origin === `http://${origin}`))).toBeLessThanOrEqual(FAST_MAX);
  expect(lanes.every((lane) => lane.held >= 0)).toBe(true);
  expect(sharesOf(SIZE)).toHaveLength(5);
}
