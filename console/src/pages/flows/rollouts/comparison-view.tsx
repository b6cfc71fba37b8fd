import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';
import { DifferenceBar } from '../insight/difference-bar';
import { countOf } from '../insight/texts';
import { IntervalBar } from './interval-bar';
import { differenceText } from './rollout-texts';

type Comparison = Schema<'RolloutComparison'>;
type Compared = Comparison['versions'][number];

/** The results of both versions next to each other, and their difference. */
export function ComparisonView({ comparison }: { comparison: Comparison }) {
  const { versions, difference } = comparison;
  const scale = scaleOf(versions);
  return (
    <div className="stack">
      <div className="compared">
        {versions.map((each) => (
          <VersionResult key={each.role} result={each} scale={scale} />
        ))}
      </div>
      {difference && <DifferenceBar {...difference} />}
      <p>{differenceText(comparison)}</p>
      <p className="small muted">Intervals: 95 %. The difference compares payments of the same stage.</p>
    </div>
  );
}

const TITLES: Record<Compared['role'], string> = { base: 'active', candidate: 'rolled out' };

function VersionResult({ result, scale }: { result: Compared; scale: readonly [number, number] }) {
  const { version, role, approval_rate: rate, share, planned_share: planned } = result;
  return (
    <section className={`compared-version compared-${role}`} aria-label={`Version ${version}`}>
      <h3>
        Version {version} <span className="small muted">{TITLES[role]}</span>
      </h3>
      <p>
        {rate ? (
          <>
            <strong className="compared-rate number">{percentText(rate.estimate)}</strong> approved{' '}
            <span className="small muted number nowrap">
              {percentText(rate.low)} to {percentText(rate.high)}
            </span>
          </>
        ) : (
          <span className="muted">No payment has an outcome yet</span>
        )}
      </p>
      {rate && <IntervalBar rate={rate} scale={scale} />}
      <dl className="compared-facts number">
        <dt>Payments</dt>
        <dd>{countOf(result.payments)}</dd>
        <dt>Approved</dt>
        <dd>{countOf(result.approved)}</dd>
        <dt>Declined</dt>
        <dd>{countOf(result.declined)}</dd>
        <dt>Refused</dt>
        <dd>
          {countOf(result.refused)} <span className="muted">without a shop</span>
        </dd>
        <dt>Share</dt>
        <dd>
          {share === null ? '–' : percentText(share)} <span className="muted">of {percentText(planned)} planned</span>
        </dd>
      </dl>
    </section>
  );
}

/** From the lowest to the highest rate of both versions, with some space. */
function scaleOf(versions: readonly Compared[]): [number, number] {
  const rates = versions.flatMap(({ approval_rate: rate }) => (rate ? [rate.low, rate.high] : []));
  const [low, high] = [Math.min(1, ...rates), Math.max(0, ...rates)];
  const space = Math.max(0.01, (high - low) * 0.1);
  return [Math.max(0, low - space), Math.min(1, high + space)];
}
