import type { ShopHealth } from '@payment-orchestrator/routing/facts/shop';

/** The period in which faults count towards a shop's health, in whole minutes, including the current one. */
export const HEALTH_WINDOW_MINUTES = 5;

/** A shop is excluded if at least this share of its outcomes are its own faults … */
export const FAULT_THRESHOLD = 0.5;

/** … out of at least this many outcomes. */
export const MIN_OUTCOMES = 10;

/**
 * The period after a fault that began or prolonged an outage, in which the shop gets no payments; then it is half-open.
 */
export const COOL_DOWN_MS = 60_000;

/** Outcomes of payments that a shop is responsible for. */
export interface OutcomeCounts {
  approved: number;
  declined: number;
  /** Faults of the shop itself. */
  failed: number;
}

/**
 * A shop's latest outage, as stored: from the fault that exceeded the threshold to the first success after a cool-down.
 */
export interface Outage {
  beganAt: Date;
  /** The fault that began it, or the latest fault of a half-open shop. */
  lastFaultAt: Date;
  /** `null`: not ended. */
  endedAt: Date | null;
}

export interface HealthState {
  status: ShopHealth;
  /** `null`: the shop never had an outage. */
  since: Date | null;
}

/** The time when a shop becomes half-open. */
export const coolDownEnd = ({ lastFaultAt }: Outage): Date => new Date(lastFaultAt.getTime() + COOL_DOWN_MS);

/** Returns the health that an outage implies at a time. Pure. */
export function healthAt(outage: Outage | undefined, now: Date): HealthState {
  if (!outage) return { status: 'healthy', since: null };
  if (outage.endedAt) return { status: 'healthy', since: outage.endedAt };
  const coolDownEndsAt = coolDownEnd(outage);
  return now < coolDownEndsAt
    ? { status: 'unhealthy', since: outage.beganAt }
    : { status: 'probing', since: coolDownEndsAt };
}

/** Whether the faults begin an outage. Pure. */
export function isBeyondThreshold({ approved, declined, failed }: OutcomeCounts): boolean {
  const total = approved + declined + failed;
  return total >= MIN_OUTCOMES && failed >= FAULT_THRESHOLD * total;
}

/**
 * Whether a fault at `now` begins an outage or prolongs the current one; `recent` includes it already. A fault while
 * the shop is excluded belongs to a payment that was sent earlier, and changes nothing. Pure.
 */
export function faultMatters(outage: Outage | undefined, recent: OutcomeCounts, now: Date): boolean {
  const { status } = healthAt(outage, now);
  return status === 'probing' || (status === 'healthy' && isBeyondThreshold(recent));
}
