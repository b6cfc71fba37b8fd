import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../platform/config/config.js';
import { nextStep } from './retry-schedule.js';

const delays = [10_000, 100_000, 1_000_000];
const now = new Date('2026-11-21T00:00:00.000Z');
const step = (statusCode: number | null, attemptsBefore = 0, retryAfter: string | null = null) =>
  nextStep({ statusCode, retryAfter }, attemptsBefore, delays, now);
const pending = (waitMs: number) => ({ status: 'pending', waitMs });

describe('nextStep', () => {
  it('schedules four attempts at 0, 10, 100 and 1000 s by default', () => {
    const config = loadConfig({
      DATABASE_URL: 'postgres://localhost/x',
      JWT_SECRET: 'a-secret-for-the-tokens-of-the-tests',
      ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
    });
    const steps = [0, 1, 2, 3].map((attemptsBefore) =>
      nextStep({ statusCode: 500, retryAfter: null }, attemptsBefore, config.webhookRetryDelaysMs, now),
    );
    expect(steps).toEqual([pending(10_000), pending(100_000), pending(1_000_000), { status: 'failed' }]);
    expect(config.webhookTimeoutMs).toBe(3_000);
  });

  it.each([200, 201, 202, 204, 299])('returns delivered after %i', (status) => {
    expect(step(status)).toEqual({ status: 'delivered' });
    expect(step(status, 3)).toEqual({ status: 'delivered' });
  });

  it.each([100, 199, 300, 301, 304, 307, 400, 401, 404, 408, 429, 500, 502, 503, 504, null])(
    'follows the schedule after %p',
    (status) => {
      expect(step(status, 0)).toEqual(pending(10_000));
      expect(step(status, 1)).toEqual(pending(100_000));
      expect(step(status, 2)).toEqual(pending(1_000_000));
      expect(step(status, 3)).toEqual({ status: 'failed' });
    },
  );

  it('returns failed at once after 410', () => {
    expect(step(410)).toEqual({ status: 'failed' });
  });

  it.each([
    [429, '60', 60_000],
    [503, '60', 60_000],
    [503, ' 60 ', 60_000],
    [429, '5', 10_000], // sooner than the schedule
    [429, '0', 10_000],
    [429, '7200', 3_600_000], // at most one hour
    [429, '99999999999999999999', 3_600_000],
    [429, 'Sat, 21 Nov 2026 00:05:00 GMT', 300_000],
    [429, 'Saturday, 21-Nov-26 00:05:00 GMT', 300_000],
    [503, 'Sat Nov 21 00:05:00 2026', 300_000],
    [503, 'Sat, 21 Nov 2026 00:05:00', 10_000], // without GMT
    [503, 'Wait 2030', 10_000],
    [503, 'Nov 21 2026 00:05:00', 10_000],
    [429, '+60', 10_000],
    [429, '6e1', 10_000],
    [429, '0x3c', 10_000],
    [429, '60, 60', 10_000],
    [429, '60s', 10_000],
    [429, 'Fri, 20 Nov 2026 00:00:00 GMT', 10_000], // in the past
    [429, 'Sat, 21 Nov 2026 09:00:00 GMT', 3_600_000],
    [429, '-60', 10_000],
    [429, '1.5', 10_000],
    [429, '2027', 2_027_000],
    [429, 'soon', 10_000],
    [429, '', 10_000],
    [429, null, 10_000],
    [500, '60', 10_000], // respected only with 429 and 503
    [301, '60', 10_000],
  ])('returns, after %i with Retry-After %p, a delay of %i ms', (status, retryAfter, waitMs) => {
    expect(step(status, 0, retryAfter)).toEqual(pending(waitMs));
  });

  it('ignores Retry-After after the last attempt', () => {
    expect(step(429, 3, '60')).toEqual({ status: 'failed' });
  });

  it('allows one attempt if there are no delays', () => {
    expect(nextStep({ statusCode: 500, retryAfter: null }, 0, [], now)).toEqual({ status: 'failed' });
  });

  it('postpones a retry by up to a tenth with jitter, and never brings it forward', () => {
    const after = (jitter: number) => nextStep({ statusCode: 500, retryAfter: null }, 0, [1_000], now, jitter);
    expect([0, 0.5, 1].map(after)).toEqual([1_000, 1_050, 1_100].map((waitMs) => ({ status: 'pending', waitMs })));
  });
});
