/** A shop's stored webhook secrets, encrypted. */
export interface StoredSecrets {
  /** Signs from `activeFrom` on; until then it is only announced. */
  latest: Buffer;
  /** Null: active since its creation. */
  activeFrom: Date | null;
  /** Signs until `activeFrom`, and stays valid until `previousExpiresAt`. */
  previous: Buffer | null;
  previousExpiresAt: Date | null;
}

export interface RotationTimes {
  /** How long the previous secret stays valid after the new one has begun to sign. */
  overlapSeconds: number;
  /** The delay until the new secret signs; absent: it signs at once. */
  activateInSeconds?: number;
}

export interface Rotation extends RotationTimes {
  /** The new secret, encrypted. */
  encrypted: Buffer;
  /** Whether it is the latest secret already: the request was repeated because its answer was lost. */
  isRepeated: boolean;
}

/** The times of a rotated secret. */
export interface RotatedTimes {
  /** When the new secret begins or began to sign. */
  activeFrom: Date;
  /** Until when the previous secret stays valid; `null`: it is not valid. */
  previousExpiresAt: Date | null;
}

/**
 * Returns the secrets after a rotation. The secret that signs now becomes the previous one; its overlap begins when the
 * new one signs. A secret that was only announced is replaced. If the same secret is sent again, the previous one
 * stays, and a signing secret stays active.
 */
export function rotate(stored: StoredSecrets, rotation: Rotation, now: Date): StoredSecrets {
  const isAnnounced = stored.activeFrom !== null && stored.activeFrom > now;
  const waitSeconds = rotation.isRepeated && !isAnnounced ? 0 : (rotation.activateInSeconds ?? 0);
  const before = isAnnounced ? stored.previous : rotation.isRepeated ? validPrevious(stored, now) : stored.latest;
  const isKept = before !== null && waitSeconds + rotation.overlapSeconds > 0;
  return {
    latest: rotation.encrypted,
    activeFrom: waitSeconds > 0 ? after(now, waitSeconds) : null,
    previous: isKept ? before : null,
    previousExpiresAt: isKept ? after(now, waitSeconds + rotation.overlapSeconds) : null,
  };
}

const validPrevious = ({ previous, previousExpiresAt }: StoredSecrets, now: Date): Buffer | null =>
  previousExpiresAt !== null && previousExpiresAt > now ? previous : null;

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
