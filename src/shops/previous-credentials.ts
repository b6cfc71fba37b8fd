type Credentials = Record<string, unknown>;

/** What a shop's credentials were before; notifications are verified with them, too, until they end. */
export interface PreviousCredentials {
  credentials: Credentials;
  until: Date;
}

/** No provider has a credential of this name. */
const OTHERS = '@others';
/** With each of them a notification of nobody's is verified in vain. */
const MOST_KEPT = 5;

/** What is sealed: the set that lasts longest, where a build that knows of one set finds it, and the others. */
export type StoredCredentials = Credentials & { [OTHERS]?: { credentials: Credentials; until: string }[] };

interface Change {
  before: Credentials;
  after: Credentials;
  /** What was sent, by which `before` became `after`. */
  given: Credentials;
  /** Names of the credentials that notifications are verified with. */
  verifying: readonly string[];
  /** For how long those before verify, if a credential of these was given. 0: those of earlier changes end, too. */
  overlapSeconds: number;
}

/**
 * The sets that are kept after a change of the credentials, the one that lasts longest first. Each has an end of its own: a
 * change of what no notification is verified with displaces none of them, a change of a secret adds one. Of more than five
 * the one that was just replaced stays, and of the others those that last longest.
 */
export function keptAfter(kept: PreviousCredentials[], change: Change, now: Date): PreviousCredentials[] {
  const { before, after, given, verifying, overlapSeconds } = change;
  if (overlapSeconds === 0 && verifying.some((name) => name in given)) return [];
  const secretsOf = (credentials: Credentials): string => JSON.stringify(verifying.map((name) => credentials[name]));
  const isNeeded = ({ credentials }: PreviousCredentials): boolean => secretsOf(credentials) !== secretsOf(after);
  const isReplaced = verifying.some((name) => before[name] !== undefined && before[name] !== after[name]);
  const replaced = { credentials: before, until: new Date(now.getTime() + overlapSeconds * 1_000) };
  const others = kept.filter((set) => isNeeded(set) && secretsOf(set.credentials) !== secretsOf(before));
  return (isReplaced ? [replaced, ...others] : others).slice(0, MOST_KEPT).sort(byEnd);
}

/** `sets`: the one that lasts longest first. */
export function toStored([first, ...others]: [PreviousCredentials, ...PreviousCredentials[]]): StoredCredentials {
  if (others.length === 0) return first.credentials;
  return { ...first.credentials, [OTHERS]: others.map((set) => ({ ...set, until: set.until.toISOString() })) };
}

/** Those that have not ended, the one that lasts longest first. */
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
