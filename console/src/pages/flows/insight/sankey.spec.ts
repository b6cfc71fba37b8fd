import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Flow, flowsOf, OTHERS, sankey } from './sankey';

const share = (payments: number) => ({ payments, share: 0 });

describe('sankey', () => {
  it('flowsOf includes payments that keep their shop', () => {
    const shops = [
      { shop_id: 1, shop_name: 'a', before: share(60), after: share(40) },
      { shop_id: 2, shop_name: 'b', before: share(40), after: share(50) },
    ];
    const moves = [
      { from_shop_id: 1, to_shop_id: 2, declined: false, payments: 10 },
      { from_shop_id: 1, to_shop_id: null, declined: false, payments: 10 },
    ];
    expect(flowsOf({ shops, moves })).toEqual([
      { from: 1, to: 1, payments: 40 },
      { from: 2, to: 2, payments: 40 },
      { from: 1, to: 2, payments: 10 },
      { from: 1, to: null, payments: 10 },
    ]);
  });

  it('returns an empty diagram without payments', () => {
    expect(sankey([])).toEqual({ height: 0, left: [], right: [], links: [] });
  });

  it('sorts "no shop" last', () => {
    const { right } = sankey([
      { from: 1, to: null, payments: 3 },
      { from: 1, to: 2, payments: 1 },
    ]);
    expect(right.map(({ id }) => id)).toEqual([2, null]);
  });

  it('merges the smallest of many shops', () => {
    const flows = Array.from({ length: 40 }, (_, index): Flow => ({
      from: index + 1,
      to: index + 1,
      payments: index + 1,
    }));
    const { left, links } = sankey(flows);
    expect(left).toHaveLength(12);
    expect(left.at(-1)).toMatchObject({ id: OTHERS, payments: (29 * 30) / 2 });
    expect(links.find(({ from }) => from === OTHERS)).toMatchObject({ to: OTHERS, isMove: false });
  });

  const flows = fc.uniqueArray(
    fc.record({
      from: fc.integer({ min: 1, max: 20 }),
      to: fc.option(fc.integer({ min: 1, max: 20 })),
      payments: fc.integer({ min: 1, max: 10_000 }),
    }),
    { selector: ({ from, to }) => `${from} ${to}`, minLength: 1, maxLength: 60 },
  );

  it('draws bands that fill their bars, do not overlap and stay within the diagram', () => {
    fc.assert(
      fc.property(flows, (some) => {
        const { left, right, links, height } = sankey(some);
        for (const [nodes, end, top] of [
          [left, 'from', 'fromTop'],
          [right, 'to', 'toTop'],
        ] as const) {
          for (const node of nodes) {
            const own = links.filter((link) => link[end] === node.id).sort((one, other) => one[top] - other[top]);
            let next = node.top;
            for (const link of own) {
              expect(link[top]).toBeCloseTo(next, 6);
              next += link.thickness;
            }
            expect(next).toBeCloseTo(node.top + node.height, 6);
            expect(node.slotTop).toBeGreaterThanOrEqual(0);
            expect(node.slotTop + node.slotHeight).toBeLessThanOrEqual(height);
          }
        }
      }),
    );
  });
});
