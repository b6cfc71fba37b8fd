import { describe, expect, it } from '@jest/globals';
import { RolloutComparisonDto } from './comparison.dto.js';
import { compareVersions } from '@payment-orchestrator/routing/rollouts/comparison';
import type { RolloutCount } from '@payment-orchestrator/routing/rollouts/stage-outcomes';

const HALF = [{ stage: 1, percent: 50 }];

/** Counts of one version in one stage, over as many clusters as given. */
function counted(
  candidate: boolean,
  { approved, declined, stage = 1, clusters = 100 }: Totals & { stage?: number; clusters?: number },
): RolloutCount[] {
  const part = (total: number, cluster: number): number =>
    Math.floor((total * (cluster + 1)) / clusters) - Math.floor((total * cluster) / clusters);
  return Array.from({ length: clusters }, (_, cluster) => ({
    stage,
    candidate,
    cluster,
    payments: part(approved, cluster) + part(declined, cluster),
    approved: part(approved, cluster),
    declined: part(declined, cluster),
    refused: 0,
  }));
}
interface Totals {
  approved: number;
  declined: number;
}

describe('compareVersions', () => {
  it('returns rates, shares and the difference', () => {
    const none = { approved: 0, declined: 0, refused: 0 };
    const open: RolloutCount = { stage: 1, candidate: true, cluster: 3, payments: 100, ...none };
    const counts = [
      ...counted(false, { approved: 1_800, declined: 200 }),
      ...counted(true, { approved: 1_600, declined: 300 }),
      open,
    ];
    const { base, candidate, difference, doubt } = compareVersions(counts, HALF);
    expect(base).toMatchObject({ payments: 2_000, approved: 1_800, declined: 200, share: 0.5, plannedShare: 0.5 });
    expect(candidate).toMatchObject({ payments: 2_000, approved: 1_600, declined: 300, share: 0.5 });
    expect([base.rate!.estimate, candidate.rate!.estimate]).toEqual([0.9, 1_600 / 1_900]);
    expect(doubt).toBeNull();
    expect(difference!.estimate).toBeCloseTo(1_600 / 1_900 - 0.9, 9);
    expect(difference!.low).toBeLessThan(difference!.estimate);
    expect(difference!.high).toBeGreaterThan(difference!.estimate);
  });

  it('counts refused payments as not approved, and in the shares', () => {
    const refused = counted(true, { approved: 0, declined: 0 }).map((count) => ({ ...count, refused: 10 }));
    const counts = [
      ...counted(false, { approved: 1_800, declined: 200 }),
      ...counted(true, { approved: 900, declined: 100 }),
    ];
    const { base, candidate, difference } = compareVersions([...counts, ...refused], HALF);
    expect(candidate).toMatchObject({ payments: 1_000, approved: 900, declined: 100, refused: 1_000, share: 0.5 });
    expect([base.refused, base.share, base.plannedShare]).toEqual([0, 0.5, 0.5]);
    expect([candidate.rate!.estimate, difference!.estimate]).toEqual([0.45, expect.closeTo(-0.45, 9)]);
  });

  it('compares within stages, so that a better day is not credited to the version with more payments on it', () => {
    const counts = [
      ...counted(false, { approved: 5_400, declined: 3_600 }),
      ...counted(true, { approved: 600, declined: 400 }),
      ...counted(false, { approved: 4_500, declined: 500, stage: 2 }),
      ...counted(true, { approved: 4_500, declined: 500, stage: 2 }),
    ];
    const stages = [
      { stage: 1, percent: 10 },
      { stage: 2, percent: 50 },
    ];
    const { base, candidate, difference } = compareVersions(counts, stages);
    expect(candidate.rate!.estimate - base.rate!.estimate).toBeGreaterThan(0.1);
    expect(difference!.estimate).toBeCloseTo(0, 9);
    expect(candidate.plannedShare).toBeCloseTo(0.3, 9);
    expect(base.plannedShare).toBeCloseTo(0.7, 9);
  });

  it('weights a stage by what both versions show in it', () => {
    // the second stage has payments of the base only
    const baseOnly = counted(false, { approved: 0, declined: 50_000, stage: 2 });
    const counts = [
      ...counted(false, { approved: 900, declined: 100 }),
      ...counted(true, { approved: 800, declined: 200 }),
    ];
    const stages = [...HALF, { stage: 2, percent: 0 }];
    expect(compareVersions([...counts, ...baseOnly], stages).difference).toEqual(
      compareVersions(counts, stages).difference,
    );
  });

  it('returns a wider interval if the payments come from few customers', () => {
    const width = (clusters: number): number => {
      const counts = [true, false].flatMap((candidate) => [
        ...counted(candidate, { approved: 900, declined: 0, clusters }),
        ...counted(candidate, { approved: 0, declined: 100, clusters: clusters / 10 }),
      ]);
      const { low, high } = compareVersions(counts, HALF).candidate.rate!;
      return high - low;
    };
    expect(width(20)).toBeGreaterThan(1.5 * width(200));
  });

  it.each([
    ['29 outcomes of the candidate', { approved: 20, declined: 9, clusters: 29 }],
    ['19 clusters of customers', { approved: 200, declined: 90, clusters: 19 }],
  ])('reports a doubt for %s', (_, few) => {
    const { difference, doubt, candidate } = compareVersions(
      [...counted(false, { approved: 900, declined: 100 }), ...counted(true, few)],
      HALF,
    );
    expect([difference, doubt]).toEqual([null, 'not_enough_payments']);
    expect(candidate.rate).not.toBeNull();
  });

  it('compares 30 outcomes of 30 customers, also if all were approved', () => {
    const counts = [true, false].flatMap((candidate) =>
      counted(candidate, { approved: 30, declined: 0, clusters: 30 }),
    );
    const { difference, doubt, base } = compareVersions(counts, HALF);
    expect(doubt).toBeNull();
    expect(base.rate!.low).toBeLessThan(0.95);
    expect([difference!.low < -0.05, difference!.estimate, difference!.high > 0.05]).toEqual([true, 0, true]);
  });

  it('returns no rates before the first payment', () => {
    const none = { payments: 0, approved: 0, declined: 0, refused: 0, rate: null, share: null };
    expect(compareVersions([], [{ stage: 1, percent: 5 }])).toEqual({
      base: { ...none, plannedShare: 0.95 },
      candidate: { ...none, plannedShare: 0.05 },
      difference: null,
      doubt: 'not_enough_payments',
    });
  });
});

it('the comparison of an answer leaves out a stage that began after its stages were read', () => {
  const counts = [
    ...counted(false, { approved: 9, declined: 1 }),
    ...counted(true, { approved: 9, declined: 1, stage: 2 }),
  ];
  const { versions } = RolloutComparisonDto.from(counts, HALF, { base: 1, candidate: 2 }, null);
  expect(versions).toMatchObject([
    { payments: 10, planned_share: 0.5 },
    { payments: 0, planned_share: 0.5 },
  ]);
});
