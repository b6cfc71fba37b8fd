import { describe, expect, it } from '@jest/globals';
import {
  COOL_DOWN_MS,
  FAULT_THRESHOLD,
  faultMatters,
  healthAt,
  HEALTH_WINDOW_MINUTES,
  isBeyondThreshold,
  MIN_OUTCOMES,
  type Outage,
} from './shop-health.js';

const T = Date.parse('2026-11-21T01:00:00.000Z');
const at = (ms: number): Date => new Date(T + ms);
const outage = (fields: Partial<Outage> = {}): Outage => ({
  beganAt: at(0),
  lastFaultAt: at(0),
  endedAt: null,
  ...fields,
});

it('a shop becomes unhealthy for one minute at five faults out of ten outcomes within five minutes', () => {
  expect([FAULT_THRESHOLD, MIN_OUTCOMES, HEALTH_WINDOW_MINUTES, COOL_DOWN_MS]).toEqual([0.5, 10, 5, 60_000]);
});

describe('healthAt', () => {
  it.each([
    ['a shop without any outage', undefined, 0, 'healthy', null],
    ['the fault that began it', outage(), 0, 'unhealthy', at(0)],
    ['the last moment of the cool-down', outage(), 59_999, 'unhealthy', at(0)],
    ['the end of the cool-down', outage(), 60_000, 'probing', at(60_000)],
    ['long after, without any payment', outage(), 86_400_000, 'probing', at(60_000)],
    ['another fault while half-open', outage({ lastFaultAt: at(90_000) }), 149_999, 'unhealthy', at(0)],
    ['the cool-down after that', outage({ lastFaultAt: at(90_000) }), 150_000, 'probing', at(150_000)],
    ['the success that ended it', outage({ endedAt: at(70_000) }), 70_000, 'healthy', at(70_000)],
  ] as const)('%s', (_, latest, ms, status, since) => {
    expect(healthAt(latest, at(ms))).toEqual({ status, since });
  });
});

describe('isBeyondThreshold', () => {
  it.each([
    [0, 0, 9, false],
    [0, 0, 10, true],
    [5, 0, 5, true],
    [3, 3, 5, false],
    [3, 3, 6, true],
    [0, 10, 0, false],
    [1_000, 0, 999, false],
  ])('%i approved, %i declined, %i failed: %s', (approved, declined, failed, beyond) => {
    expect(isBeyondThreshold({ approved, declined, failed })).toBe(beyond);
  });
});

describe('faultMatters', () => {
  const many = { approved: 0, declined: 0, failed: 10 };
  const few = { approved: 90, declined: 0, failed: 10 };

  it.each([
    ['begins an outage beyond the threshold', undefined, many, 0, true],
    ['changes nothing below it', undefined, few, 0, false],
    ['changes nothing while the shop is excluded: the payment was sent earlier', outage(), many, 30_000, false],
    ['prolongs the outage of a half-open shop, for any other outcomes', outage(), few, 60_000, true],
    ['begins the next outage after an ended one', outage({ endedAt: at(60_000) }), many, 61_000, true],
  ] as const)('%s', (_, latest, recent, ms, matters) => {
    expect(faultMatters(latest, recent, at(ms))).toBe(matters);
  });
});
