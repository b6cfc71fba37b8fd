import { describe, expect, it } from '@jest/globals';
import { type Fault, FAULT_KINDS, planFaults } from '../../../bench/chaos/schedule.js';
import { SeededRandom } from '../../../src/shared/seeded-random.js';

const OPTIONS = { durationMs: 1_800_000, maxFaultMs: 12_000, pauseMs: 10_000, kinds: FAULT_KINDS, hasRedis: true };
const isAboutRedis = ({ kind }: Fault): boolean => kind.includes('redis');
const isAboutPostgres = ({ kind }: Fault): boolean => kind.includes('postgres');
const endOf = ({ atMs, durationMs }: Fault): number => atMs + durationMs;

describe('planFaults', () => {
  const plans = Array.from({ length: 50 }, (_, seed) =>
    planFaults(new SeededRandom(seed, 'faults'), { ...OPTIONS, receivers: 12 }),
  );

  it.each([
    ['Redis', isAboutRedis],
    ['PostgreSQL', isAboutPostgres],
  ])('begins no fault of %s while another one lasts, whose end would undo it', (_, isAbout) => {
    for (const plan of plans) {
      const faults = plan.filter(isAbout);
      expect(faults.length).toBeGreaterThan(10);
      for (const [index, fault] of faults.slice(1).entries()) expect(fault.atMs).toBeGreaterThan(endOf(faults[index]!));
    }
  });

  it('lets faults of different parts overlap', () => {
    const overlapping = plans.flatMap((plan) =>
      plan.filter((fault, at) => at > 0 && fault.atMs < endOf(plan[at - 1]!)),
    );
    expect(overlapping.length).toBeGreaterThan(plans.length);
  });
});
