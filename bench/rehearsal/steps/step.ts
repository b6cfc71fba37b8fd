import type { FaultKind } from '../../chaos/schedule.js';
import type { Say, StepKey } from '../step-key.js';
import type { RehearsalHarness } from '../harness.js';

export interface Step {
  key: StepKey;
  /** What is done, for the report. */
  title: string;
  /** What the oracle takes it for, where it may keep the result of an attempt from being recorded. */
  fault?: FaultKind;
  /** Absent: it can be done in any rehearsal. */
  isThere?(harness: RehearsalHarness): boolean;
  /** Resolves when it is done; whether all is well again is found out afterwards. Throws where it cannot be done. */
  run(harness: RehearsalHarness, say: Say): Promise<void>;
}
