import { describe, expect, it } from '@jest/globals';
import { isRowFault } from './postgres-errors.js';

describe('isRowFault', () => {
  it.each(['22003', '23505', '40P01', '40001', '54000', '55P03', '57014'])(
    'returns true for %s, which rolls everything back',
    (code) => {
      expect(isRowFault({ code })).toBe(true);
      expect(isRowFault({ driverError: { code } })).toBe(true);
    },
  );

  it.each(['08006', '57P01', '57P02', '55000', '53300', 'ECONNRESET', undefined])('returns false for %s', (code) =>
    expect(isRowFault({ code })).toBe(false),
  );

  it('accepts anything that can be thrown', () => {
    for (const thrown of [null, undefined, 'text', new Error('no code')]) expect(isRowFault(thrown)).toBe(false);
  });
});
