import type { Schema } from '@payment-orchestrator/client';

interface Props {
  rate: Schema<'EstimatedRate'>;
  /** The lowest and the highest rate of the scale. */
  scale: readonly [number, number];
}

/** A rate and its interval on a scale that it shares with other rates. The text next to it has the same numbers. */
export function IntervalBar({ rate: { estimate, low, high }, scale: [from, to] }: Props) {
  const placeOf = (value: number): number => ((value - from) / (to - from || 1)) * 100;
  return (
    <div className="interval" aria-hidden="true">
      <span className="interval-range" style={{ left: `${placeOf(low)}%`, right: `${100 - placeOf(high)}%` }} />
      <span className="interval-estimate" style={{ left: `${placeOf(estimate)}%` }} />
    </div>
  );
}
