import { ProblemError } from '@payment-orchestrator/client';
import { Button } from '../../../ui/button';
import { ProblemNotice } from '../../../ui/problem-notice';
import type { ShopNames } from '../flow-queries';
import { type Payment, violationOf } from '../model/counterexample';

interface Props {
  error: unknown;
  nameOf: ShopNames;
  onTry?: ((payment: Payment) => void) | undefined;
}

export const codeOf = (error: unknown): string | undefined => (error instanceof ProblemError ? error.code : undefined);

const ADVICE: Readonly<Record<string, string>> = {
  flow_changed: 'Look at the changes of that version first. They are shown above.',
  flow_approval_required:
    'Propose the changes. Then another person who may activate flows approves the version on its page.',
  flow_rollout_running: 'Promote or abort the running rollout first, on the Rollouts tab.',
  flow_own_version: 'Ask another person who may activate flows.',
};

/** Why a version cannot become active, and what to do about it. */
export function Refusal({ error, nameOf, onTry }: Props) {
  if (!(error instanceof ProblemError) || error.code !== 'flow_assertion_violated') {
    const advice = ADVICE[codeOf(error) ?? ''];
    return (
      <>
        <ProblemNotice error={error} />
        {advice !== undefined && <p>{advice}</p>}
      </>
    );
  }
  return (
    <div className="notice notice-bad" role="alert">
      <div className="stack">
        <p>
          <strong>The version violates its own assertions.</strong> Change the flow or the assertion.
        </p>
        <ul className="violations">
          {error.fields.map(({ field, message }) => (
            <li key={field}>
              <Violated field={field} message={message} nameOf={nameOf} onTry={onTry} />
            </li>
          ))}
        </ul>
        <p className="small">
          <code>{error.code}</code> · request <code>{error.requestId}</code>
        </p>
      </div>
    </div>
  );
}

function Violated({ field, message, nameOf, onTry }: Omit<Props, 'error'> & { field: string; message: string }) {
  const { claim, facts, payment } = violationOf(message, nameOf);
  return (
    <>
      <p>
        <code>{field}</code> {claim}
      </p>
      {payment && (
        <p className="small">
          Such a payment: <bdi>{facts.join(', ') || 'any'}</bdi>
        </p>
      )}
      {payment && onTry && <Button onClick={() => onTry(payment)}>Try it in the simulator</Button>}
    </>
  );
}
