import { type PointerEvent, useState } from 'react';
import { Legend } from './bars';
import { labelledPoints, partsOf, ticksOf } from './curve-scale';
import { DataTable } from './data-table';

interface Line {
  label: string;
  /** A CSS colour, such as `var(--series-1)`. */
  color: string;
  /** One for each point; `null`: there is none, and the line has a gap. */
  values: readonly (number | null)[];
  isDashed?: boolean;
  isFilled?: boolean;
}

interface Props {
  /** The chart as a text, for screen readers. */
  label: string;
  /** The points of time in short words, such as `3 Nov`. */
  points: readonly string[];
  /** One to four. */
  lines: readonly Line[];
  valueText?: (value: number) => string;
  /** The smallest distance between two labels of the axis; default: 1. */
  minStep?: number;
  /** Whether the axis begins near the lowest value; default: with 0. */
  isCropped?: boolean;
  /** The title of the points' column in the table below. Without it there is no table: the page has its own. */
  table?: string;
}

const MOST_LABELS = 5;
/** With more points, single ones are not marked. */
const MOST_MARKS = 32;
const countText = (value: number): string => value.toLocaleString('en');

/**
 * Lines over time. The drawing is stretched to its frame, so lines keep their width by `vector-effect`, and all texts are
 * HTML around it. The pointer reads one point; the table has all.
 */
export function Curve({ label, points, lines, valueText = countText, minStep = 1, isCropped, table }: Props) {
  const [read, setRead] = useState<number>();
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const high = Math.max(0, ...values);
  const ticks = ticksOf(Math.min(isCropped && values.length > 0 ? high : 0, ...values), high, minStep);
  const x = (index: number): number => (points.length === 1 ? 50 : (index * 100) / (points.length - 1));
  const readAt = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setRead(Math.round(Math.min(1, Math.max(0, (clientX - left) / width)) * (points.length - 1)));
  };
  return (
    <figure className="curve">
      <Legend items={lines.map(({ label: name, color, isDashed }) => [name, color, isDashed])} />
      <div className="curve-frame small muted">
        <div className="curve-values number" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick}>{valueText(tick)}</span>
          ))}
        </div>
        <div
          className="curve-plot"
          onPointerMove={readAt}
          onPointerDown={readAt}
          onPointerLeave={() => setRead(undefined)}
        >
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label}>
            {ticks.map((tick) => (
              <path key={tick} className="curve-grid" d={`M0 ${yIn(ticks, tick)}H100`} />
            ))}
            {lines.map((line) => (
              <OneLine
                key={line.label}
                line={line}
                x={x}
                y={(value) => yIn(ticks, value)}
                hasMarks={points.length <= MOST_MARKS}
              />
            ))}
          </svg>
          {read !== undefined && points[read] !== undefined && (
            <Reading at={x(read)} point={points[read]} read={read} lines={lines} valueText={valueText} />
          )}
        </div>
        <div className="curve-points" aria-hidden="true">
          {labelledPoints(points.length, MOST_LABELS).map((index) => (
            <span key={index} style={{ left: `${x(index)}%`, translate: `-${x(index)}%` }}>
              {points[index]}
            </span>
          ))}
        </div>
      </div>
      {table !== undefined && (
        <ValuesTable title={table} label={label} points={points} lines={lines} valueText={valueText} />
      )}
    </figure>
  );
}

const yIn = (ticks: readonly number[], value: number): number =>
  (100 * (ticks.at(-1)! - value)) / (ticks.at(-1)! - ticks[0]!);

interface OneLineProps {
  line: Line;
  x: (index: number) => number;
  y: (value: number) => number;
  hasMarks: boolean;
}

function OneLine({ line: { values, color, isDashed, isFilled }, x, y, hasMarks }: OneLineProps) {
  const at = (index: number): string => `${x(index)} ${y(values[index]!)}`;
  const parts = partsOf(values);
  return (
    <g style={{ color }}>
      {isFilled &&
        parts.map((part) => (
          <path
            key={part[0]}
            className="curve-ground"
            d={`M${x(part[0]!)} 100L${part.map(at).join('L')}L${x(part.at(-1)!)} 100Z`}
          />
        ))}
      <path
        className={isDashed ? 'curve-line dashed' : 'curve-line'}
        d={parts.map((part) => `M${part.map(at).join('L')}`).join('')}
      />
      {/* a line without length and with round ends is a circle, no matter how the drawing is stretched */}
      <path
        className="curve-mark"
        d={parts
          .filter((part) => (hasMarks && !isDashed) || part.length === 1)
          .flatMap((part) => part.map((index) => `M${at(index)}h0`))
          .join('')}
      />
    </g>
  );
}

interface ReadingProps extends Required<Pick<Props, 'lines' | 'valueText'>> {
  at: number;
  point: string;
  read: number;
}

/** The values of one point, next to it. */
const Reading = ({ at, point, read, lines, valueText }: ReadingProps) => (
  <>
    <div className="curve-cursor" style={{ left: `${at}%` }} />
    <div
      className={at > 50 ? 'curve-reading before' : 'curve-reading'}
      style={at > 50 ? { right: `${100 - at}%` } : { left: `${at}%` }}
    >
      <strong>{point}</strong>
      <Legend
        items={lines.map(({ label, color, values, isDashed }) => [
          `${label}: ${textOf(values[read], valueText)}`,
          color,
          isDashed,
        ])}
      />
    </div>
  </>
);

const textOf = (value: number | null | undefined, valueText: (value: number) => string): string =>
  typeof value === 'number' ? valueText(value) : 'none';

/** Points at which something was counted. */
function ValuesTable({
  title,
  label,
  points,
  lines,
  valueText,
}: Required<Pick<Props, 'label' | 'points' | 'lines' | 'valueText'>> & { title: string }) {
  const rows = points.map((_, index) => index).filter((index) => lines.some(({ values }) => values[index]));
  if (rows.length === 0) return null;
  return (
    <details>
      <summary className="small">As a table</summary>
      <DataTable
        caption={label}
        rows={rows}
        rowKey={(index) => index}
        columns={[
          { title, cell: (index) => points[index] },
          ...lines.map((line) => ({
            title: line.label,
            isNumber: true,
            cell: (index: number) => textOf(line.values[index], valueText),
          })),
        ]}
      />
    </details>
  );
}
