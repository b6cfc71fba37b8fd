type Credentials = Record<string, unknown>;

/** Earlier credentials of a shop; notifications are verified with them, too, until they expire. */
export interface PreviousCredentials {
  credentials: Credentials;
  until: Date;
}

/** A key that is no credential name of any provider. */
const OTHERS = '@others';
/** Limits the work for a notification that no secret verifies: it is checked with each set. */
const MAX_KEPT = 5;

/**
 * The encrypted content: the set that expires last, where an older release expects its only set, and the other sets.
 */
export type StoredCredentials = Credentials & { [OTHERS]?: { credentials: Credentials; until: string }[] };

interface Change {
  before: Credentials;
  after: Credentials;
  /** The change as sent, which turned `before` into `after`. */
  given: Credentials;
  /** Names of the credentials that verify notifications. */
  verifying: readonly string[];
  /**
   * For how long the earlier ones stay valid, if a verifying credential was given. 0: earlier sets expire at once, too.
   */
  overlapSeconds: number;
}

/**
 * Returns the sets that are kept after a change of the credentials, the one that expires last first. Each set has its
 * own expiry. A change of credentials that verify nothing keeps all sets; a change of a secret adds one. At most five
 * sets are kept: the set that was just replaced, and those that expire last.
 */
export function keptAfter(kept: PreviousCredentials[], change: Change, now: Date): PreviousCredentials[] {
  const { before, after, given, verifying, overlapSeconds } = change;
  if (overlapSeconds === 0 && verifying.some((name) => name in given)) return [];
  const secretsOf = (credentials: Credentials): string => JSON.stringify(verifying.map((name) => credentials[name]));
  const isNeeded = ({ credentials }: PreviousCredentials): boolean => secretsOf(credentials) !== secretsOf(after);
  const isReplaced = verifying.some((name) => before[name] !== undefined && before[name] !== after[name]);
  const replaced = { credentials: before, until: new Date(now.getTime() + overlapSeconds * 1_000) };
  const others = kept.filter((set) => isNeeded(set) && secretsOf(set.credentials) !== secretsOf(before));
  return (isReplaced ? [replaced, ...others] : others).slice(0, MAX_KEPT).sort(byEnd);
}

/** `sets`: the one that expires last first. */
export function toStored([first, ...others]: [PreviousCredentials, ...PreviousCredentials[]]): StoredCredentials {
  if (others.length === 0) return first.credentials;
  return { ...first.credentials, [OTHERS]: others.map((set) => ({ ...set, until: set.until.toISOString() })) };
}

/** Returns the sets that have not expired, the one that expires last first. */
export function fromStored(
  { [OTHERS]: others = [], ...first }: StoredCredentials,
  until: Date,
  now: Date,
): PreviousCredentials[] {
  const sets = [
    { credentials: first, until },
    ...others.map((set) => ({ credentials: set.credentials, until: new Date(set.until) })),
  ];
  return sets.filter((set) => set.until > now);
}

const byEnd = (one: PreviousCredentials, two: PreviousCredentials): number => two.until.getTime() - one.until.getTime();
