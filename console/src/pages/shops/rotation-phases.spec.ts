import { describe, expect, it } from '@jest/globals';
import { plannedPhases, rotationPhases } from './rotation-phases';

const NOW = new Date('2026-11-22T00:00:00.000Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

describe('plannedPhases', () => {
  it('lets both secrets sign in the overlap of an immediate rotation, then the new one', () => {
    expect(plannedPhases(0, 600, NOW)).toEqual([
      { from: null, to: at(600), signature: 'new', standard: 'both' },
      { from: at(600), to: null, signature: 'new', standard: 'new' },
    ]);
  });

  it('keeps the old secret for Signature until a later start', () => {
    expect(plannedPhases(60, 600, NOW)).toEqual([
      { from: null, to: at(60), signature: 'old', standard: 'both' },
      { from: at(60), to: at(660), signature: 'new', standard: 'both' },
      { from: at(660), to: null, signature: 'new', standard: 'new' },
    ]);
  });

  it('lets only the new secret sign without an overlap', () => {
    expect(plannedPhases(0, 0, NOW)).toEqual([{ from: null, to: null, signature: 'new', standard: 'new' }]);
  });

  it('ends the old secret at a later start without an overlap', () => {
    expect(plannedPhases(60, 0, NOW)).toEqual([
      { from: null, to: at(60), signature: 'old', standard: 'both' },
      { from: at(60), to: null, signature: 'new', standard: 'new' },
    ]);
  });
});

describe('rotationPhases', () => {
  it('omits phases that are over', () => {
    expect(rotationPhases({ activeFrom: at(-60), previousExpiresAt: at(-1) }, NOW)).toEqual([
      { from: null, to: null, signature: 'new', standard: 'new' },
    ]);
  });
});
