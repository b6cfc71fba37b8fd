/** A span of a rotation, and which secrets sign in it. */
export interface RotationPhase {
  /** `null`: since before. */
  from: Date | null;
  /** `null`: from then on. */
  to: Date | null;
  /** Of the header `Signature`, which carries one. */
  signature: 'old' | 'new';
  /** Of the header `webhook-signature`. */
  standard: 'old' | 'both' | 'new';
}

interface Rotation {
  /** When the new secret begins to sign `Signature`; `null`: it does. */
  activeFrom: Date | null;
  /** Until when the old secret signs, too; `null`: it does not. */
  previousExpiresAt: Date | null;
}

/** What signs when, of a rotation that is under way at `now`. */
export function rotationPhases({ activeFrom, previousExpiresAt }: Rotation, now: Date): RotationPhase[] {
  const phases: RotationPhase[] = [];
  const isAnnounced = activeFrom !== null && activeFrom > now;
  if (isAnnounced) phases.push({ from: null, to: activeFrom, signature: 'old', standard: 'both' });
  const start = isAnnounced ? activeFrom : null;
  const overlapEnd = previousExpiresAt !== null && previousExpiresAt > (start ?? now) ? previousExpiresAt : null;
  if (overlapEnd) phases.push({ from: start, to: overlapEnd, signature: 'new', standard: 'both' });
  phases.push({ from: overlapEnd ?? start, to: null, signature: 'new', standard: 'new' });
  return phases;
}

/** The same for a rotation that is asked for at `now`. */
export function plannedPhases(activateInSeconds: number, overlapSeconds: number, now: Date): RotationPhase[] {
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
  return rotationPhases(
    {
      activeFrom: activateInSeconds > 0 ? after(activateInSeconds) : null,
      previousExpiresAt: overlapSeconds > 0 ? after(activateInSeconds + overlapSeconds) : null,
    },
    now,
  );
}
