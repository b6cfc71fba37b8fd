import { beforeEach, describe, expect, it } from '@jest/globals';
import { LaneFloors } from './lane-floors.js';

const LANE = 7;

describe('the floor of a lane', () => {
  let now: number;
  let floors: LaneFloors;

  beforeEach(() => {
    now = 1_000_000;
    floors = new LaneFloors(() => now);
  });

  it('does not exist before the first claim', () => {
    expect(floors.of(LANE)).toBe(-Infinity);
  });

  it('lies a second below the oldest that was claimed', () => {
    floors.found(LANE, floors.of(LANE), 500);
    expect(floors.of(LANE)).toBe(499);
  });

  it('is left out of one claim in a second', () => {
    floors.found(LANE, floors.of(LANE), 500);
    now += 1_000;
    expect(floors.of(LANE)).toBe(-Infinity);
    floors.found(LANE, -Infinity, 501);
    expect(floors.of(LANE)).toBe(500);
  });

  it('is left out seldom when that takes long', () => {
    floors.found(LANE, floors.of(LANE), 500);
    floors.sweptIn(100);
    now += 1_999;
    expect(floors.of(LANE)).toBe(499);
    now += 1;
    expect(floors.of(LANE)).toBe(-Infinity);
  });

  it('is lowered to what is claimable again', () => {
    floors.found(LANE, floors.of(LANE), 500);
    floors.lower(LANE, 450);
    expect(floors.of(LANE)).toBe(449);
    floors.lower(LANE, 480);
    expect(floors.of(LANE)).toBe(449);
  });

  it('stays low when it is lowered while a claim is under way that looked too early', () => {
    floors.found(LANE, floors.of(LANE), 500);
    const from = floors.of(LANE);
    floors.lower(LANE, 450);
    floors.found(LANE, from, 510);
    expect(floors.of(LANE)).toBe(449);
  });
});
