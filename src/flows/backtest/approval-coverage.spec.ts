import { describe, expect, it } from '@jest/globals';
import { coverageOf, coveredShare } from '../../../test/support/insight/coverage.js';
import { runs } from '../../../test/support/fuzz/runs.js';

const ESTIMATES = runs(12);

/** The same worlds each time, so this cannot fail by chance; a thousand: `npm run bench -- insight`. */
describe('in worlds with known approval rates', () => {
  const report = coverageOf(ESTIMATES);

  it.each(['before', 'after', 'difference'] as const)('the interval of %s mostly holds the truth', (name) => {
    expect(report[name].intervals).toBeGreaterThanOrEqual(ESTIMATES);
    expect(coveredShare(report[name])).toBeGreaterThan(0.88);
  });

  it('the interval is narrow enough to tell something', () => {
    const { width, intervals } = report.after;
    expect(width / intervals).toBeLessThan(0.15);
  });

  it('a backtest says so when the past cannot tell', () => {
    expect(report.doubts.get('not_enough_overlap')).toBeGreaterThan(0);
  });
});
