import type { Schema } from '@payment-orchestrator/client';
import { Time } from '../../../ui/values';
import { percentOf } from './rollout-texts';

/** The periods of a rollout, each with one percent. */
export const StagesView = ({ stages }: Pick<Schema<'Rollout'>, 'stages'>) => (
  <div className="stack">
    <h3>Stages</h3>
    <ol className="stages">
      {stages.map(({ stage, percent, since, reason }) => (
        <li key={stage}>
          <strong className="number">{percentOf(percent)}</strong> <span className="muted">since</span>{' '}
          <Time value={since} />
          {reason !== null && <q>{reason}</q>}
        </li>
      ))}
    </ol>
  </div>
);
