import { ProblemError } from '@payment-orchestrator/client';
import { ProblemNotice } from '../../../ui/problem-notice';
import type { Live } from './use-live';

interface Props {
  live: Live<unknown> & { again: () => void };
}

/** What is wrong with fields stands at the fields; all else is said here. */
export function LiveNotice({ live: { error, result, again } }: Props) {
  if (!error) return null;
  const isOfFields = error instanceof ProblemError && error.fields.length > 0;
  if (!isOfFields) return <ProblemNotice error={error} retry={again} />;
  return (
    <p className="notice notice-warn" role="status">
      Some fields are refused: see what is marked.{result !== undefined && ' What follows is from before.'}
    </p>
  );
}
