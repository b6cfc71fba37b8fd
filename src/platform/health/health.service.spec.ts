import { describe, expect, it, jest } from '@jest/globals';
import { Probe } from './health.service.js';

describe('a probe', () => {
  it('tells whether the dependency answers', async () => {
    expect(await new Probe(() => Promise.resolve()).check()).toBe('up');
    expect(await new Probe(() => Promise.reject(new Error('no'))).check()).toBe('down');
  });

  it('asks once for callers at the same time, and again when the answer is a second old', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const ping = jest.fn(() => Promise.resolve());
    const probe = new Probe(ping);
    await Promise.all([probe.check(), probe.check()]);
    clock.mockReturnValue(1_000);
    await probe.check();
    expect(ping).toHaveBeenCalledTimes(1);
    clock.mockReturnValue(1_001);
    await probe.check();
    expect(ping).toHaveBeenCalledTimes(2);
    clock.mockRestore();
  });

  it('counts no answer within a second as down', async () => {
    jest.useFakeTimers();
    const checked = new Probe(() => new Promise(() => undefined)).check();
    await jest.advanceTimersByTimeAsync(1_001);
    expect(await checked).toBe('down');
    jest.useRealTimers();
  });
});
