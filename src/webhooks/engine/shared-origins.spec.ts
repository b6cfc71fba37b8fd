import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { healthyLane, laneOf, reserved, timeOut, totalOf } from '../../../test/support/app/scheduled-lanes.js';
import type { ScheduledLane } from './capacity-pool.js';
import { FAST_MAX, MIN_LIMIT, SLOW_MAX } from './concurrency-limit.js';
import { DeliveryScheduler } from './delivery-scheduler.js';

const slotsOf = (lanes: ScheduledLane[]): number => totalOf(lanes.map(({ inFlight }) => inFlight));

describe('DeliveryScheduler at an origin that several merchants send to', () => {
  it('uses more of an origin’s connections when another worker has stopped', () => {
    const scheduler = new DeliveryScheduler(1_024);
    scheduler.shareAmong(4);
    const lanes = Array.from({ length: 50 }, (_, shop) => healthyLane(scheduler, 100 + shop, 'http://shared'));
    reserved(scheduler, lanes);
    const before = slotsOf(lanes);
    scheduler.shareAmong(2);
    scheduler.reserve();
    expect(before).toBeLessThanOrEqual(FAST_MAX / 4);
    expect(slotsOf(lanes)).toBeGreaterThan(before);
    expect(slotsOf(lanes)).toBeLessThanOrEqual(FAST_MAX / 2);
  });

  it('gives a released connection to the next merchant in round robin', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const first = healthyLane(scheduler, 100, 'http://shared', 200, 1_000);
    const second = healthyLane(scheduler, 200, 'http://shared', 200, 1_000);
    reserved(scheduler, [first]);
    reserved(scheduler, [first, second]);
    const held = second.inFlight;
    for (let freed = 0; freed < 16; freed++) {
      scheduler.release(first, 1, first.unitBytes);
      reserved(scheduler, [first]);
    }
    expect(second.inFlight).toBeGreaterThanOrEqual(held + 4);
  });

  it('serves the next waiting lane of the origin when a lane cancels its request', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const lanes = Array.from({ length: 10 }, (_, at) =>
      healthyLane(scheduler, 100 * (at + 1), 'http://shared', 200, 1_000),
    );
    const [leaving, waiting, ...full] = lanes as [ScheduledLane, ScheduledLane, ...ScheduledLane[]];
    expect(totalOf(reserved(scheduler, full, false))).toBe(SLOW_MAX);
    expect(reserved(scheduler, [leaving, waiting], false)).toEqual([0, 0]);
    for (const lane of full) scheduler.release(lane, 4, 4 * lane.unitBytes);
    scheduler.cancel(leaving);
    expect(scheduler.reserve().get(waiting)?.slots).toBe(4);
  });

  it('limits the unresponsive paths of an origin to a quarter of its connections', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const dead = Array.from({ length: 20 }, (_, index) =>
      laneOf(scheduler, 100 * (index + 1), 'unresponsive', 'http://shared'),
    );
    expect(totalOf(reserved(scheduler, dead))).toBe(SLOW_MAX / 4);
    expect(reserved(scheduler, [healthyLane(scheduler, 9_900, 'http://shared', 200, 1_000)])[0]).toBeGreaterThanOrEqual(
      SLOW_MAX / 2,
    );
  });

  it('keeps half of an origin for healthy lanes, even if time-outs have shrunk it below the slots of its dead paths', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const healthy = healthyLane(scheduler, 9_900, 'http://shared');
    const dead = Array.from({ length: FAST_MAX / 2 }, (_, index) =>
      laneOf(scheduler, 100 + index, 'untried', 'http://shared'),
    );
    expect(totalOf(reserved(scheduler, dead))).toBe(FAST_MAX / 2);
    for (const lane of dead.filter(({ inFlight }) => inFlight > 0).slice(0, 8)) timeOut(scheduler, lane);
    expect(reserved(scheduler, [healthy], false)).toEqual([4]);
  });

  it('keeps connections of an origin for other lanes when the lane with most of them stops answering', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const others = [200, 300, 400].map((id) => healthyLane(scheduler, id, 'http://shared'));
    const turned = healthyLane(scheduler, 100, 'http://shared');
    expect(reserved(scheduler, [turned])).toEqual([FAST_MAX * (3 / 4) * (7 / 8)]);
    for (let size = FAST_MAX; size > MIN_LIMIT; size /= 2) timeOut(scheduler, turned);
    expect(turned.health).toBe('unresponsive');
    expect(reserved(scheduler, others, false)).toEqual([4, 4, 4]);
  });

  describe('keeps connections for another merchant when all lanes of one merchant are unresponsive', () => {
    function hanging(shops: number): { scheduler: DeliveryScheduler; lanes: ScheduledLane[]; other: ScheduledLane } {
      const scheduler = new DeliveryScheduler(1_024);
      const lanes = Array.from({ length: shops }, (_, shop) => healthyLane(scheduler, 100 + shop, 'http://shared'));
      const other = healthyLane(scheduler, 300, 'http://shared');
      reserved(scheduler, lanes);
      return { scheduler, lanes, other };
    }

    it.each([2, 60])('on %i lanes', (shops) => {
      const { scheduler, other } = hanging(shops);
      expect(reserved(scheduler, [other], false)).toEqual([4]);
    });

    const hangingStep = fc.record({
      act: fc.constantFrom('timeout', 'request', 'answer'),
      lane: fc.nat(5),
      times: fc.integer({ min: 1, max: 12 }),
    });

    it('while it has few attempts in flight, for any requests and any number of time-outs', () => {
      fc.assert(
        fc.property(fc.array(hangingStep, { maxLength: 150 }), (steps) => {
          const { scheduler, lanes } = hanging(60);
          const others = Array.from({ length: 6 }, (_, lane) =>
            healthyLane(scheduler, 300 + 3 * lane, 'http://shared'),
          );
          for (const { act, lane: index, times } of steps) {
            const lane = others[index]!;
            if (act === 'request' && lane.inFlight < 4) scheduler.request(lane);
            if (act === 'answer' && lane.inFlight > 0) {
              scheduler.answered(lane, 5);
              scheduler.release(lane, 1, 1_000);
            }
            if (act === 'timeout') {
              for (const hung of lanes.filter((each) => each.inFlight > 0).slice(0, times)) timeOut(scheduler, hung);
              for (const hung of lanes) scheduler.request(hung);
            }
            // each claim of the others brings one delivery
            for (let grants = scheduler.reserve(); grants.size > 0; grants = scheduler.reserve()) {
              for (const [granted, { slots, bytes }] of grants) {
                scheduler.cancel(granted);
                const units = Array<number>(lanes.includes(granted) ? slots : 1).fill(1_000);
                scheduler.commit(granted, { slots, bytes }, units);
              }
            }
            if (slotsOf(others) < MIN_LIMIT) expect(others.filter(({ waitsFor }) => waitsFor)).toEqual([]);
          }
        }),
        { numRuns: 60 },
      );
    });

    it('while their time-outs shrink the origin', () => {
      const { scheduler, lanes, other } = hanging(60);
      for (let round = 0; round < 20; round++) {
        for (const lane of lanes.filter(({ inFlight }) => inFlight > 0).slice(0, 20)) timeOut(scheduler, lane);
        reserved(scheduler, lanes);
        const [got] = reserved(scheduler, [other], false);
        expect(got).toBeGreaterThanOrEqual(1);
        scheduler.cancel(other);
        scheduler.answered(other, 5);
        scheduler.release(other, got!, got! * other.unitBytes);
        reserved(scheduler, lanes);
      }
    });
  });

  it.each([1, 4])('limits many merchants together to the connections of an origin, with %i workers', (workers) => {
    const scheduler = new DeliveryScheduler(1_024);
    scheduler.shareAmong(workers);
    const lanes = Array.from({ length: 40 }, (_, at) =>
      healthyLane(scheduler, 100 * at + 100, 'http://shared', 200, 1_000),
    );
    for (const lane of lanes) reserved(scheduler, [lane]);
    expect(slotsOf(lanes)).toBeLessThanOrEqual(SLOW_MAX / workers);
  });

  it('gives all connections of an origin to the only merchant that sends to it', () => {
    const scheduler = new DeliveryScheduler(1_024);
    const lanes = Array.from({ length: 60 }, (_, shop) => healthyLane(scheduler, 100 + shop, 'http://own'));
    expect(totalOf(reserved(scheduler, lanes))).toBe(FAST_MAX);
  });
});
