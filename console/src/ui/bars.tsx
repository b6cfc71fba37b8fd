import type { CSSProperties } from 'react';

interface BarPart {
  value: number;
  color: string;
}

export interface Bar {
  /** Tooltip. */
  title: string;
  /** From the bottom up. */
  parts: BarPart[];
}

interface Props {
  bars: readonly Bar[];
  /** The chart as a text, for screen readers. */
  label: string;
  height?: number;
  /** The value that fills the height; default: the largest bar. */
  top?: number;
}

const WIDTH = 10;
const GAP = 2;

/** Stacked bars over the full width. */
export function Bars({ bars, label, height = 40, top }: Props) {
  const most = Math.max(1, top ?? Math.max(...bars.map(totalOf)));
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${bars.length * WIDTH} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((bar, index) => (
        <OneBar key={index} bar={bar} x={index * WIDTH} height={height} most={most} />
      ))}
    </svg>
  );
}

const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0);

function OneBar({ bar, x, height, most }: { bar: Bar; x: number; height: number; most: number }) {
  const heights = bar.parts.map(({ value }) => heightOf(value, most, height));
  return (
    <g>
      <title>{bar.title}</title>
      {/* gives an empty bar a tooltip as well */}
      <rect x={x} y={0} width={WIDTH} height={height} fill="transparent" />
      <rect x={x} y={height - 1} width={WIDTH - GAP} height={1} className="bars-ground" />
      {bar.parts.map(({ color }, index) => (
        <rect
          key={color}
          x={x}
          y={height - sum(heights.slice(0, index + 1))}
          width={WIDTH - GAP}
          height={heights[index]}
          fill={color}
        />
      ))}
    </g>
  );
}

/** A value above zero is always visible, no matter how small. */
const heightOf = (value: number, most: number, height: number): number =>
  value === 0 ? 0 : Math.max(1.5, (value / most) * (height - 3));
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** Names and colours of the parts of bars, or of lines. */
export const Legend = ({ items }: { items: [name: string, color: string, isDashed?: boolean | undefined][] }) => (
  <ul className="legend small">
    {items.map(([name, color, isDashed]) => (
      <li key={name}>
        <span
          className={isDashed ? 'legend-mark dashed' : 'legend-mark'}
          style={{ '--mark': color } as CSSProperties}
          aria-hidden="true"
        />
        {name}
      </li>
    ))}
  </ul>
);
