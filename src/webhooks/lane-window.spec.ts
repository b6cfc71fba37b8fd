import { describe, expect, it } from '@jest/globals';
import { LaneWindow, LaneWindows, MAX_WINDOW, MIN_WINDOW } from './lane-window.js';

describe('LaneWindow', () => {
  it('halves with every attempt that is not answered, down to the least', () => {
    const window = new LaneWindow();
    const sizes = [1, 2, 3, 4].map(() => {
      window.unanswered();
      return window.size;
    });
    expect(sizes).toEqual([32, 16, MIN_WINDOW, MIN_WINDOW]);
  });

  it('is won back answer by answer, up to the full one', () => {
    const window = new LaneWindow();
    window.unanswered();
    for (let answers = 0; answers < 100; answers++) window.answered();
    expect(window.size).toBe(MAX_WINDOW);
  });
});

describe('LaneWindows', () => {
  it('remembers narrowed windows alone', () => {
    const windows = new LaneWindows();
    const window = windows.of(1);
    window.unanswered();
    windows.keep(1, window);
    expect(windows.of(1)).toBe(window);
    expect(windows.of(2).size).toBe(MAX_WINDOW);
    for (let answers = 0; answers < 100; answers++) window.answered();
    windows.keep(1, window);
    expect(windows.of(1)).not.toBe(window);
  });
});
