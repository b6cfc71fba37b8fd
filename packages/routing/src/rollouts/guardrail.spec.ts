import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../../../../src/shared/seeded-random.js';
import { checkGuardrail, type Guardrail } from './guardrail.js';
import type { RolloutKey } from '../decision/rollout.js';
import type { RolloutCount } from './stage-outcomes.js';

const GUARDRAIL: Guardrail = { maxDropPoints: 5, minPayments: 100, confidence: 0.95 };

/** Payments of both versions by rate, over as many clusters as given. */
function counts(versions: { base: Version; candidate: Version }, { stage = 1, clusters = 100 } = {}): RolloutCount[] {
  return Object.entries(versions).flatMap(([role, { payments, rate }]) =>
    Array.from({ length: clusters }, (_, cluster) => {
      const [approved, all] = [payments * rate, payments].map(
        (total) => Math.floor((total * (cluster + 1)) / clusters) - Math.floor((total * cluster) / clusters),
      ) as [number, number];
      const outcomes = { payments: all, approved, declined: all - approved, refused: 0 };
      return { stage, candidate: role === 'candidate', cluster, ...outcomes };
    }),
  );
}
interface Version {
  payments: number;
  rate: number;
}

const check = (all: RolloutCount[], changes: Partial<Guardrail> = {}, percent = 50, key: RolloutKey = 'customer') =>
  checkGuardrail({ ...GUARDRAIL, ...changes }, all, { percent, key });

