import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';
import { DifferenceBar } from './difference-bar';
import { doubtOf, verdictOf } from './texts';

type Rate = Schema<'EstimatedRate'>;

/** Estimated approval rates at the first shop, each with its 95 % confidence interval. */
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
      {difference && difference.low < difference.high && <DifferenceBar {...difference} />}
      {doubt !== undefined && <p className="notice notice-warn">{doubt}</p>}
      {difference && <p>{verdictOf(approval)}</p>}
      <p className="small muted">
        Estimated from past payments that went by chance to the shop that the draft chooses. Intervals: 95 %.
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
        <span className="muted">unknown</span>
      )}
    </dd>
  </div>
);
