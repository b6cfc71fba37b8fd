import { describe, expect, it } from '@jest/globals';
import { LaneWindow, LaneWindows } from './lane-window.js';

const times = (count: number, work: () => void): void => {
  for (let done = 0; done < count; done++) work();
};

const quickWindow = (): LaneWindow => {
  const window = new LaneWindow();
  times(300, () => window.answered(5));
  return window;
};

describe('LaneWindow', () => {
  it('starts small and grows answer by answer while the endpoint is quick, up to 256', () => {
    const window = new LaneWindow();
    expect(window.size).toBe(8);
    times(10, () => window.answered(5));
    expect(window.size).toBe(18);
    expect(quickWindow().size).toBe(256);
  });

  it('grows to the connections of an origin, and no further, while the endpoint is slow', () => {
    const window = new LaneWindow();
    times(200, () => window.answered(2_900));
    expect(window.size).toBe(32);
    const slowedDown = quickWindow();
    slowedDown.answered(2_900);
    expect(slowedDown.size).toBe(32);
  });

  it('halves with every attempt without an answer, down to 8, and is won back answer by answer', () => {
    const window = quickWindow();
    const sizes = [1, 2, 3, 4, 5, 6].map(() => {
      window.unanswered();
      return window.size;
    });
    expect(sizes).toEqual([128, 64, 32, 16, 8, 8]);
    times(100, () => window.answered(5));
    expect(window.size).toBe(108);
  });
});

describe('LaneWindows', () => {
  it('remembers windows that have grown', () => {
    const windows = new LaneWindows();
    const window = windows.of(1);
    window.answered(5);
    windows.keep(1, window);
    expect(windows.of(1)).toBe(window);
    expect(windows.of(2).isLeast).toBe(true);
    window.unanswered();
    windows.keep(1, window);
    expect(windows.of(1)).not.toBe(window);
  });

  it('forgets the lane that ran longest ago when there are too many', () => {
    const windows = new LaneWindows();
    for (let laneId = 0; laneId <= 10_000; laneId++) {
      const window = new LaneWindow();
      window.answered(5);
      windows.keep(laneId, window);
    }
    expect(windows.of(0).isLeast).toBe(true);
    expect(windows.of(1).isLeast).toBe(false);
  });
});
