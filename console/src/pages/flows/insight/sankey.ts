import type { Schema } from '@payment-orchestrator/client';

/** Payments from a shop on the left to a shop on the right. `null`: no shop, also because a rule declines them. */
export interface Flow {
  from: number | null;
  to: number | null;
  payments: number;
}

/** A shop on one side, in a slot that is high enough for its label. Lengths are in px. */
export interface SankeyNode {
  /** `null`: no shop. `OTHERS`: the merged shops with few payments. */
  id: number | null;
  payments: number;
  slotTop: number;
  slotHeight: number;
  top: number;
  height: number;
}

export interface SankeyLink extends Flow {
  /** Top of the band on the left and on the right. */
  fromTop: number;
  toTop: number;
  thickness: number;
  isMove: boolean;
}

export interface Sankey {
  height: number;
  left: SankeyNode[];
  right: SankeyNode[];
  links: SankeyLink[];
}

export const OTHERS = -1;

/** Height of a label, and the gap between two shops. */
const SLOT_HEIGHT = 40;
const GAP = 8;
/** Total height of all bars of one side. */
const BARS_HEIGHT = 200;
const MAX_SHOPS = 12;

type Result = Pick<Schema<'ReplayResult'>, 'shops' | 'moves'>;

/** Payments that change their shop, and those that keep it. */
export function flowsOf({ shops, moves }: Result): Flow[] {
  const stays = shops.map(({ shop_id: id, before }) => {
    const moved = moves.filter((move) => move.from_shop_id === id).reduce((sum, { payments }) => sum + payments, 0);
    return { from: id, to: id, payments: before.payments - moved };
  });
  const moved = moves.map(({ from_shop_id: from, to_shop_id: to, payments }) => ({ from, to, payments }));
  return [...stays, ...merged(moved)].filter(({ payments }) => payments > 0);
}

/** One flow between any two ends. */
function merged(flows: readonly Flow[]): Flow[] {
  const byEnds = new Map<string, Flow>();
  for (const { from, to, payments } of flows) {
    const key = `${from} ${to}`;
    byEnds.set(key, { from, to, payments: payments + (byEnds.get(key)?.payments ?? 0) });
  }
  return [...byEnds.values()];
}

/** Computes the diagram. Bands are sorted by the shop at their other end, so that few of them cross. */
export function sankey(flows: readonly Flow[]): Sankey {
  const grouped = withOthers(flows);
  const total = grouped.reduce((sum, { payments }) => sum + payments, 0);
  const scale = total === 0 ? 0 : BARS_HEIGHT / total;
  const left = column(grouped, ({ from }) => from, scale);
  const right = column(grouped, ({ to }) => to, scale);
  const height = Math.max(0, ...[...left, ...right].map(({ slotTop, slotHeight }) => slotTop + slotHeight));
  return { height, left, right, links: linksOf(grouped, left, right, scale) };
}

function linksOf(flows: readonly Flow[], left: SankeyNode[], right: SankeyNode[], scale: number): SankeyLink[] {
  const place = (nodes: SankeyNode[], id: number | null) => nodes.findIndex((node) => node.id === id);
  const ordered = [...flows].sort(
    (one, other) => place(left, one.from) - place(left, other.from) || place(right, one.to) - place(right, other.to),
  );
  const next = { left: left.map(({ top }) => top), right: right.map(({ top }) => top) };
  return ordered.map((flow) => {
    const thickness = flow.payments * scale;
    const [from, to] = [place(left, flow.from), place(right, flow.to)];
    const link = {
      ...flow,
      thickness,
      fromTop: next.left[from]!,
      toTop: next.right[to]!,
      isMove: flow.from !== flow.to,
    };
    next.left[from]! += thickness;
    next.right[to]! += thickness;
    return link;
  });
}

function column(flows: readonly Flow[], endOf: (flow: Flow) => number | null, scale: number): SankeyNode[] {
  const sums = new Map<number | null, number>();
  for (const flow of flows) sums.set(endOf(flow), (sums.get(endOf(flow)) ?? 0) + flow.payments);
  let slotTop = 0;
  return [...sums]
    .sort(([one], [other]) => rank(one) - rank(other))
    .map(([id, payments]) => {
      const height = payments * scale;
      const slotHeight = Math.max(SLOT_HEIGHT, height);
      const node = { id, payments, slotTop, slotHeight, top: slotTop + (slotHeight - height) / 2, height };
      slotTop += slotHeight + GAP;
      return node;
    });
}

/** Sorts shops by id, then the merged ones, then "no shop". */
const rank = (id: number | null): number => (id === null ? Infinity : id === OTHERS ? Number.MAX_SAFE_INTEGER : id);

/** Merges the shops with the fewest payments if there are too many shops for the diagram. */
function withOthers(flows: readonly Flow[]): Flow[] {
  const sums = new Map<number, number>();
  const add = (id: number | null, payments: number) => id !== null && sums.set(id, (sums.get(id) ?? 0) + payments);
  for (const { from, to, payments } of flows) {
    add(from, payments);
    add(to, payments);
  }
  if (sums.size <= MAX_SHOPS) return [...flows];
  const largest = [...sums].sort(([, one], [, other]) => other - one).slice(0, MAX_SHOPS - 1);
  const kept = new Set(largest.map(([id]) => id));
  const idOf = (id: number | null) => (id === null || kept.has(id) ? id : OTHERS);
  return merged(flows.map(({ from, to, payments }) => ({ from: idOf(from), to: idOf(to), payments })));
}

/** The SVG outline of a band across a diagram of this width. */
export function bandOf({ fromTop, toTop, thickness }: SankeyLink, width: number): string {
  const middle = width / 2;
  const there = `M0,${fromTop} C${middle},${fromTop} ${middle},${toTop} ${width},${toTop}`;
  const back = `L${width},${toTop + thickness} C${middle},${toTop + thickness} ${middle},${fromTop + thickness} 0,${fromTop + thickness} Z`;
  return `${there} ${back}`;
}
