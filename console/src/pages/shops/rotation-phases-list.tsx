import { Time } from '../../ui/values';
import type { RotationPhase } from './rotation-phases';

/** The phases of a rotation: which secret signs when. */
export const RotationPhases = ({ phases }: { phases: readonly RotationPhase[] }) => (
  <ol className="rotation-phases">
    {phases.map((phase) => (
      <li key={phase.from?.getTime() ?? 0}>
        <p className="small muted">
          <Span phase={phase} />
        </p>
        <p>
          <code>Signature</code>: {phase.signature} secret; <code>webhook-signature</code>:{' '}
          {phase.standard === 'both' ? 'both secrets' : `${phase.standard} secret`}
        </p>
      </li>
    ))}
  </ol>
);

function Span({ phase: { from, to } }: { phase: RotationPhase }) {
  const start = from ? <Time value={from.toISOString()} /> : 'now';
  if (!to) return <>from {start}</>;
  return (
    <>
      {start} to <Time value={to.toISOString()} />
    </>
  );
}
