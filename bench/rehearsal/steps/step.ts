import type { FaultKind } from '../../chaos/schedule.js';
import type { Say, StepKey } from '../step-key.js';
import type { RehearsalHarness } from '../harness.js';

export interface Step {
  key: StepKey;
  /** A description for the report. */
  title: string;
  /** The fault that the oracle assumes if the step can prevent an attempt's result from being recorded. */
  fault?: FaultKind;
  /** Absent: possible in any rehearsal. */
  isPossible?(harness: RehearsalHarness): boolean;
  /** Resolves when the step is done; whether everything is healthy again is checked afterwards. Throws if it fails. */
  run(harness: RehearsalHarness, say: Say): Promise<void>;
}
