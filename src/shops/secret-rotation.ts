/** A shop's webhook secrets as they are stored, sealed. */
export interface StoredSecrets {
  /** Signs from `activeFrom` on; until then it is announced only. */
  latest: Buffer;
  /** Null: signs since ever. */
  activeFrom: Date | null;
  /** What signs until `activeFrom`, and is valid besides until `previousExpiresAt`. */
  previous: Buffer | null;
  previousExpiresAt: Date | null;
}

export interface Rotation {
  /** The new secret, sealed. */
  sealed: Buffer;
  /** It is the latest one already: a request that was sent again because its answer was lost. */
  isRepeated: boolean;
  overlapSeconds: number;
  activateInSeconds: number;
}

/**
 * The secrets after a rotation. What signs at this moment is the one before, whose overlap begins when the new one signs. A
 * secret that was only announced is replaced by the next one. The same secret once more leaves the one before in its
 * place, and does not take back that it signs.
 */
export function rotate(stored: StoredSecrets, rotation: Rotation, now: Date): StoredSecrets {
  const isAnnounced = stored.activeFrom !== null && stored.activeFrom > now;
  const waitSeconds = rotation.isRepeated && !isAnnounced ? 0 : rotation.activateInSeconds;
  const before = isAnnounced ? stored.previous : rotation.isRepeated ? validPrevious(stored, now) : stored.latest;
  const isKept = before !== null && waitSeconds + rotation.overlapSeconds > 0;
  return {
    latest: rotation.sealed,
    activeFrom: waitSeconds > 0 ? after(now, waitSeconds) : null,
    previous: isKept ? before : null,
    previousExpiresAt: isKept ? after(now, waitSeconds + rotation.overlapSeconds) : null,
  };
}

const validPrevious = ({ previous, previousExpiresAt }: StoredSecrets, now: Date): Buffer | null =>
  previousExpiresAt !== null && previousExpiresAt > now ? previous : null;

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
