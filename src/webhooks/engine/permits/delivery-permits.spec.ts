import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answering, backlogged, dealt, laneOf, timeOut } from '../../../../test/support/app/permit-lanes.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { memoryInUse } from '../../../../test/support/memory-in-use.js';
import { FAST_MAX, SLOW_MAX } from './concurrency-limit.js';
import { DeliveryPermits } from './delivery-permits.js';
import type { Arrival, PermitLane } from './permit-lane.js';
import { sharesOf } from './permit-room.js';

const SIZE = 64;

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

  it('keeps nothing of deliveries of several merchants that come one after the other', () => {
    const DELIVERIES = 20_000;
    const permits = new DeliveryPermits(1_024);
    const lanes = [100, 200, 300].map((id) => answering(permits, id));
    const deliver = (lane: PermitLane): void => {
      permits.ask(lane, 4);
      const grant = permits.deal().get(lane)!;
      permits.ask(lane, 0);
      permits.settle(lane, grant, [1_000]);
      permits.release(lane, 1, 1_000);
    };
    for (let time = 0; time < 1_000; time++) lanes.forEach(deliver);
    const before = memoryInUse();
    for (let time = 0; time < DELIVERIES / lanes.length; time++) lanes.forEach(deliver);
    expect((memoryInUse() - before) / DELIVERIES).toBeLessThan(50); // bytes
    expect(permits.total).toBe(0);
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
