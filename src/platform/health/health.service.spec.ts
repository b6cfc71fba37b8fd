import { describe, expect, it, jest } from '@jest/globals';
import { Probe } from './health.service.js';

describe('Probe', () => {
  it('reports whether the dependency responds', async () => {
    expect(await new Probe(() => Promise.resolve()).check()).toBe('up');
    expect(await new Probe(() => Promise.reject(new Error('no'))).check()).toBe('down');
  });

  it('shares one check between concurrent callers, and checks again after a second', async () => {
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

  it('reports down without a response within a second', async () => {
    jest.useFakeTimers();
    const checked = new Probe(() => new Promise(() => undefined)).check();
    await jest.advanceTimersByTimeAsync(1_001);
    expect(await checked).toBe('down');
    jest.useRealTimers();
  });
});
