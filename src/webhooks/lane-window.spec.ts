import { describe, expect, it } from '@jest/globals';
import { LaneWindow, LaneWindows } from './lane-window.js';

const times = (count: number, work: () => void): void => {
  for (let done = 0; done < count; done++) work();
};

describe('LaneWindow', () => {
  it('starts with as many as there are connections to an origin', () => {
    expect(new LaneWindow().size).toBe(32);
  });

  it('grows while the endpoint is quick, up to 128', () => {
    const window = new LaneWindow();
    times(10, () => window.answered(5));
    expect(window.size).toBe(42);
    times(200, () => window.answered(5));
    expect(window.size).toBe(128);
  });

  it('falls back to the start when the endpoint gets slow', () => {
    const window = new LaneWindow();
    times(200, () => window.answered(5));
    window.answered(2_900);
    expect(window.size).toBe(32);
  });

  it('halves with every attempt without an answer, down to 8, and is won back answer by answer', () => {
    const window = new LaneWindow();
    const sizes = [1, 2, 3, 4].map(() => {
      window.unanswered();
      return window.size;
    });
    expect(sizes).toEqual([16, 8, 8, 8]);
    times(100, () => window.answered(2_900));
    expect(window.size).toBe(32);
  });
});

describe('LaneWindows', () => {
  it('remembers windows that are not at the start', () => {
    const windows = new LaneWindows();
    const window = windows.of(1);
    window.unanswered();
    windows.keep(1, window);
    expect(windows.of(1)).toBe(window);
    expect(windows.of(2).isAtStart).toBe(true);
    times(100, () => window.answered(500));
    windows.keep(1, window);
    expect(windows.of(1)).not.toBe(window);
  });

  it('forgets the lane that ran longest ago when there are too many', () => {
    const windows = new LaneWindows();
    for (let laneId = 0; laneId <= 10_000; laneId++) {
      const window = new LaneWindow();
      window.unanswered();
      windows.keep(laneId, window);
    }
    expect(windows.of(0).isAtStart).toBe(true);
    expect(windows.of(1).isAtStart).toBe(false);
  });
});
