import { ActorName } from './actor-name';
import { Time } from './values';

interface Props {
  at: string;
  /** An actor of the audit log; `null`: unknown. */
  by: string | null;
  reason?: string | null;
}

/** When something was done, by which actor, and why. */
export const StepBy = ({ at, by, reason = null }: Props) => (
  <span className="step-by">
    <Time value={at} />
    {by !== null && (
      <span className="small muted">
        by <ActorName id={by} />
      </span>
    )}
    {reason !== null && <q>{reason}</q>}
  </span>
);
