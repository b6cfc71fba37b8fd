import type { RoutableShop } from '../definition/eligibility.js';

/** A pick: the shop, and the number of the pick among the shop's own picks (from 0) since the counter was 0. */
export interface WeightedPick {
  shop: RoutableShop;
  sequence: number;
}

/**
 * Smooth weighted round robin, computed for any counter without computing the earlier ones
 * (docs/decisions/011-weighted-order.md).
 *
 * The shops are the leaves of a Huffman tree over their weights. Each node divides its payments between its two
 * children: of the first `m`, the heavier child gets `m × its weight / both weights`, rounded. So a cycle of
 * sum(weights) payments gives each shop exactly its weight. Rounding adds an error of at most half a pick per level. A
 * shop gets its share of the error of each level. A node weighs at least as much as one child and one grandchild
 * together, so these shares decrease like the reciprocals of the Fibonacci numbers. The total error is at most (1 + 1 +
 * 1/2 + 1/3 + 1/5 + …) / 2 < 1.68 picks.
 */
export class WeightedOrder {
  /** The length of a cycle: at most 300 shops × 1,000,000. */
  readonly cycleLength: number;
  /** Leaves first, by weight, then the inner nodes, each after its children; the root is last. */
  private readonly weights: Float64Array;
  /** Children of inner nodes: at `2 × (node - leaves)` the heavier child, then the lighter one. */
  private readonly children: Uint16Array;
  private readonly leaves: RoutableShop[];

  constructor(shops: readonly RoutableShop[]) {
    this.leaves = inOrderOfWeight(shops);
    const count = this.leaves.length;
    this.weights = new Float64Array(2 * count - 1);
    this.children = new Uint16Array(2 * (count - 1));
    for (let leaf = 0; leaf < count; leaf++) this.weights[leaf] = this.leaves[leaf]!.weight;
    this.join(count);
    this.cycleLength = this.weights[2 * count - 2]!;
  }

  /** Huffman's algorithm with two queues: leaves and inner nodes are both sorted by weight. */
  private join(count: number): void {
    const { weights, children } = this;
    let leaf = 0;
    let inner = count;
    for (let node = count; node < 2 * count - 1; node++) {
      const lighter = leaf < count && (inner >= node || weights[leaf]! <= weights[inner]!) ? leaf++ : inner++;
      const heavier = leaf < count && (inner >= node || weights[leaf]! <= weights[inner]!) ? leaf++ : inner++;
      weights[node] = weights[lighter]! + weights[heavier]!;
      children[2 * (node - count)] = heavier;
      children[2 * (node - count) + 1] = lighter;
    }
  }

  /** The pick at `counter`. */
  at(counter: number): WeightedPick {
    const { weights, children, leaves, cycleLength } = this;
    const count = leaves.length;
    let position = counter % cycleLength;
    const cycles = (counter - position) / cycleLength;
    let node = 2 * count - 2;
    while (node >= count) {
      const both = weights[node]!;
      const heavier = children[2 * (node - count)]!;
      const weight = weights[heavier]!;
      const remainder = productModulo(position, weight, both);
      // exact: the dividend is a multiple of the divisor, and the quotient is small
      const whole = Math.round((position * weight - remainder) / both);
      const before = 2 * remainder < both ? whole : whole + 1;
      const after = whole + (2 * (remainder + weight) < both ? 0 : 2 * (remainder + weight) < 3 * both ? 1 : 2);
      if (after > before) {
        node = heavier;
        position = before;
      } else {
        node = children[2 * (node - count) + 1]!;
        position -= before;
      }
    }
    const shop = leaves[node]!;
    return { shop, sequence: cycles * shop.weight + position };
  }

  /** The first counter, `from` or later, that picks the shop; `undefined` for an unknown shop. */
  nextPick(shop: RoutableShop, from: number): number | undefined {
    const leaf = this.leaves.indexOf(shop);
    if (leaf < 0) return undefined;
    const position = from % this.cycleLength;
    const path = this.pathTo(leaf);
    // down: the number of its picks so far in this cycle; up: the position of the next one
    let picks = BigInt(position);
    for (const split of path.toReversed()) picks = split.shareOf(picks);
    for (const split of path) picks = split.parentIndexOf(picks);
    return from - position + Number(picks);
  }

  /** The splits on the path from a leaf up to the root. */
  private pathTo(leaf: number): Split[] {
    const count = this.leaves.length;
    const path: Split[] = [];
    let below = leaf;
    for (let node = count; node < 2 * count - 1; node++) {
      const isHeavier = this.children[2 * (node - count)] === below;
      if (!isHeavier && this.children[2 * (node - count) + 1] !== below) continue;
      path.push(new Split(BigInt(this.weights[below]!), BigInt(this.weights[node]!), isHeavier));
      below = node;
    }
    return path;
  }
}

/** Divides payments between two children. Same computation as `at`, for one child and numbers of any size. */
class Split {
  constructor(
    private readonly weight: bigint,
    private readonly both: bigint,
    private readonly isHeavier: boolean,
  ) {}

  /** The number of payments that the child gets of the parent's first `payments`. */
  shareOf(payments: bigint): bigint {
    if (this.isHeavier) return (2n * payments * this.weight + this.both) / (2n * this.both);
    const heavier = (2n * payments * (this.both - this.weight) + this.both) / (2n * this.both);
    return payments - heavier;
  }

  /** The index among the parent's payments (from 0) of the child's pick number `sequence` (from 0). */
  parentIndexOf(sequence: bigint): bigint {
    const halves = (2n * sequence + 1n) * this.both;
    // the smallest m with round(m × weight / both) > sequence; a half goes to the heavier child
    if (this.isHeavier) return (halves + 2n * this.weight - 1n) / (2n * this.weight) - 1n;
    return halves / (2n * this.weight);
  }
}

const CHUNK = 2 ** 15;

/** `one × other mod modulus`, all three below 2 ** 30; the product itself may exceed the exact range of a double. */
function productModulo(one: number, other: number, modulus: number): number {
  const product = one * other;
  if (product <= Number.MAX_SAFE_INTEGER) return product % modulus;
  const low = one % CHUNK;
  const high = (one - low) / CHUNK;
  return (((high * other) % modulus) * CHUNK + low * other) % modulus;
}

function inOrderOfWeight(shops: readonly RoutableShop[]): RoutableShop[] {
  const slots: (RoutableShop | undefined)[] = [];
  for (const shop of shops) slots[shop.weightRank] = shop;
  return slots.filter((shop) => shop !== undefined);
}
