/** MurmurHash3's 32-bit finalizer: every bit of the input reaches every bit of the output. */
function scramble(word: number): number {
  let mixed = word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const lowWord = (integer: number): number => integer >>> 0;
const highWord = (integer: number): number => Math.floor(integer / 2 ** 32) >>> 0;

/** 32 bits from two safe integers and a salt. */
export function hash32(one: number, other: number, salt: number): number {
  let state = scramble(salt ^ 0x9e3779b9);
  for (const word of [lowWord(one), highWord(one), lowWord(other), highWord(other)]) {
    state = scramble((Math.imul(state, 5) + 0xe6546b64) ^ scramble(word + 0x9e3779b9));
  }
  return state;
}

/** A seed from all 53 bits of a random number, 0 ≤ draw < 1. */
export const seedOf = (draw: number): number => Math.floor(draw * 2 ** 53);

/** A number from two safe integers, evenly spread over 0 < x < 1, with 52 bits. */
export const hashFraction = (one: number, other: number): number =>
  ((hash32(one, other, 1) >>> 6) * 2 ** 26 + (hash32(one, other, 2) >>> 6) + 0.5) / 2 ** 52;
