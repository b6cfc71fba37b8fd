import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';
import { decisionText, dropText, guardrailText, progressText } from './rollout-texts';

/** The drop that aborts the rollout by itself, and the evidence for it so far. */
export function GuardrailView({ rollout, readAt }: { rollout: Schema<'ComparedRollout'>; readAt: number }) {
  const { guardrail, comparison, status, end_cause: cause } = rollout;
  const evidence = comparison.guardrail?.evidence;
  return (
    <section className="stack" aria-label="Guardrail">
      <h3>Guardrail</h3>
      {guardrail === null ? (
        <p className="muted">None: only a person ends this rollout.</p>
      ) : (
        <>
          {evidence !== undefined && (
            <p>
              <strong className="number">{percentText(evidence)}</strong> of the evidence that aborts the rollout
            </p>
          )}
          {evidence !== undefined && (
            <div className="evidence" aria-hidden="true">
              <span style={{ width: `${evidence * 100}%` }} />
            </div>
          )}
          {cause === 'guardrail' && <p>{dropText(rollout)}</p>}
          {status === 'running' && (
            <p>
              {progressText(comparison, guardrail)} <strong>{decisionText(rollout, guardrail, readAt)}</strong>
            </p>
          )}
          <p className="small muted">{guardrailText(guardrail)}</p>
        </>
      )}
    </section>
  );
}
