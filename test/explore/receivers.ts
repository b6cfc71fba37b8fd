import type { OutboundErrorCode } from '../../src/platform/outbound/outbound-result.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';

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
/** `recovering` is in scenarios of hours only. */
export type ReceiverKind = (typeof RECEIVER_KINDS)[number] | 'recovering';

/** The receiver of a lane. */
export interface ReceiverPlan {
  kind: ReceiverKind;
  /** Its meaning depends on `kind`: the time of an answer, or of a change of behaviour. */
  ms: number;
}

/** The answer to a request after `afterMs`, unless it times out first. */
export type Reaction =
  { afterMs: number; statusCode: number; retryAfter?: string } | { afterMs: number; error: OutboundErrorCode };

/** A `recovering` receiver does not answer from this time until its time `ms`. */
export const OUTAGE_FROM_MS = 120_000;

const NEVER: Reaction = { afterMs: Infinity, error: 'timeout' };

/** Receivers that always answer 200 within the timeout of an attempt, so that each delivery needs one attempt. */
export const isReliable = ({ kind }: ReceiverPlan): boolean =>
  kind === 'quick' || kind === 'slow' || kind === 'slowing';

/** Receivers that can recover have recovered at most this long after the scenario's start. */
const WELL_AFTER_MS = 30_000;
/** The slowest answer of `slowing` and `slow` receivers, less than the timeout of an attempt. */
const SLOWEST_MS = 2_900;

/**
 * Answers depend on the time, the delivery and the number of its request, never on the worker, so that a shrunk
 * scenario stays the same.
 */
export class Receiver {
  /** When a `single` receiver, which serves one request at a time, is free. */
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
      case 'recovering':
        return nowMs >= OUTAGE_FROM_MS && nowMs < ms ? NEVER : quick;
      case 'single':
        return { ...quick, afterMs: this.queueingMs(nowMs, ms / 30) };
    }
  }

  private isUp(nowMs: number): boolean {
    return nowMs > WELL_AFTER_MS || Math.floor(nowMs / (1_000 + this.plan.ms)) % 2 === 0;
  }

  private queueingMs(nowMs: number, serviceMs: number): number {
    this.freeAtMs = Math.max(nowMs, this.freeAtMs) + serviceMs * this.random.between(0.5, 1.5);
    return this.freeAtMs - nowMs;
  }
}

function impatient(random: SeededRandom, ms: number): Reaction {
  const statusCode = random.pick([429, 503]);
  return { afterMs: random.between(0.5, 20), statusCode, retryAfter: String(Math.ceil(ms / 500)) };
}
