import { beforeEach, describe, expect, it } from '@jest/globals';
import { ScanCursors } from './scan-cursor.js';

const LANE = 7;

describe('the scan cursor of a lane', () => {
  let now: number;
  let cursors: ScanCursors;

  beforeEach(() => {
    now = 1_000_000;
    cursors = new ScanCursors(() => now);
  });

  it('starts with a sweep', () => {
    expect(cursors.begin(LANE)).toBe(-Infinity);
  });

  it('stays a second below the oldest claimed delivery', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    expect(cursors.begin(LANE)).toBe(499);
  });

  it('yields to a sweep once a second', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    now += 1_000;
    expect(cursors.begin(LANE)).toBe(-Infinity);
    cursors.advance(LANE, -Infinity, 501);
    expect(cursors.begin(LANE)).toBe(500);
  });

  it('yields to a sweep less often when sweeps take long', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    cursors.sweptIn(100);
    now += 1_999;
    expect(cursors.begin(LANE)).toBe(499);
    now += 1;
    expect(cursors.begin(LANE)).toBe(-Infinity);
  });

  it('falls to a delivery that becomes claimable again', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    cursors.lower(LANE, 450);
    expect(cursors.begin(LANE)).toBe(449);
    cursors.lower(LANE, 480);
    expect(cursors.begin(LANE)).toBe(449);
  });

  it('stays low when it was lowered during a claim', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    const from = cursors.begin(LANE);
    cursors.lower(LANE, 450);
    cursors.advance(LANE, from, 510);
    expect(cursors.begin(LANE)).toBe(449);
  });
});
