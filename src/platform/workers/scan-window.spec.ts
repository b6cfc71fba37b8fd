import { describe, expect, it } from '@jest/globals';
import { ScanWindow } from './scan-window.js';

const at = (ms: number): Date => new Date(1_000_000 + ms);
const ALL = new Date(0);

describe('ScanWindow', () => {
  it('reads all rows first, then those since the last complete scan, and all again after a while', () => {
    const window = new ScanWindow(20, 1_000);
    const sinceAt = (ms: number, isComplete = true) => {
      const scan = window.begin(at(ms));
      if (isComplete) window.end(scan);
      return scan.since;
    };
    expect(sinceAt(0, false)).toEqual(ALL);
    expect(sinceAt(10)).toEqual(ALL);
    expect(sinceAt(100)).toEqual(at(-10));
    expect(sinceAt(200, false)).toEqual(at(80));
    expect(sinceAt(300)).toEqual(at(80));
    expect(sinceAt(1_009)).toEqual(at(280));
    expect(sinceAt(1_010)).toEqual(ALL);
    expect(sinceAt(1_020)).toEqual(at(990));
  });

  it('reads all rows after the clock was set back', () => {
    const window = new ScanWindow(20, 1_000);
    window.end(window.begin(at(0)));
    expect(window.begin(at(100)).since).toEqual(at(-20));
    expect(window.begin(at(50)).since).toEqual(ALL);
  });
});
