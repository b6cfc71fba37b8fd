import { beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_WAITING, MAX_WAITING_QUIET, QUIET_MS, RedeliveryPace } from './redelivery-pace.js';

const PER_SECOND = 50;
const STEP_MS = 100;

describe('RedeliveryPace', () => {
  let ms: number;
  let pace: RedeliveryPace;
  let newest: number;
  beforeEach(() => {
    [ms, newest] = [0, 1];
    pace = new RedeliveryPace(PER_SECOND, () => ms);
    pace.note(newest);
  });

  const newDelivery = (): void => pace.note(++newest);
  /** Takes all that each merchant may have, as many steps as `forMs` hold. Answers how many each got. */
  function redeliver(merchantIds: number[], forMs: number, others = true): number[] {
    const got = merchantIds.map(() => 0);
    for (const end = ms + forMs; ms < end; ms += STEP_MS) {
      if (others) newDelivery();
      else pace.note(newest);
      for (const [at, merchantId] of merchantIds.entries()) {
        const count = Math.min(pace.allowed(merchantId), pace.room({ redelivered: got[at]!, waiting: 0 }));
        pace.took(merchantId, count);
        got[at]! += count;
      }
    }
    return got;
  }

  it('keeps to so many a second of a merchant while others have new deliveries', () => {
    const [got] = redeliver([7], 10_000);
    expect(got).toBeGreaterThanOrEqual(PER_SECOND * 9.8);
    expect(got).toBeLessThanOrEqual(PER_SECOND * 10.3);
  });

  it('keeps to twice as many of all merchants', () => {
    const total = redeliver([1, 2, 3, 4, 5], 10_000).reduce((sum, each) => sum + each, 0);
    expect(total).toBeGreaterThanOrEqual(2 * PER_SECOND * 9.8);
    expect(total).toBeLessThanOrEqual(2 * PER_SECOND * 10.3);
  });

  it('does not make up for a long pause', () => {
    redeliver([7], 1_000);
    ms += 60_000;
    newDelivery();
    expect(pace.allowed(7)).toBeLessThanOrEqual(PER_SECOND / 4);
  });

  it('lets one through at the smallest rate', () => {
    pace = new RedeliveryPace(1, () => ms);
    expect(redeliver([7], 10_000)[0]).toBe(10);
  });

  it('keeps to the rate for a while after the last new delivery, then goes as fast as receivers answer', () => {
    expect(redeliver([7], QUIET_MS, false)[0]).toBeLessThanOrEqual((PER_SECOND * QUIET_MS) / 1_000 + PER_SECOND / 4);
    expect(pace.isQuiet).toBe(true);
    expect(pace.allowed(7)).toBe(Infinity);
    expect(redeliver([7], 1_000, false)[0]).toBe(MAX_WAITING + 9 * MAX_WAITING_QUIET);
  });

  it('takes a new delivery for the end of the quiet', () => {
    ms += QUIET_MS;
    expect(pace.isQuiet).toBe(true);
    newDelivery();
    expect(pace.isQuiet).toBe(false);
    expect(pace.allowed(7)).toBeLessThan(MAX_WAITING);
  });

  it('rests longer after a step while others have new deliveries', () => {
    const busy = pace.pausePerWork;
    ms += QUIET_MS;
    expect(busy).toBeGreaterThan(pace.pausePerWork);
  });

  it.each([
    [0, 0, MAX_WAITING],
    [100, 0, MAX_WAITING_QUIET],
    [100, 1, MAX_WAITING - 1],
    [100, MAX_WAITING, 0],
    [100, MAX_WAITING_QUIET, MAX_WAITING - MAX_WAITING_QUIET],
  ])('lets a job that has had %d, of which %d wait, have %d more in the quiet', (redelivered, waiting, room) => {
    ms += QUIET_MS;
    expect(pace.room({ redelivered, waiting })).toBe(room);
  });

  it.each([0, 5])('lets %d and no more than a few wait while others have new deliveries', (waiting) => {
    expect(pace.room({ redelivered: 100, waiting })).toBe(MAX_WAITING - waiting);
  });
});
