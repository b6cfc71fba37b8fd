import type { Condition } from '../definition/condition.js';
import { hash32 } from '../strategies/hash.js';

/** `customer`: all payments of a customer get the same version. Payments without a customer are divided one by one. */
export const ROLLOUT_KEYS = ['payment', 'customer'] as const;

export type RolloutKey = (typeof ROLLOUT_KEYS)[number];

/** A rollout that is running: its candidate gets a percent of the flow's payments, the active version the others. */
export interface RunningRollout {
  id: number;
  /** The candidate. */
  version: number;
  /** From 1; each change of the percent begins the next one. */
  stage: number;
  /** At most two decimals. */
  percent: number;
  key: RolloutKey;
  /** Only payments that meet it take part; `null`: all. */
  when: Condition | null;
  /** The number of payments that the candidate has routed. */
  counter: number;
}

/** How a rollout chose the version of a payment. */
export interface RolloutChoice extends Omit<RunningRollout, 'counter' | 'when'> {
  /** 0 … 9999: a hash of the customer, or a random number. The candidate gets those below percent × 100. */
  bucket: number;
}

export const BUCKETS = 10_000;
const BUCKET_SALT = 7;

/** Whether the customer decides, and no random number. */
export const isByCustomer = ({ key }: { key: RolloutKey }, customerId: number | undefined): customerId is number =>
  key === 'customer' && customerId !== undefined;

/**
 * Chooses between base and candidate. A customer's bucket never changes, so raising the percent moves customers to the
 * candidate only. `randomBucket` is called at most once. Pure otherwise.
 */
export function chooseInRollout(
  rollout: Omit<RunningRollout, 'counter' | 'when'>,
  customerId: number | undefined,
  randomBucket: () => number,
): RolloutChoice {
  const { id, version, stage, percent, key } = rollout;
  const bucket = isByCustomer(rollout, customerId) ? hash32(id, customerId, BUCKET_SALT) % BUCKETS : randomBucket();
  return { id, version, stage, bucket, percent, key };
}

// rounded: 1.1 × 100 is above 110
export const isCandidate = ({ bucket, percent }: RolloutChoice): boolean => bucket < Math.round(percent * 100);
