import { beforeEach, describe, expect, it } from '@jest/globals';
import { TokenBucket } from './token-bucket.js';

describe('TokenBucket', () => {
  let ms: number;
  let bucket: TokenBucket;
  beforeEach(() => {
    ms = 1_000;
    bucket = new TokenBucket({ perSecond: 10, capacity: 5, now: () => ms });
  });

  it('starts full, and never exceeds its capacity', () => {
    ms += 60_000;
    expect([bucket.available, bucket.isFull]).toEqual([5, true]);
  });

  it('refills at its rate', () => {
    bucket.take(5);
    expect([bucket.available, bucket.isFull]).toEqual([0, false]);
    ms += 150;
    expect(bucket.available).toBeCloseTo(1.5);
    ms += 350;
    expect(bucket.isFull).toBe(true);
  });

  it('allows in any period at most its rate plus one burst', () => {
    let taken = 0;
    for (const end = ms + 10_000; ms < end; ms += 7) {
      const tokens = Math.floor(bucket.available);
      bucket.take(tokens);
      taken += tokens;
    }
    expect(taken).toBeLessThanOrEqual(10 * 10 + 5);
    expect(taken).toBeGreaterThanOrEqual(10 * 10);
  });

  it('allows a debt, and reports the time until it is paid', () => {
    bucket.take(8);
    expect([bucket.available, bucket.waitMs]).toEqual([-3, 300]);
    ms += 300;
    expect([bucket.available, bucket.waitMs]).toEqual([0, 0]);
  });

  it('reports no waiting time while tokens are available', () => {
    bucket.take(4);
    expect(bucket.waitMs).toBe(0);
  });
});
