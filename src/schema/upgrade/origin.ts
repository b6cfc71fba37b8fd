/** The last migration of commit 03ffeb28, which the previous version is. */
const PREVIOUS = 'LaterAttempts1764010455000';
/** The last migration of builds that were never released, between 03ffeb28 and the first step of this version. */
const LAST_UNRELEASED = 'FannedOutEvents1764010830000';
/** What a new database has recorded first. */
export const SCHEMA = 'Schema1764010900000';

const timeOf = (name: string): number => Number(name.slice(-13));

/**
 * Throws unless the steps lead from the schema with these recorded migrations to that of this version. A database of the
 * last build that was never released has what the steps bring: they find it there, and change nothing.
 */
export function assertUpgradable(recorded: readonly string[]): void {
  const known = new Set(recorded);
  if (known.has(SCHEMA)) return;
  const from = recorded.toSorted((one, other) => timeOf(one) - timeOf(other)).at(-1);
  if (!known.has(PREVIOUS))
    throw new Error(
      `the database is at migration ${from}, from which this version cannot upgrade: run the migrations of commit 03ffeb28 ` +
        'first, then these',
    );
  const unreleased = recorded.filter((name) => timeOf(name) > timeOf(PREVIOUS) && timeOf(name) < timeOf(SCHEMA));
  if (unreleased.length > 0 && !known.has(LAST_UNRELEASED))
    throw new Error(
      `the database is at migration ${unreleased.at(-1)} of a build that was never released, from which no version upgrades: ` +
        'restore its backup from before that build, or begin with an empty database',
    );
}
