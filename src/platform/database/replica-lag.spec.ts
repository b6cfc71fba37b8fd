import { describe, expect, it } from '@jest/globals';
import { ReplicaLag } from './replica-lag.js';

describe('ReplicaLag', () => {
  it('reports 0 while the replica has replayed everything', () => {
    const lag = new ReplicaLag();
    lag.mark(0, 100);
    expect(lag.behindMs(1, 100)).toBe(0);
    lag.mark(60_000, 100);
    expect(lag.behindMs(60_001, 100)).toBe(0);
  });

  it('counts from the last time up to which the replica has replayed everything', () => {
    const lag = new ReplicaLag();
    lag.mark(0, 100);
    lag.mark(1_000, 200);
    lag.mark(2_000, 300);
    expect(lag.behindMs(2_001, 250)).toBe(1_001);
    lag.mark(9_000, 900);
    expect(lag.behindMs(9_001, 250)).toBe(8_001);
    expect(lag.behindMs(9_002, 900)).toBe(0);
  });

  it('knows no lag of a replica that was behind from the start', () => {
    const lag = new ReplicaLag();
    lag.mark(0, 100);
    expect(lag.behindMs(1, 99)).toBeUndefined();
    lag.mark(1_000, 200);
    expect(lag.behindMs(1_001, 100)).toBe(1_001);
  });

  it('starts again with a primary that is behind the previous one', () => {
    const lag = new ReplicaLag();
    lag.mark(0, 1_000);
    expect(lag.behindMs(1, 1_000)).toBe(0);
    lag.mark(1_000, 900);
    expect(lag.behindMs(1_001, 900)).toBe(0);
  });
});
