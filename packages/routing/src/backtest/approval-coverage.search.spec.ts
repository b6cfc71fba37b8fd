import { describe, expect, it } from '@jest/globals';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { coverageOf, coveredShare } from '../../../../test/support/insight/coverage.js';

/**
 * Uses the same scenarios in each run, so this cannot fail by chance; for a thousand scenarios: `npm run bench --
 * insight`.
 */
describe('approvalEstimate in scenarios with known approval rates', () => {
  const ESTIMATES = runs(6);
  const report = coverageOf(ESTIMATES);

  it.each(['before', 'after', 'difference'] as const)('the interval of %s usually contains the true rate', (name) => {
    expect(report[name].intervals).toBeGreaterThanOrEqual(ESTIMATES);
    expect(coveredShare(report[name])).toBeGreaterThan(0.88);
  });

  it('the interval is narrow enough to be useful', () => {
    const { width, intervals } = report.after;
    expect(width / intervals).toBeLessThan(0.15);
  });

  it('reports a doubt when the past has no evidence', () => {
    expect(report.doubts.get('not_enough_overlap')).toBeGreaterThan(0);
  });
});
