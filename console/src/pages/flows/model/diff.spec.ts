import { describe, expect, it } from '@jest/globals';
import { diff } from './diff';

const rule = (country: string, ...shops: number[]) => ({
  when: { country: { equals: country } },
  use: { shops, strategy: 'weighted' },
});
const [german, french, swiss] = [rule('DE', 1), rule('FR', 2), rule('CH', 3)];

describe('diff', () => {
  it('ignores the order of fields', () => {
    expect(
      diff(
        { strategy: 'weighted', shops: [{ shop_id: 1, weight: 2 }] },
        { shops: [{ weight: 2, shop_id: 1 }], strategy: 'weighted' },
      ),
    ).toEqual([]);
  });

  it('names fields that are changed, added and removed', () => {
    expect(diff({ strategy: 'weighted', max_attempts: 2 }, { strategy: 'sticky', default: null })).toEqual([
      { path: 'strategy', kind: 'changed', from: 'weighted', to: 'sticky' },
      { path: 'max_attempts', kind: 'removed', from: 2 },
      { path: 'default', kind: 'added', to: null },
    ]);
  });

  it('matches shops by their id, regardless of their order', () => {
    const before = { shops: [{ shop_id: 1, weight: 1 }, { shop_id: 2 }] };
    const after = { shops: [{ shop_id: 3 }, { shop_id: 1, weight: 5 }] };
    expect(diff(before, after)).toEqual([
      { path: 'shops[shop 1].weight', kind: 'changed', from: 1, to: 5 },
      { path: 'shops[shop 2]', kind: 'removed', from: { shop_id: 2 } },
      { path: 'shops[shop 3]', kind: 'added', to: { shop_id: 3 } },
    ]);
  });

  it('reports a rule that is inserted first as one addition', () => {
    expect(diff({ rules: [german, french] }, { rules: [swiss, german, french] })).toEqual([
      { path: 'rules[0]', kind: 'added', to: swiss },
    ]);
  });

  it('reports a removed rule as one removal', () => {
    expect(diff({ rules: [german, swiss, french] }, { rules: [german, french] })).toEqual([
      { path: 'rules[1]', kind: 'removed', from: swiss },
    ]);
  });

  it('reports moved rules', () => {
    expect(diff({ rules: [german, french] }, { rules: [french, german] })).toEqual([
      { path: 'rules[0]', kind: 'moved', from: 1, to: 0 },
      { path: 'rules[1]', kind: 'moved', from: 0, to: 1 },
    ]);
  });

  it('compares the fields of a changed rule', () => {
    expect(diff({ rules: [german, french] }, { rules: [german, rule('FR', 2, 3)] })).toEqual([
      { path: 'rules[1].use.shops', kind: 'changed', from: [2], to: [2, 3] },
    ]);
  });
});
