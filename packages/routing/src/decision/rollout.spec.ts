import { describe, expect, it } from '@jest/globals';
import { generator } from '../statistics/random.js';
import { BUCKETS, chooseInRollout, isCandidate, type RolloutKey, type RunningRollout } from './rollout.js';

const CUSTOMERS = 10_000;

const rollout = (percent: number, key: RolloutKey = 'customer', id = 4): RunningRollout => ({
  id,
  version: 2,
  stage: 1,
  percent,
  key,
  when: null,
  counter: 0,
});
const uniform = generator(7);
const randomBucket = (): number => Math.floor(uniform() * BUCKETS);
const never = (): number => {
  throw new Error('a customer needs no random number');
};
const choose = (running: RunningRollout, customerId?: number) =>
  isCandidate(chooseInRollout(running, customerId, customerId === undefined ? randomBucket : never));

describe('a rollout', () => {
  it.each([0, 0.01, 1.1, 10, 33.33, 50, 99.99, 100])(
    'gives the candidate %p percent of customers and of payments without one',
    (percent) => {
      const expected = (CUSTOMERS * percent) / 100;
      const bound = 4 * Math.sqrt((expected * (100 - percent)) / 100);
      let customers = 0;
      let payments = 0;
      for (let customer = 1; customer <= CUSTOMERS; customer++) {
        if (choose(rollout(percent), customer)) customers++;
        if (choose(rollout(percent))) payments++;
      }
      for (const share of [customers, payments]) expect(Math.abs(share - expected)).toBeLessThanOrEqual(bound);
    },
  );

  it('moves customers to the candidate only while the percent rises, and back in the same order', () => {
    let before = new Set<number>();
    for (const percent of [0, 0.5, 1.1, 5, 25, 57, 99.99, 100]) {
      const now = new Set<number>();
      for (let customer = 1; customer <= 2_000; customer++) if (choose(rollout(percent), customer)) now.add(customer);
      expect([...before].every((customer) => now.has(customer))).toBe(true);
      before = now;
    }
    expect(before.size).toBe(2_000);
  });

  it('chooses among customers independently of other rollouts', () => {
    let both = 0;
    for (let customer = 1; customer <= CUSTOMERS; customer++)
      if (choose(rollout(50), customer) && choose(rollout(50, 'customer', 5), customer)) both++;
    expect(Math.abs(both - CUSTOMERS / 4)).toBeLessThan(4 * Math.sqrt((CUSTOMERS * 3) / 16));
  });

  it('takes a random bucket for each payment with the key payment, also of a known customer', () => {
    const buckets = [731, 9_999, 0];
    const choices = buckets.map((bucket) => chooseInRollout(rollout(7.31, 'payment'), 9, () => bucket));
    expect(choices.map(({ bucket }) => bucket)).toEqual(buckets);
    expect(choices.map(isCandidate)).toEqual([false, false, true]);
    expect(choices[0]).toEqual({ id: 4, version: 2, stage: 1, bucket: 731, percent: 7.31, key: 'payment' });
  });

  it('divides by two decimals of a percent exactly', () => {
    const inexact: number[] = [];
    for (let hundredths = 0; hundredths <= BUCKETS; hundredths++) {
      const percent = hundredths / 100;
      const at = (bucket: number) => isCandidate(chooseInRollout(rollout(percent, 'payment'), undefined, () => bucket));
      if ((hundredths > 0 && !at(hundredths - 1)) || (hundredths < BUCKETS && at(hundredths))) inexact.push(percent);
    }
    expect(inexact).toEqual([]);
  });
});
