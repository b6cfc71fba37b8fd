import { describe, expect, it } from '@jest/globals';
import { dayOf } from './day-of-hours';

describe('dayOf', () => {
  it('returns all 24 hours, including hours without attempts', () => {
    const hour = { attempts: 5, delivered: 3, failed: 1, answer_ms_p50: 1, answer_ms_p95: 1 };
    const day = dayOf({ since: '2026-11-21T02:00:00.000Z', hours: [{ hour: '2026-11-22T01:00:00.000Z', ...hour }] });
    expect(day).toHaveLength(24);
    expect(day[0]).toEqual({ at: Date.parse('2026-11-21T02:00:00Z'), succeeded: 0, failed: 0 });
    expect(day[23]).toEqual({ at: Date.parse('2026-11-22T01:00:00Z'), succeeded: 3, failed: 2 });
  });
});
