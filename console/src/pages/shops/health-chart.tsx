import { type MinuteCounts, minuteBars, type OutcomeKind, totalOf } from './minute-bars';

const WIDTH = 600;
const HEIGHT = 120;

const LEGEND: { kind: OutcomeKind; text: string }[] = [
  { kind: 'approved', text: 'approved' },
  { kind: 'declined', text: 'declined' },
  { kind: 'failed', text: 'failed' },
];

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** The last hour, one bar per minute. The minutes that count for the health have another background. */
export function HealthChart({ minutes, windowMinutes }: { minutes: readonly MinuteCounts[]; windowMinutes: number }) {
  const { bars, max } = minuteBars(minutes);
  const step = WIDTH / bars.length;
  const windowWidth = windowMinutes * step;
  return (
    <figure className="health-chart">
      <ul className="health-legend small">
        {LEGEND.map(({ kind, text }) => (
          <li key={kind} className={`health-${kind}`}>
            {text}
          </li>
        ))}
      </ul>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summaryOf(minutes)}>
        <rect x={WIDTH - windowWidth} width={windowWidth} height={HEIGHT} className="health-window" />
        {bars.map(({ parts, ...minute }, index) => (
          <g key={minute.at}>
            <title>{`${clock.format(new Date(minute.at))}: ${inWords(minute)}`}</title>
            <rect x={index * step} width={step} height={HEIGHT} className="health-hover" />
            {parts.map(({ kind, from, height }) => (
              <rect
                key={kind}
                x={index * step + 1}
                width={step - 2}
                y={HEIGHT * (1 - from - height)}
                height={Math.max(2, HEIGHT * height)}
                className={`health-${kind}`}
              />
            ))}
          </g>
        ))}
      </svg>
      <p className="health-axis small muted">
        <span>an hour ago</span>
        <span>most in a minute: {max}</span>
        <span>now</span>
      </p>
    </figure>
  );
}

const inWords = ({ approved, declined, failed }: MinuteCounts): string =>
  `${approved} approved, ${declined} declined, ${failed} failed`;

function summaryOf(minutes: readonly MinuteCounts[]): string {
  const sum = minutes.reduce((total, minute) => total + totalOf(minute), 0);
  return `Outcomes of the last hour per minute, ${sum} in total; the table below has the same data`;
}
