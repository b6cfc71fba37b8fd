import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { healthyLane, laneOf, reserved, timeOut, totalOf } from '../../../test/support/app/scheduled-lanes.js';
import { runs } from '../../../test/support/fuzz/runs.js';
import { memoryInUse } from '../../../test/support/memory-in-use.js';
import type { ScheduledLane } from './capacity-pool.js';
import { FAST_MAX, SLOW_MAX } from './concurrency-limit.js';
import { DeliveryScheduler } from './delivery-scheduler.js';

const SIZE = 64;
const inFlight = (scheduler: DeliveryScheduler): number => totalOf(scheduler.load.slots);

describe('DeliveryScheduler', () => {
  it('gives a lane with a backlog all slots of its class when no other lane waits', () => {
    const scheduler = new DeliveryScheduler(1_024);
    expect(reserved(scheduler, [healthyLane(scheduler, 100)])).toEqual([(FAST_MAX * 7) / 8]);
  });

  it('gives a lane without a backlog a few slots', () => {
    const scheduler = new DeliveryScheduler(1_024);
    expect(reserved(scheduler, [healthyLane(scheduler, 100)], false)).toEqual([4]);
  });

  it('limits an untried lane to two slots', () => {
    const scheduler = new DeliveryScheduler(16);
    const lanes = [100, 200, 300, 400, 500].map((id) => laneOf(scheduler, id));
    expect(reserved(scheduler, lanes)).toEqual([2, 2, 2, 2, 0]);
  });

  it('limits a slow endpoint to its connections', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const [one, other] = reserved(
      scheduler,
      [100, 200].map((id) => healthyLane(scheduler, id, 'http://shared', 200, 1_000)),
    );
    expect(one! + other!).toBeLessThanOrEqual(SLOW_MAX);
    expect(Math.abs(one! - other!)).toBeLessThanOrEqual(4);
  });

  it.each([2, 3, 8, 200])('uses its share of an origin’s connections among %i workers, at least one', (workers) => {
    const scheduler = new DeliveryScheduler(1_024);
    scheduler.shareAmong(workers);
    const lanes = Array.from({ length: 50 }, (_, shop) => healthyLane(scheduler, 100 + shop, 'http://shared'));
    const total = totalOf(reserved(scheduler, lanes));
    expect(total).toBeGreaterThanOrEqual(1);
    expect(total).toBeLessThanOrEqual(Math.ceil(FAST_MAX / workers));
  });

  it('serves merchants in round robin, then shops, then lanes', () => {
    const scheduler = new DeliveryScheduler(SIZE);
    const lanes = [100, 101, 110, 200].map((id) => healthyLane(scheduler, id));
    const [a, b, c, other] = reserved(scheduler, lanes);
    expect(other! - (a! + b! + c!)).toBeLessThanOrEqual(4);
    expect(Math.abs(c! - (a! + b!))).toBeLessThanOrEqual(8);
  });

  it('shares the slots of a busy origin evenly, regardless of the backlogs', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const lanes = Array.from({ length: 50 }, (_, shop) =>
      healthyLane(scheduler, 100 + 10 * shop, 'http://shared', 200, 1_000),
    );
    const got = lanes.map(() => 0);
    for (let round = 0; round < 200; round++) {
      for (const [index, count] of reserved(scheduler, lanes, round % 2 === 0).entries()) got[index]! += count;
      for (const lane of lanes) if (lane.inFlight > 0) scheduler.release(lane, 1, lane.unitBytes);
    }
    expect(Math.max(...got)).toBeLessThan(2 * Math.min(...got));
  });

  it.each<[ScheduledLane['health'], number]>([
    ['untried', 1 / 2],
    ['unresponsive', 1 / 4],
  ])('limits %s lanes to their share of the process', (health, share) => {
    const scheduler = new DeliveryScheduler(SIZE);
    const lanes = Array.from({ length: 100 }, (_, index) => laneOf(scheduler, 100 * (index + 1), health));
    expect(totalOf(reserved(scheduler, lanes))).toBe(SIZE * share);
    expect(reserved(scheduler, [healthyLane(scheduler, 99_900)], false)).toEqual([4]);
  });

  it('limits the unresponsive lanes of one merchant to a part of that share', () => {
    const scheduler = new DeliveryScheduler(SIZE);
    const lanes = Array.from({ length: 99 }, (_, index) => laneOf(scheduler, 100 + index, 'unresponsive'));
    expect(totalOf(reserved(scheduler, lanes))).toBe((SIZE * 3) / 16);
    expect(reserved(scheduler, [laneOf(scheduler, 200, 'unresponsive')])).toEqual([2]);
  });

  it('gives an untried lane the slot that unresponsive lanes of its merchant request repeatedly', () => {
    const scheduler = new DeliveryScheduler(4);
    const dead = [101, 102].map((id) => laneOf(scheduler, id, 'unresponsive'));
    expect(totalOf(reserved(scheduler, dead))).toBe(1);
    const untried = laneOf(scheduler, 103);
    reserved(scheduler, [untried]);
    for (let round = 0; round < 2 && untried.inFlight === 0; round++) {
      const holder = dead.find((lane) => lane.inFlight > 0)!;
      timeOut(scheduler, holder);
      reserved(scheduler, [holder]);
    }
    expect(untried.inFlight).toBe(1);
  });

  it('treats an untried lane as unresponsive after a time-out, and as healthy after its next answer', () => {
    const scheduler = new DeliveryScheduler(SIZE);
    const lane = laneOf(scheduler, 100);
    scheduler.unanswered(lane);
    expect(lane.health).toBe('unresponsive');
    scheduler.answered(lane, 5);
    expect(lane.health).toBe('healthy');
  });

  it('treats a lane as healthy after one time-out among many answers', () => {
    const scheduler = new DeliveryScheduler(SIZE);
    const lane = healthyLane(scheduler, 100);
    scheduler.unanswered(lane);
    expect(lane.health).toBe('healthy');
  });

  it('reserves an eighth of the process for interactive lanes', () => {
    const scheduler = new DeliveryScheduler(SIZE);
    reserved(
      scheduler,
      [100, 200, 300].map((id) => healthyLane(scheduler, id)),
    );
    expect(inFlight(scheduler)).toBe((SIZE * 7) / 8);
    expect(reserved(scheduler, [healthyLane(scheduler, 400)], false)).toEqual([4]);
  });

  it('limits the bytes in flight by the size of the lane’s last bodies', () => {
    const scheduler = new DeliveryScheduler(1_024, 4_000_000);
    const large = healthyLane(scheduler, 100);
    scheduler.request(large);
    scheduler.commit(large, scheduler.reserve().get(large)!, [250_000]);
    reserved(scheduler, [large]);
    expect(scheduler.load.bytes).toBeLessThanOrEqual(4_000_000 + 250_000);
    expect(scheduler.load.bytes).toBeGreaterThan(3_000_000);
  });

  it('releases slots that a claim did not need', () => {
    const scheduler = new DeliveryScheduler(SIZE);
    const lane = laneOf(scheduler, 100);
    scheduler.request(lane);
    scheduler.commit(lane, scheduler.reserve().get(lane)!, []);
    expect([inFlight(scheduler), scheduler.load.bytes, lane.inFlight]).toEqual([0, 0, 0]);
  });

  const step = fc.record({
    lane: fc.nat(19),
    act: fc.constantFrom('request', 'reserve', 'answer', 'timeout', 'nothing', 'cancel'),
    hasBacklog: fc.boolean(),
    slow: fc.boolean(),
  });

  it('exceeds no limit, and lets no lane wait for a free slot', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const scheduler = new DeliveryScheduler(SIZE);
        const lanes = Array.from({ length: 20 }, (_, index) =>
          laneOf(scheduler, 100 * (index % 3) + 100 + index, 'untried', `http://${index % 4}`),
        );
        const sent = new Map<ScheduledLane, number[]>(lanes.map((lane) => [lane, []]));
        const commitAll = (): void => {
          for (const [lane, reservation] of scheduler.reserve()) scheduler.commit(lane, reservation, []);
        };
        for (const { lane: index, act, hasBacklog, slow } of steps) {
          const lane = lanes[index]!;
          if (act === 'request') {
            lane.hasBacklog = hasBacklog;
            scheduler.request(lane);
          } else if (act === 'cancel') scheduler.cancel(lane);
          else if (act === 'reserve') {
            for (const [granted, reservation] of scheduler.reserve()) {
              const sizes = Array.from({ length: Math.ceil(reservation.slots / 2) }, () => (slow ? 1_000 : 3_000));
              scheduler.commit(granted, reservation, sizes);
              sent.get(granted)!.push(...sizes);
            }
            commitAll();
          } else {
            const size = sent.get(lane)!.pop();
            if (size === undefined) continue;
            if (act === 'answer') scheduler.answered(lane, slow ? 1_000 : 1);
            if (act === 'timeout') scheduler.unanswered(lane);
            scheduler.release(lane, 1, size);
          }
          expectBounds(scheduler, lanes);
        }
        for (const lane of lanes) for (const size of sent.get(lane)!) scheduler.release(lane, 1, size);
        for (let rounds = 0; rounds < 100; rounds++) commitAll();
        expect([inFlight(scheduler), scheduler.load.bytes, ...scheduler.waiting]).toEqual([0, 0, 0, 0, 0, 0]);
      }),
      { numRuns: runs(75) },
    );
  });

  it('uses no memory for finished deliveries of several merchants', () => {
    const DELIVERIES = 20_000;
    const scheduler = new DeliveryScheduler(1_024);
    const lanes = [100, 200, 300].map((id) => healthyLane(scheduler, id));
    const deliver = (lane: ScheduledLane): void => {
      scheduler.request(lane);
      const reservation = scheduler.reserve().get(lane)!;
      scheduler.cancel(lane);
      scheduler.commit(lane, reservation, [1_000]);
      scheduler.release(lane, 1, 1_000);
    };
    for (let time = 0; time < 1_000; time++) lanes.forEach(deliver);
    const before = memoryInUse();
    for (let time = 0; time < DELIVERIES / lanes.length; time++) lanes.forEach(deliver);
    expect((memoryInUse() - before) / DELIVERIES).toBeLessThan(50); // bytes
    expect(inFlight(scheduler)).toBe(0);
  });
});

function expectBounds(scheduler: DeliveryScheduler, lanes: ScheduledLane[]): void {
  const held = (of: ScheduledLane[]) => totalOf(of.map((lane) => lane.inFlight));
  expect(inFlight(scheduler)).toBe(held(lanes));
  expect(inFlight(scheduler)).toBeLessThanOrEqual(SIZE);
  for (const merchant of [1, 2, 3])
    expect(held(lanes.filter(({ info }) => info.merchant_id === merchant))).toBeLessThanOrEqual((SIZE * 3) / 4);
  for (const origin of [0, 1, 2, 3])
    expect(held(lanes.filter(({ info }) => info.origin === `http://${origin}`))).toBeLessThanOrEqual(FAST_MAX);
  expect(lanes.every((lane) => lane.inFlight >= 0)).toBe(true);
}
