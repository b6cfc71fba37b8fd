import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SystemClock } from '../../shared/clock.js';
import type { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { ClockSteering } from './clock-steering.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 23);

beforeEach(() => {
  Logger.overrideLogger(false);
});
afterEach(() => void jest.restoreAllMocks());

/**
 * Starts a process whose clock is an hour behind the database; `answersMs`: how long the database takes for each
 * response.
 */
async function started(
  answersMs: (number | 'down')[],
): Promise<{ clock: SystemClock; asked: number; metrics: Metrics }> {
  let passedMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => passedMs);
  jest.spyOn(Date, 'now').mockImplementation(() => NOW - HOUR_MS + passedMs);
  const query = jest.fn((): Promise<object[]> => {
    const answerMs = answersMs[query.mock.calls.length - 1]!;
    if (answerMs === 'down') return Promise.reject(new Error('down'));
    passedMs += answerMs;
    return Promise.resolve([{ ms: NOW + passedMs - answerMs / 2 }]);
  });
  const [clock, metrics] = [new SystemClock(), new Metrics()];
  const steering = new ClockSteering({ query } as unknown as Database, clock, metrics);
  await steering.onModuleInit();
  await steering.onModuleDestroy();
  return { clock, asked: query.mock.calls.length, metrics };
}

describe('ClockSteering at the start of a process', () => {
  it('uses the clock of the database, and reports how far it was off', async () => {
    const { clock, asked, metrics } = await started([200]);
    expect([clock.now(), asked]).toEqual([new Date(NOW + 200), 1]);
    expect(await metrics.render()).toMatch(/^clock_ahead_seconds -3600$/m);
  });

  it('asks again when the first response took too long', async () => {
    const { clock, asked } = await started([1_500, 10]);
    expect([clock.now(), asked]).toEqual([new Date(NOW + 1_510), 2]);
  });

  it('uses the clock of the process while every response takes too long', async () => {
    const { clock, asked } = await started([2_000, 2_000, 2_000]);
    expect([clock.now(), asked]).toEqual([new Date(NOW - HOUR_MS + 6_000), 3]);
  });

  it('starts without the database, with the clock of the process', async () => {
    const { clock, asked } = await started(['down']);
    expect([clock.now(), asked]).toEqual([new Date(NOW - HOUR_MS), 1]);
  });
});
