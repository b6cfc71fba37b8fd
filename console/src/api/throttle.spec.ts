import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { throttled } from './throttle';

describe('throttled', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('calls at once, and once more for all calls during the pause', () => {
    let calls = 0;
    const { call } = throttled(() => calls++, 1_000);
    for (let times = 0; times < 5; times++) call();
    expect(calls).toBe(1);
    jest.advanceTimersByTime(1_000);
    expect(calls).toBe(2);
    jest.advanceTimersByTime(5_000);
    expect(calls).toBe(2);
    call();
    expect(calls).toBe(3);
  });

  it('stops calling after stop()', () => {
    let calls = 0;
    const { call, stop } = throttled(() => calls++, 1_000);
    call();
    call();
    stop();
    jest.advanceTimersByTime(5_000);
    expect(calls).toBe(1);
  });
});
