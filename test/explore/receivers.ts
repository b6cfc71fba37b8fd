import type { OutboundErrorCode } from '../../src/platform/outbound/outbound-result.js';
import { SeededRandom } from '../support/seeded-random.js';

export const RECEIVER_KINDS = [
  'quick',
  'slow',
  'slowing',
  'dead',
  'refusing',
  'flapping',
  'impatient',
  'gone',
  'failing',
  'resetting',
  'single',
] as const;
export type ReceiverKind = (typeof RECEIVER_KINDS)[number];

/** Who answers a lane's requests. */
export interface ReceiverPlan {
  kind: ReceiverKind;
  /** What `kind` makes of it: an answer's time, or a change's. */
  ms: number;
}

/** What becomes of a request after `afterMs`, unless its time is over before. */
export type Reaction =
  { afterMs: number; statusCode: number; retryAfter?: string } | { afterMs: number; error: OutboundErrorCode };

const NEVER: Reaction = { afterMs: Infinity, error: 'timeout' };

/** Those that answer 200 within the time of an attempt, whatever happens: each delivery needs one attempt. */
export const isReliable = ({ kind }: ReceiverPlan): boolean =>
  kind === 'quick' || kind === 'slow' || kind === 'slowing';

/** At most this long after the scenario's beginning receivers that can become well again are well. */
const WELL_AFTER_MS = 30_000;
/** A `slowing` receiver's last answers, and a `slow` one's at most: not longer than an attempt may take. */
const SLOWEST_MS = 2_900;

/** Receivers answer by the clock, the delivery and how often it came: never by who asks, so that a smaller scenario stays the same. */
export class Receiver {
  /** When a `single` receiver, which serves one after the other, is free. */
  private freeAtMs = 0;
  private readonly random: SeededRandom;

  constructor(
    private readonly plan: ReceiverPlan,
    private readonly seed: number,
    private readonly laneId: number,
  ) {
    this.random = new SeededRandom(seed, 'receiver', laneId);
  }

  react(deliveryId: number, time: number, nowMs: number): Reaction {
    const random = new SeededRandom(this.seed, 'reaction', this.laneId, deliveryId, time);
    const { kind, ms } = this.plan;
    const quick = { afterMs: random.between(0.5, 20), statusCode: 200 };
    switch (kind) {
      case 'quick':
        return quick;
      case 'slow':
        return { ...quick, afterMs: Math.min(SLOWEST_MS, ms * random.between(0.9, 1.1)) };
      case 'slowing':
        return { ...quick, afterMs: Math.min(SLOWEST_MS, 5 + (ms * nowMs) / 10_000) };
      case 'dead':
        return NEVER;
      case 'refusing':
        return { afterMs: random.between(0.1, 2), error: 'connect_failed' };
      case 'flapping':
        return this.isUp(nowMs) ? quick : random.chance(0.5) ? NEVER : { ...quick, statusCode: 502 };
      case 'impatient':
        return nowMs > WELL_AFTER_MS / 2 ? quick : impatient(random, ms);
      case 'gone':
        return { ...quick, statusCode: 410 };
      case 'failing':
        return { ...quick, statusCode: 500 };
      case 'resetting':
        return random.chance(0.5) ? quick : { afterMs: random.between(0, 100), error: 'connection_reset' };
      case 'single':
        return { ...quick, afterMs: this.inLine(nowMs, ms / 30) };
    }
  }

  private isUp(nowMs: number): boolean {
    return nowMs > WELL_AFTER_MS || Math.floor(nowMs / (1_000 + this.plan.ms)) % 2 === 0;
  }

  private inLine(nowMs: number, serviceMs: number): number {
    this.freeAtMs = Math.max(nowMs, this.freeAtMs) + serviceMs * this.random.between(0.5, 1.5);
    return this.freeAtMs - nowMs;
  }
}

function impatient(random: SeededRandom, ms: number): Reaction {
  const statusCode = random.pick([429, 503]);
  return { afterMs: random.between(0.5, 20), statusCode, retryAfter: String(Math.ceil(ms / 500)) };
}
