import { describe, expect, it } from '@jest/globals';
import { Problem } from './problem.js';

describe('a problem', () => {
  it('says when to try again if a dependency is down, in five seconds unless it names another time', () => {
    expect(new Problem('dependency_unavailable').headers).toEqual({ 'retry-after': '5' });
    expect(new Problem('dependency_unavailable', { headers: { 'retry-after': '2' } }).headers).toEqual({
      'retry-after': '2',
    });
    expect(new Problem('payment_not_found').headers).toEqual({});
  });
});
