import { ProblemError } from '@payment-orchestrator/client';
import { ProblemNotice } from '../../../ui/problem-notice';
import type { Live } from './use-live';

interface Props {
  live: Live<unknown> & { again: () => void };
}

/** Shows errors, except those of fields, which are shown at the fields. */
export function LiveNotice({ live: { error, result, again } }: Props) {
  if (!error) return null;
  const isFieldError = error instanceof ProblemError && error.fields.length > 0;
  if (!isFieldError) return <ProblemNotice error={error} retry={again} />;
  return (
    <p className="notice notice-warn" role="status">
      Some fields have errors. They are marked.{result !== undefined && ' The result below is from before.'}
    </p>
  );
}
