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

  it('does not exist before the first claim', () => {
    expect(cursors.begin(LANE)).toBe(-Infinity);
  });

  it('lies a second below the oldest that was claimed', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    expect(cursors.begin(LANE)).toBe(499);
  });

  it('is left out of one claim in a second', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    now += 1_000;
    expect(cursors.begin(LANE)).toBe(-Infinity);
    cursors.advance(LANE, -Infinity, 501);
    expect(cursors.begin(LANE)).toBe(500);
  });

  it('is left out seldom when that takes long', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    cursors.sweptIn(100);
    now += 1_999;
    expect(cursors.begin(LANE)).toBe(499);
    now += 1;
    expect(cursors.begin(LANE)).toBe(-Infinity);
  });

  it('is lowered to what is claimable again', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    cursors.lower(LANE, 450);
    expect(cursors.begin(LANE)).toBe(449);
    cursors.lower(LANE, 480);
    expect(cursors.begin(LANE)).toBe(449);
  });

  it('stays low when it is lowered while a claim is under way that looked too early', () => {
    cursors.advance(LANE, cursors.begin(LANE), 500);
    const from = cursors.begin(LANE);
    cursors.lower(LANE, 450);
    cursors.advance(LANE, from, 510);
    expect(cursors.begin(LANE)).toBe(449);
  });
});
