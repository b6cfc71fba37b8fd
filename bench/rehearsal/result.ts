import type { Evidence } from '../chaos/oracle/evidence.js';
import type { Findings } from '../chaos/oracle/findings.js';
import type { Judgement } from '../chaos/oracle/verdict.js';
import type { RehearsalArguments } from './arguments.js';
import type { Loss } from './loss.js';
import type { StepRecord, StepTimings } from './timings.js';

/** A rehearsal that has come to its end. */
export interface RehearsalResult {
  args: RehearsalArguments;
  /** Ms since 1970. */
  startedAt: number;
  tookMs: number;
  /** From the end of the stories until everything was at rest. */
  drainMs: number;
  steps: (StepRecord & { timings: StepTimings })[];
  evidence: Evidence;
  judgement: Judgement;
  /** What the old backups lacked that were restored without their log. */
  losses: readonly Loss[];
  /** Empty: nothing was lost but `losses`. */
  findings: Findings;
}
