/** What one process has let through since it last told the store, as time: one permit is 1000 / `perSecond` ms. */
export interface Spending {
  key: string;
  /** Negative when permits are given back. */
  ms: number;
}

/**
 * Where the processes put their counts together. A bucket is one number, the time when it will be full again; one that
 * is full is not kept. Both implementations pass `permit-store.spec.ts`.
 */
export abstract class PermitStore {
  /**
   * Adds to each bucket, by the store's own clock, and tells in how many ms each will be full again, in the same order.
   * Rejects within a few seconds when the store does not answer; whether it has added then is open.
   */
  abstract spend(spendings: Spending[]): Promise<number[]>;

  abstract close(): Promise<void>;
}
