import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';
import { doubtOf, pointsOf, verdictOf } from './words';

type Rate = Schema<'EstimatedRate'>;

/** Estimated approval rates at the first shop, each with the interval that holds the truth 95 times in 100. */
export function ApprovalView({ approval }: { approval: Schema<'ApprovalEstimate'> }) {
  const { before, after, difference } = approval;
  const doubt = doubtOf(approval);
  return (
    <div className="stack">
      <h3>Approval rate at the first shop</h3>
      <dl className="rates">
        <RateOf name="Before" rate={before} />
        <RateOf name="With the draft" rate={after} />
      </dl>
      {difference && difference.low < difference.high && <Difference {...difference} />}
      {doubt !== undefined && <p className="notice notice-warn">{doubt}</p>}
      {difference && <p>{verdictOf(approval)}</p>}
      <p className="small muted">
        Estimated from payments that chance sent where the draft sends them; with intervals of 95 %.
      </p>
    </div>
  );
}

const RateOf = ({ name, rate }: { name: string; rate: Rate | null }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {rate ? (
        <>
          <strong className="number">{percentText(rate.estimate)}</strong>{' '}
          <span className="small muted number nowrap">
            {percentText(rate.low)} to {percentText(rate.high)}
          </span>
        </>
      ) : (
        <span className="muted">not known</span>
      )}
    </dd>
  </div>
);

/** Around 0 in the middle. */
function Difference({ estimate, low, high }: Rate) {
  const reach = Math.max(Math.abs(low), Math.abs(high), 0.01);
  const place = (value: number): string => `${50 + (value / reach) * 46}%`;
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
        <span className="interval-range" style={{ left: place(low), right: `calc(100% - ${place(high)})` }} />
        <span className="interval-estimate" style={{ left: place(estimate) }} />
      </div>
    </div>
  );
}
