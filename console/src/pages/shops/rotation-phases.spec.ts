import { describe, expect, it } from '@jest/globals';
import { plannedPhases, rotationPhases } from './rotation-phases';

const NOW = new Date('2026-11-22T00:00:00.000Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

describe('plannedPhases', () => {
  it('of a rotation at once: both in the overlap, then the new one', () => {
    expect(plannedPhases(0, 600, NOW)).toEqual([
      { from: null, to: at(600), signature: 'new', standard: 'both' },
      { from: at(600), to: null, signature: 'new', standard: 'new' },
    ]);
  });

  it('of an announced one: Signature is the old one’s until it begins', () => {
    expect(plannedPhases(60, 600, NOW)).toEqual([
      { from: null, to: at(60), signature: 'old', standard: 'both' },
      { from: at(60), to: at(660), signature: 'new', standard: 'both' },
      { from: at(660), to: null, signature: 'new', standard: 'new' },
    ]);
  });

  it('without an overlap: the new one alone', () => {
    expect(plannedPhases(0, 0, NOW)).toEqual([{ from: null, to: null, signature: 'new', standard: 'new' }]);
  });

  it('announced without an overlap: the old one ends when the new one begins', () => {
    expect(plannedPhases(60, 0, NOW)).toEqual([
      { from: null, to: at(60), signature: 'old', standard: 'both' },
      { from: at(60), to: null, signature: 'new', standard: 'new' },
    ]);
  });
});

describe('rotationPhases', () => {
  it('leaves out what is over', () => {
    expect(rotationPhases({ activeFrom: at(-60), previousExpiresAt: at(-1) }, NOW)).toEqual([
      { from: null, to: null, signature: 'new', standard: 'new' },
    ]);
  });
});