describe('checkGuardrail', () => {
  it('a drop of the size of the guardrail crosses it after enough payments', () => {
    const evidence = [200, 500, 1_000, 2_000].map((payments) =>
      check(counts({ base: { payments, rate: 0.9 }, candidate: { payments, rate: 0.85 } })),
    );
    expect(evidence.map(({ isCrossed }) => isCrossed)).toEqual([false, false, true, true]);
    expect(evidence.map((each) => each.evidence)).toEqual([expect.closeTo(0.3, 1), expect.closeTo(0.87, 1), 1, 1]);
    expect(evidence[0]!.dropPoints).toBeCloseTo(5, 9);
  });

  it('a larger drop crosses it after fewer payments', () => {
    const least = (drop: number) => {
      const crosses = (payments: number) =>
        check(
          counts(
            { base: { payments, rate: 0.88 }, candidate: { payments, rate: 0.88 - drop / 100 } },
            { clusters: 50 },
          ),
          { maxDropPoints: 2, minPayments: 20 },
          50,
          'payment',
        ).isCrossed;
      return [50, 100, 200, 400, 1_000, 5_000].find(crosses);
    };
    expect([50, 20, 10, 5, 2].map(least)).toEqual([50, 100, 400, 1_000, 5_000]);
  });

  it('payments that the candidate refuses count as much as declined ones', () => {
    const dropped = counts({ base: { payments: 1_000, rate: 0.9 }, candidate: { payments: 1_000, rate: 0.85 } });
    const refused = dropped.map((count) => ({ ...count, declined: 0, refused: count.declined }));
    expect(check(refused)).toEqual(check(dropped));
    expect(check(refused).isCrossed).toBe(true);
  });

  it('needs more evidence for a higher confidence', () => {
    const dropped = counts({ base: { payments: 1_000, rate: 0.9 }, candidate: { payments: 1_000, rate: 0.85 } });
    expect(check(dropped, { confidence: 0.8 }).isCrossed).toBe(true);
    expect(check(dropped, { confidence: 0.999 }).isCrossed).toBe(false);
  });

  it('an equal or better candidate never crosses the guardrail', () => {
    for (const rate of [0.9, 0.95, 1]) {
      const { evidence, isCrossed } = check(
        counts({ base: { payments: 5_000, rate: 0.9 }, candidate: { payments: 5_000, rate } }),
      );
      expect([evidence, isCrossed]).toEqual([0, false]);
    }
  });

  it('less than half of the drop does not cross it, for any number of payments', () => {
    for (const [base, candidate, share] of [
      [0.9, 0.878, 0.5],
      [0.998, 0.9845, 0.01],
      [0.5, 0.477, 0.05],
    ] as const) {
      const payments = 10_000_000;
      const versions = {
        base: { payments: payments * (1 - share), rate: base },
        candidate: { payments: payments * share, rate: candidate },
      };
      expect(check(counts(versions), {}, share * 100).isCrossed).toBe(false);
    }
  });

  it('waits for the minimum of outcomes of each version', () => {
    const broken = (payments: number) =>
      check(counts({ base: { payments: 5_000, rate: 0.9 }, candidate: { payments, rate: 0 } }, { clusters: 50 }));
    expect(broken(99)).toMatchObject({ evidence: 1, isWaitingForPayments: true, isCrossed: false });
    expect(broken(100)).toMatchObject({ evidence: 1, isWaitingForPayments: false, isCrossed: true });
  });

  it('compares within stages', () => {
    const stages = [
      ...counts({ base: { payments: 5_000, rate: 0.9 }, candidate: { payments: 5_000, rate: 0.9 } }),
      ...counts({ base: { payments: 9_000, rate: 0.6 }, candidate: { payments: 100, rate: 0.6 } }, { stage: 2 }),
    ];
    expect(check(stages).evidence).toBe(0);
    const reversed = stages.map((count) => ({ ...count, candidate: !count.candidate }));
    expect(check(reversed)).toMatchObject({ evidence: 0, isCrossed: false });
  });

  it('adds the evidence of all stages', () => {
    const dropped = { base: { payments: 500, rate: 0.9 }, candidate: { payments: 500, rate: 0.85 } };
    expect(check(counts(dropped)).isCrossed).toBe(false);
    expect(check([...counts(dropped), ...counts(dropped, { stage: 2 })]).isCrossed).toBe(true);
  });

  it('trusts payments of few customers less', () => {
    const base = counts({ base: { payments: 2_000, rate: 0.9 }, candidate: { payments: 0, rate: 0 } });
    // 200 declines: of all customers, or of a tenth of them
    const fromAll = Array.from({ length: 100 }, (_, cluster) => candidate(cluster, { approved: 8, declined: 2 }));
    const fromFew = Array.from({ length: 100 }, (_, cluster) =>
      candidate(cluster, cluster < 20 ? { approved: 0, declined: 10 } : { approved: 10, declined: 0 }),
    );
    expect(check([...base, ...fromAll]).evidence).toBe(1);
    expect(check([...base, ...fromFew]).evidence).toBeLessThan(0.9);
    expect(check([...base, ...fromFew]).paymentsNeeded).toBeGreaterThan(
      5 * check([...base, ...fromAll]).paymentsNeeded!,
    );
  });

  it.each<[RolloutKey, number, boolean]>([
    ['payment', 1, true],
    ['payment', 2, true],
    ['payment', 3, true],
    ['payment', 100, true],
    ['customer', 1, false],
    ['customer', 100, true],
  ])('divided by %s, a candidate that declines all payments of %i customers is found: %s', (key, clusters, isFound) => {
    const all = counts({ base: { payments: 120, rate: 1 }, candidate: { payments: 120, rate: 0 } }, { clusters });
    const { isCrossed, paymentsNeeded } = check(all, {}, 50, key);
    expect([isCrossed, paymentsNeeded !== null]).toEqual([isFound, isFound]);
  });

  it('an equal candidate of one customer does not cross it, divided by payment', () => {
    const all = counts(
      { base: { payments: 5_000, rate: 0.9 }, candidate: { payments: 5_000, rate: 0.9 } },
      { clusters: 1 },
    );
    expect(check(all, {}, 50, 'payment')).toMatchObject({ evidence: 0, isCrossed: false });
  });

  it('divided by customer, one customer never crosses the guardrail', () => {
    const base = counts({ base: { payments: 2_000, rate: 0.9 }, candidate: { payments: 0, rate: 0 } });
    const one = [...base, candidate(7, { approved: 0, declined: 500 })];
    expect(check(one)).toMatchObject({ evidence: 0, isCrossed: false, paymentsNeeded: null });
  });

  it('returns numbers for any counts', () => {
    const random = new SeededRandom('counts');
    for (let run = 0; run < 3_000; run++) {
      const some = Array.from({ length: random.integer(0, 6) }, () => ({
        ...candidate(random.integer(0, 2), { approved: random.pick([0, 1, 50]), declined: random.pick([0, 1, 50]) }),
        stage: random.integer(1, 2),
        candidate: random.chance(0.5),
      }));
      const maxDropPoints = random.pick([0.1, 5, 50]);
      const percent = random.pick([0, 0.01, 50, 100]);
      const key = random.pick(['payment', 'customer'] as const);
      const { evidence, dropPoints, paymentsNeeded } = check(some, { maxDropPoints }, percent, key);
      expect([evidence >= 0 && evidence <= 1, Number.isFinite(dropPoints)]).toEqual([true, true]);
      expect(paymentsNeeded === null || Number.isSafeInteger(paymentsNeeded)).toBe(true);
    }
  });
});

