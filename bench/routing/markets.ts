import { hash32 } from '@payment-orchestrator/routing/strategies/hash';
import { generator, type Uniform } from '@payment-orchestrator/routing/statistics/random';

/** The facts of a payment that decide its approval. */
export interface Facts {
  scheme: string;
  bin: string;
}

/** A merchant's payments over two days, and the true approval rates of its shops. */
export interface Market {
  name: string;
  title: string;
  factsFrom(random: Uniform): Facts;
  /** The true rate of a shop for a payment, at an hour of the simulation. */
  rateOf(shopId: number, facts: Facts, hour: number): number;
}

export const SHOP_IDS = [1, 2, 3, 4];
export const HOURS = 48;
export const PAYMENTS_PER_HOUR = 300;

const SCHEMES = ['visa', 'mastercard', 'amex', 'other'];
const SCHEME_SHARES = [0.5, 0.35, 0.1, 0.05];
/** How far the schemes differ in level, in logits: other cards are declined everywhere more often. */
const SCHEME_LEVELS = [0, -0.2, -0.9, -1.2];
const BINS_PER_SCHEME = 200;
/** The shares of BINs follow Zipf's law: most cells are thin. */
const BIN_SHARES = Array.from({ length: BINS_PER_SCHEME }, (_, index) => 1 / (index + 1));
const BIN_SHARES_SUM = BIN_SHARES.reduce((sum, share) => sum + share, 0);
/** How far BINs differ in level. */
const BIN_SPREAD = 0.4;

export function factsFrom(random: Uniform): Facts {
  const scheme = indexAt(SCHEME_SHARES, random());
  const bin = indexAt(BIN_SHARES, random() * BIN_SHARES_SUM);
  return { scheme: SCHEMES[scheme]!, bin: String(100_000 * (4 + scheme) + bin) };
}

const sameEverywhere: Market = {
  name: 'same',
  title: 'Shops differ by the same odds in every segment',
  factsFrom,
  rateOf: (shopId, facts) => rate([0.3, 0.1, 0, -0.5][shopId - 1]! + levelOf(facts)),
};

const interaction: Market = {
  name: 'interaction',
  title: 'Each shop is good at other schemes and BINs',
  factsFrom,
  rateOf: (shopId, facts) => rate(levelOf(facts) + 0.6 * by(1, shopId, facts.scheme) + 0.5 * by(2, shopId, facts.bin)),
};

const SMALL_SCHEMES = Array.from({ length: 60 }, (_, index) => `local ${index + 1}`);

/**
 * Shop 1 is best at the scheme that is approved most, shop 2 at another and at all small schemes. So shop 1 has the best
 * rate as a whole, and a thin cell that backs off to that rate goes to the wrong shop.
 */
const levels: Market = {
  name: 'levels',
  title: 'Large schemes differ in level, and 60 small ones are thin',
  factsFrom(random) {
    const place = random();
    const small = SMALL_SCHEMES[Math.floor(random() * SMALL_SCHEMES.length)]!;
    const scheme = place < 0.4 ? 'visa' : place < 0.8 ? 'mastercard' : small;
    return { scheme, bin: `${scheme} ${indexAt(BIN_SHARES, random() * BIN_SHARES_SUM)}` };
  },
  rateOf(shopId, { scheme }) {
    const kind = { visa: 0, mastercard: 1 }[scheme] ?? 2;
    return [
      [0.95, 0.92, 0.9, 0.9],
      [0.74, 0.8, 0.72, 0.72],
      [0.86, 0.9, 0.85, 0.85],
    ][kind]![shopId - 1]!;
  },
};

const OUTAGES = [
  { shopId: 1, scheme: 'visa', from: 24, to: 27, rate: 0.2 },
  { shopId: 2, scheme: 'mastercard', from: 36, to: 42, rate: 0.3 },
];

const drift: Market = {
  name: 'drift',
  title: 'Rates drift over the day; two outages of one scheme at one shop',
  factsFrom,
  rateOf(shopId, facts, hour) {
    const outage = OUTAGES.find(
      ({ from, to, ...at }) => at.shopId === shopId && at.scheme === facts.scheme && hour >= from && hour < to,
    );
    if (outage) return outage.rate;
    const swing = (shopId % 2 === 0 ? -0.5 : 0.5) * Math.sin((2 * Math.PI * hour) / 24);
    return rate(levelOf(facts) + swing + 0.5 * by(3, shopId, facts.scheme) + 0.2 * by(4, shopId, facts.bin));
  },
};

export const MARKETS: readonly Market[] = [sameEverywhere, interaction, levels, drift];

const levelOf = ({ scheme, bin }: Facts): number =>
  SCHEME_LEVELS[SCHEMES.indexOf(scheme)]! + BIN_SPREAD * by(0, 0, bin);

/** A rate of 0.87 for a logit of 0. */
const rate = (logit: number): number => 1 / (1 + Math.exp(-logit - 1.9));

const known = new Map<string, number>();

/** A normally distributed effect of a shop and a value, always the same. */
function by(salt: number, shopId: number, value: string): number {
  const key = `${salt}:${shopId}:${value}`;
  let effect = known.get(key);
  if (effect === undefined) {
    const number = [...value].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);
    const random = generator(hash32(number % 2 ** 50, shopId, salt));
    effect = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    known.set(key, effect);
  }
  return effect;
}

/** The index whose share of the sum contains `at`. */
function indexAt(shares: readonly number[], at: number): number {
  let left = at;
  for (const [index, share] of shares.entries()) {
    left -= share;
    if (left < 0) return index;
  }
  return shares.length - 1;
}
