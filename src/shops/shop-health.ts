/** Whether a shop takes part in decisions: left out after too many failures of its own, then tried with a trickle. */
export type ShopHealth = 'healthy' | 'unhealthy' | 'probing';

/** How a shop has done lately: only outcomes that it is answerable for. */
export interface ShopStats {
  approved: number;
  declined: number;
  /** By the shop's own fault. */
  failed: number;
  health: ShopHealth;
}

/** How far back faults count towards a shop's health, in whole minutes, the present one included. */
export const HEALTH_WINDOW_MINUTES = 5;

/** A shop is left out when at least this part of its outcomes are its own faults … */
export const FAULT_THRESHOLD = 0.5;

/** … out of at least so many. */
export const MIN_OUTCOMES = 10;

/** For so long after a fault that began or prolonged an outage a shop gets nothing; then it is tried with a trickle. */
export const COOL_DOWN_MS = 60_000;

/** How payments that a shop is answerable for came out. */
export interface OutcomeCounts {
  approved: number;
  declined: number;
  /** By the shop's own fault. */
  failed: number;
}

/** A shop's latest outage, as stored: from the fault that went beyond the threshold to the first success after a cool-down. */
export interface Outage {
  beganAt: Date;
  /** The fault that began it, or the latest one of a shop that was tried again. */
  lastFaultAt: Date;
  /** `null`: not over. */
  endedAt: Date | null;
}

export interface HealthState {
  status: ShopHealth;
  /** `null`: the shop never had an outage. */
  since: Date | null;
}

/** When a shop is tried again. */
export const coolDownEnd = ({ lastFaultAt }: Outage): Date => new Date(lastFaultAt.getTime() + COOL_DOWN_MS);

/** What an outage means at a moment. Pure. */
export function healthAt(outage: Outage | undefined, now: Date): HealthState {
  if (!outage) return { status: 'healthy', since: null };
  if (outage.endedAt) return { status: 'healthy', since: outage.endedAt };
  const coolDownEndsAt = coolDownEnd(outage);
  return now < coolDownEndsAt
    ? { status: 'unhealthy', since: outage.beganAt }
    : { status: 'probing', since: coolDownEndsAt };
}

/** Whether so many faults begin an outage. Pure. */
export function isBeyondThreshold({ approved, declined, failed }: OutcomeCounts): boolean {
  const total = approved + declined + failed;
  return total >= MIN_OUTCOMES && failed >= FAULT_THRESHOLD * total;
}

/**
 * Whether a fault at `now` begins an outage or prolongs the one there is; `recent` counts it already. A fault that comes
 * in while the shop is left out belongs to a payment that was on its way before, and changes nothing. Pure.
 */
export function faultMatters(outage: Outage | undefined, recent: OutcomeCounts, now: Date): boolean {
  const { status } = healthAt(outage, now);
  return status === 'probing' || (status === 'healthy' && isBeyondThreshold(recent));
}
