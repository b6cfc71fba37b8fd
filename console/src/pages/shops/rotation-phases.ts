/** A phase of a rotation, and the secrets that sign in it. */
export interface RotationPhase {
  /** `null`: the phase has started already. */
  from: Date | null;
  /** `null`: the phase has no end. */
  to: Date | null;
  /** The secret for the header `Signature`, which carries one signature. */
  signature: 'old' | 'new';
  /** The secrets for the header `webhook-signature`. */
  standard: 'old' | 'both' | 'new';
}

interface Rotation {
  /** When the new secret starts to sign `Signature`; `null`: it has started. */
  activeFrom: Date | null;
  /** Until when the old secret also signs; `null`: it does not. */
  previousExpiresAt: Date | null;
}

/** The current and later phases of a rotation that is running at `now`. */
export function rotationPhases({ activeFrom, previousExpiresAt }: Rotation, now = new Date()): RotationPhase[] {
  const phases: RotationPhase[] = [];
  const isAnnounced = activeFrom !== null && activeFrom > now;
  if (isAnnounced) phases.push({ from: null, to: activeFrom, signature: 'old', standard: 'both' });
  const start = isAnnounced ? activeFrom : null;
  const overlapEnd = previousExpiresAt !== null && previousExpiresAt > (start ?? now) ? previousExpiresAt : null;
  if (overlapEnd) phases.push({ from: start, to: overlapEnd, signature: 'new', standard: 'both' });
  phases.push({ from: overlapEnd ?? start, to: null, signature: 'new', standard: 'new' });
  return phases;
}

/** The phases of a rotation that is requested at `now`. */
export function plannedPhases(activateInSeconds: number, overlapSeconds: number, now = new Date()): RotationPhase[] {
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
  return rotationPhases(
    {
      activeFrom: activateInSeconds > 0 ? after(activateInSeconds) : null,
      previousExpiresAt: overlapSeconds > 0 ? after(activateInSeconds + overlapSeconds) : null,
    },
    now,
  );
}
