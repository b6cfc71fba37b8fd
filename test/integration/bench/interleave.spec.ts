import { describe, expect, it } from '@jest/globals';
import { interleave } from '../../../bench/support/statistics.js';

async function ordersOf(names: string, rounds: number, warmUps = 0): Promise<{ orders: string[]; counted: unknown }> {
  let ran = '';
  const variants = Object.fromEntries([...names].map((name) => [name, () => Promise.resolve((ran += name).length)]));
  const counted = await interleave(rounds, variants, warmUps);
  return { orders: ran.match(new RegExp(`.{${names.length}}`, 'g'))!, counted };
}

describe('interleave', () => {
  it('runs three systems in each of their six orders', async () => {
    const { orders } = await ordersOf('abc', 6);
    expect(new Set(orders)).toEqual(new Set(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']));
  });

  it('starts each of two systems first equally often', async () => {
    const { orders } = await ordersOf('ab', 4);
    expect(orders.sort()).toEqual(['ab', 'ab', 'ba', 'ba']);
  });

  it('excludes warm-up rounds from the counts', async () => {
    expect(await ordersOf('ab', 1, 1)).toEqual({ orders: ['ab', 'ab'], counted: { a: [3], b: [4] } });
  });
});
