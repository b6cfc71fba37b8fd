import type { Step } from './step.js';

type StepClass = new () => Step;

/** Loaded on demand: a serving process needs only the names. */
type Load = () => Promise<Record<string, StepClass>>;

/**
 * The steps from the schema of commit 03ffeb28 to that of this version, in the order in which they run. A new database
 * never runs them. Append-only once released.
 */
const STEPS: Record<string, Load> = {
  Columns1764010900000: () => import('./1764010900000-columns.js'),
  KeysOfMerchants1764010900010: () => import('./1764010900010-keys-of-merchants.js'),
  Triggers1764010900020: () => import('./1764010900020-triggers.js'),
  FannedOutEvents1764010900025: () => import('./1764010900025-fanned-out-events.js'),
  Attempts1764010900030: () => import('./1764010900030-attempts.js'),
  Indexes1764010900040: () => import('./1764010900040-indexes.js'),
  DueOperations1764010900050: () => import('./1764010900050-due-operations.js'),
  DueTimes1764010900060: () => import('./1764010900060-due-times.js'),
  ArchivedCharges1764010900070: () => import('./1764010900070-archived-charges.js'),
  OlderVersions1764010900080: () => import('./1764010900080-older-versions.js'),
  Agreements1764010900090: () => import('./1764010900090-agreements.js'),
  People1764010900100: () => import('./1764010900100-people.js'),
  Deadlines1764010900110: () => import('./1764010900110-deadlines.js'),
  Proposals1764010900130: () => import('./1764010900130-proposals.js'),
};

export const STEP_NAMES: readonly string[] = Object.keys(STEPS);

export async function loadSteps(): Promise<StepClass[]> {
  const classes: StepClass[] = [];
  for (const [name, load] of Object.entries(STEPS)) classes.push((await load())[name]!);
  return classes;
}