describe('payments needed', () => {
  const needed = (rate: number, percent: number, changes: Partial<Guardrail> = {}) =>
    check(
      counts({ base: { payments: 100_000, rate }, candidate: { payments: 0, rate: 0 } }),
      changes,
      percent,
      'payment',
    ).paymentsNeeded;

  it('agree with the first passage of a Brownian motion', () => {
    // at 50 % the logarithm is nearly normal: information 12.7 for a limit of ln (20 / 0.8), so 12.7 · p (1 - p) / (θ² s (1 - s))
    expect(needed(0.5, 50, { maxDropPoints: 1 })! / ((12.7 * 0.25) / (0.01 ** 2 * 0.25))).toBeCloseTo(1, 1);
  });

  it('grow with smaller percents and drops, and with the confidence', () => {
    expect(needed(0.9, 5)).toBeGreaterThan(4 * needed(0.9, 50)!);
    expect(needed(0.9, 50, { maxDropPoints: 1 })).toBeGreaterThan(20 * needed(0.9, 50)!);
    expect(needed(0.9, 50, { confidence: 0.999 })).toBeGreaterThan(1.5 * needed(0.9, 50)!);
  });

  it('include the minimum of each version', () => {
    expect(needed(0.97, 1, { maxDropPoints: 50 })).toBeGreaterThan(100 / 0.01);
    expect(needed(0.97, 1, { maxDropPoints: 50 })).toBeLessThan(120 / 0.01);
  });

  it('stay unknown while only one customer has paid, divided by customer', () => {
    const one = counts({ base: { payments: 500, rate: 0.9 }, candidate: { payments: 0, rate: 0 } }, { clusters: 1 });
    expect(check(one).paymentsNeeded).toBeNull();
    expect(check(one, {}, 50, 'payment').paymentsNeeded).toEqual(expect.any(Number));
  });

  it.each([
    [0.02, false],
    [0.04, true],
  ])('exist only if a candidate without approvals shows half of the drop: base at %d, drop 0.05', (rate, exist) => {
    expect(needed(rate, 50) !== null).toBe(exist);
    const none = counts({ base: { payments: 1e6, rate }, candidate: { payments: 1e6, rate: 0 } });
    expect(check(none, {}, 50, 'payment').isCrossed).toBe(exist);
  });

  it('stay unknown without an outcome of the base, and if one version gets no payments', () => {
    expect(check([]).paymentsNeeded).toBeNull();
    expect(needed(0.9, 100)).toBeNull();
    expect(needed(0.9, 0)).toBeNull();
  });
});

const candidate = (cluster: number, outcomes: Pick<RolloutCount, 'approved' | 'declined'>): RolloutCount => ({
  stage: 1,
  candidate: true,
  cluster,
  payments: outcomes.approved + outcomes.declined,
  refused: 0,
  ...outcomes,
});
