import type { RoutableShop } from '../../definition/eligibility.js';

/** A shop's turn: its number `turn` (from 0) since the counter was 0. */
export interface WeightedTurn {
  shop: RoutableShop;
  turn: number;
}

/**
 * Smooth weighted round robin, worked out for any counter without those before it
 * (docs/decisions/011-weighted-order.md).
 *
 * The shops are the leaves of a Huffman tree over their weights. Each node shares the payments that reach it between its
 * two children: of the first `m`, the heavier one gets `m × its weight / both weights`, rounded. So a cycle of sum(weights)
 * payments gives each shop exactly its weight. Rounding adds at most half a pick of error per level, of which a shop
 * feels its share of that level's weight; as a node weighs at least as much as a child and a grandchild of it together,
 * these shares fall as the Fibonacci numbers rise: at most (1 + 1 + 1/2 + 1/3 + 1/5 + …) / 2 < 1.68 picks in all.
 */
export class WeightedOrder {
  /** The length of a cycle: at most 300 shops × 1,000,000. */
  readonly cycleLength: number;
  /** Leaves first, in order of weight, then the inner nodes, each after its children; the root is last. */
  private readonly weights: Float64Array;
  /** Of inner nodes: at `2 × (node - leaves)` the heavier child, then the lighter one. */
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

  /** Huffman's algorithm with two queues: leaves and inner nodes both come in order of weight. */
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

  /** Whose turn it is at `counter`. */
  at(counter: number): WeightedTurn {
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
    return { shop, turn: cycles * shop.weight + position };
  }

  /** The first counter, `from` or later, at which it is the shop's turn; `undefined` for a shop that is not in it. */
  nextTurn(shop: RoutableShop, from: number): number | undefined {
    const leaf = this.leaves.indexOf(shop);
    if (leaf < 0) return undefined;
    const position = from % this.cycleLength;
    const path = this.pathTo(leaf);
    // down: how many turns it has had in this cycle; back up: when the next one reaches it
    let turns = BigInt(position);
    for (const split of path.toReversed()) turns = split.handedOver(turns);
    for (const split of path) turns = split.arrivalOf(turns);
    return from - position + Number(turns);
  }

  /** The splits on the way from a leaf up to the root. */
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

/** What a child gets of its parent's payments: as in `at`, for single questions and numbers of any size. */
class Split {
  constructor(
    private readonly weight: bigint,
    private readonly both: bigint,
    private readonly isHeavier: boolean,
  ) {}

  /** How many of the parent's first `payments` the child gets. */
  handedOver(payments: bigint): bigint {
    if (this.isHeavier) return (2n * payments * this.weight + this.both) / (2n * this.both);
    const heavier = (2n * payments * (this.both - this.weight) + this.both) / (2n * this.both);
    return payments - heavier;
  }

  /** Which of the parent's payments (from 0) is the child's number `turn` (from 0). */
  arrivalOf(turn: bigint): bigint {
    const halves = (2n * turn + 1n) * this.both;
    // the smallest m with round(m × weight / both) > turn; a half is the heavier child's
    if (this.isHeavier) return (halves + 2n * this.weight - 1n) / (2n * this.weight) - 1n;
    return halves / (2n * this.weight);
  }
}

const CHUNK = 2 ** 15;

/** `one × other mod modulus`, all three below 2 ** 30; the product itself may be beyond what a double holds. */
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
