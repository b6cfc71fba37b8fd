import { beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_WAITING, MAX_WAITING_IDLE, IDLE_AFTER_MS, RedeliveryPace } from './redelivery-pace.js';

const PER_SECOND = 50;
const STEP_MS = 100;

describe('RedeliveryPace', () => {
  let ms: number;
  let pace: RedeliveryPace;
  let newest: number;
  beforeEach(() => {
    [ms, newest] = [0, 1];
    pace = new RedeliveryPace(PER_SECOND, () => ms);
    pace.observe(newest);
  });

  const newDelivery = (): void => pace.observe(++newest);
  /** Takes the maximum of each merchant in every step for `forMs`. Returns how many deliveries each got. */
  function redeliver(merchantIds: number[], forMs: number, others = true): number[] {
    const got = merchantIds.map(() => 0);
    for (const end = ms + forMs; ms < end; ms += STEP_MS) {
      if (others) newDelivery();
      else pace.observe(newest);
      for (const [at, merchantId] of merchantIds.entries()) {
        const count = Math.min(pace.allowed(merchantId), pace.capacity({ redelivered: got[at]!, waiting: 0 }));
        pace.take(merchantId, count);
        got[at]! += count;
      }
    }
    return got;
  }

  it('limits a merchant to the rate while there are new deliveries', () => {
    const [got] = redeliver([7], 10_000);
    expect(got).toBeGreaterThanOrEqual(PER_SECOND * 9.8);
    expect(got).toBeLessThanOrEqual(PER_SECOND * 10.3);
  });

  it('limits all merchants together to twice the rate', () => {
    const total = redeliver([1, 2, 3, 4, 5], 10_000).reduce((sum, each) => sum + each, 0);
    expect(total).toBeGreaterThanOrEqual(2 * PER_SECOND * 9.8);
    expect(total).toBeLessThanOrEqual(2 * PER_SECOND * 10.3);
  });

  it('grants no more than a small burst after a long pause', () => {
    redeliver([7], 1_000);
    ms += 60_000;
    newDelivery();
    expect(pace.allowed(7)).toBeLessThanOrEqual(PER_SECOND / 4);
  });

  it('allows one delivery per second at the smallest rate', () => {
    pace = new RedeliveryPace(1, () => ms);
    expect(redeliver([7], 10_000)[0]).toBe(10);
  });

  it('keeps the rate for a while after the last new delivery, then follows the speed of the receivers', () => {
    expect(redeliver([7], IDLE_AFTER_MS, false)[0]).toBeLessThanOrEqual(
      (PER_SECOND * IDLE_AFTER_MS) / 1_000 + PER_SECOND / 4,
    );
    expect(pace.isIdle).toBe(true);
    expect(pace.allowed(7)).toBe(Infinity);
    expect(redeliver([7], 1_000, false)[0]).toBe(MAX_WAITING + 9 * MAX_WAITING_IDLE);
  });

  it('returns to the rate after a new delivery', () => {
    ms += IDLE_AFTER_MS;
    expect(pace.isIdle).toBe(true);
    newDelivery();
    expect(pace.isIdle).toBe(false);
    expect(pace.allowed(7)).toBeLessThan(MAX_WAITING);
  });

  it('pauses longer after a step while there are new deliveries', () => {
    const busy = pace.pausePerWork;
    ms += IDLE_AFTER_MS;
    expect(busy).toBeGreaterThan(pace.pausePerWork);
  });

  it.each([
    [0, 0, MAX_WAITING],
    [100, 0, MAX_WAITING_IDLE],
    [100, 1, MAX_WAITING - 1],
    [100, MAX_WAITING, 0],
    [100, MAX_WAITING_IDLE, MAX_WAITING - MAX_WAITING_IDLE],
  ])('allows a job with %d redelivered and %d waiting %d more while idle', (redelivered, waiting, capacity) => {
    ms += IDLE_AFTER_MS;
    expect(pace.capacity({ redelivered, waiting })).toBe(capacity);
  });

  it.each([0, 5])('limits a job with %d waiting while there are new deliveries', (waiting) => {
    expect(pace.capacity({ redelivered: 100, waiting })).toBe(MAX_WAITING - waiting);
  });
});
