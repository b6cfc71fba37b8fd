import type { Schema } from '@payment-orchestrator/client';
import { pointsOf } from './texts';

/** The interval of a difference of two rates, drawn with 0 in the middle. */
export function DifferenceBar({ estimate, low, high }: Schema<'EstimatedRate'>) {
  const reach = Math.max(Math.abs(low), Math.abs(high), 0.01);
  const positionOf = (value: number): string => `${50 + (value / reach) * 46}%`;
  const tone = low > 0 ? 'good' : high < 0 ? 'bad' : 'open';
  return (
    <div>
      <p>
        Difference <strong className="number">{pointsOf(estimate)}</strong>{' '}
        <span className="small muted number">
          percentage points, {pointsOf(low)} to {pointsOf(high)}
        </span>
      </p>
      <div className={`interval interval-${tone}`} aria-hidden="true">
        <span className="interval-zero" />
        <span className="interval-range" style={{ left: positionOf(low), right: `calc(100% - ${positionOf(high)})` }} />
        <span className="interval-estimate" style={{ left: positionOf(estimate) }} />
      </div>
    </div>
  );
}
