import type { Schema } from '@payment-orchestrator/client';
import { guardrailText } from './rollout-texts';

/** The drop that aborts the rollout by itself. */
export const GuardrailView = ({ rollout: { guardrail } }: { rollout: Schema<'Rollout'> }) => (
  <section className="stack" aria-label="Guardrail">
    <h3>Guardrail</h3>
    {guardrail === null ? (
      <p className="muted">None: only a person ends this rollout.</p>
    ) : (
      <p className="small muted">{guardrailText(guardrail)}</p>
    )}
  </section>
);
