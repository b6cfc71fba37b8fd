import { describe, expect, it } from '@jest/globals';
import { pickNext } from './recovery-shares.js';

const SHARES = { total: 8, perShop: 3, perProvider: 5 };
const of = (shop: number, count: number, provider = 'one') =>
  Array.from({ length: count }, () => ({ shop_id: shop, provider }));
const countOf = (picked: { shop_id: number }[], shop: number) => picked.filter(({ shop_id: id }) => id === shop).length;

describe('pickNext', () => {
  it('leaves capacity for other shops when one shop has a backlog', () => {
    const picked = pickNext([...of(1, 100), ...of(2, 1)], [], SHARES);
    expect([countOf(picked, 1), countOf(picked, 2)]).toEqual([3, 1]);
  });

  it('leaves capacity for other providers when one provider has a backlog of many shops', () => {
    const backlog = [1, 2, 3, 4].flatMap((shop) => of(shop, 10));
    const picked = pickNext([...backlog, ...of(5, 10, 'two')], [], SHARES);
    expect(picked.filter(({ provider }) => provider === 'one')).toHaveLength(5);
    expect(countOf(picked, 5)).toBe(3);
  });

  it('counts operations under way', () => {
    expect(pickNext(of(1, 5), of(1, 2), SHARES)).toHaveLength(1);
    expect(pickNext(of(3, 5), [...of(1, 2), ...of(2, 2)], SHARES)).toHaveLength(1);
    expect(pickNext(of(3, 5, 'two'), [...of(1, 3), ...of(2, 4)], SHARES)).toHaveLength(1);
    expect(pickNext(of(3, 5), of(1, 9), SHARES)).toEqual([]);
  });

  it('gives a free slot to the shop with the fewest operations under way', () => {
    const underWay = [...of(1, 2), ...of(2, 2)];
    expect(pickNext([...of(1, 5), ...of(2, 5), ...of(3, 1)], underWay, SHARES)).toMatchObject([{ shop_id: 3 }]);
  });

  it('picks the longest due operation first when no share is exhausted', () => {
    const due = [...of(1, 1), ...of(2, 1), ...of(3, 1)];
    expect(pickNext(due, [], SHARES)).toEqual(due);
  });
});
