import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../shell/theme';

export interface Series {
  label: string;
  /** A CSS colour, such as `var(--series-1)`. */
  color: string;
  isFilled?: boolean;
}

interface Props {
  /** The chart as a text, for screen readers. */
  label: string;
  /** Seconds since 1970. */
  times: readonly number[];
  series: readonly Series[];
  /** One list for each series. */
  values: readonly (readonly number[])[];
}

const HEIGHT = 220;
const MIN_TOP = 5;
/** Possible distances between labels, as whole numbers. If none is large enough, no label is drawn. */
const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
const FONT = '12px system-ui, sans-serif';
/** Minimum width of an axis, and the part of it for ticks and gaps, in CSS pixels. */
const MIN_AXIS = 44;
const TICKS = 20;

/** Lines over time. A canvas cannot use style sheets, so the chart is created again when the theme changes. */
export function TimeChart({ label, times, series, values }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const theme = useTheme();
  const isDark = useSystemDark();
  const definition = JSON.stringify(series);
  const data = useRef<UPlot.AlignedData>([[]]);
  useEffect(() => {
    data.current = [[...times], ...values.map((line) => [...line])];
    plot.current?.setData(data.current);
  }, [times, values]);
  useEffect(() => {
    const element = frame.current!;
    const made = new UPlot(optionsOf(element, JSON.parse(definition) as Series[]), data.current, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [definition, theme, isDark]);
  return <div ref={frame} className="time-chart" role="img" aria-label={label} />;
}

function useSystemDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const onChange = (): void => setDark(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isDark;
}

function optionsOf(element: HTMLElement, series: Series[]): UPlot.Options {
  const text = resolved(element, 'var(--text-muted)');
  const grid = { stroke: resolved(element, 'var(--line)'), width: 1 };
  const axis = { stroke: text, grid, ticks: grid, font: FONT };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { y: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(MIN_TOP, max * 1.1)] } },
    axes: [
      { ...axis, values: [[60, '{HH}:{mm}', null, null, null, null, null, null, 1]] },
      {
        ...axis,
        size: sizeOf,
        values: (_, ticks) => ticks.map((tick) => tick.toLocaleString('en')),
        incrs: STEPS,
      },
    ],
    series: [{ value: '{HH}:{mm}' }, ...series.map((each) => lineOf(element, each))],
  };
}

/** The width of the longest label, plus ticks. */
function sizeOf({ ctx }: UPlot, labels: string[] | null): number {
  ctx.save();
  ctx.font = FONT;
  const width = Math.max(0, ...(labels ?? []).map((label) => ctx.measureText(label).width));
  ctx.restore();
  return Math.max(MIN_AXIS, Math.ceil(width) + TICKS);
}

function lineOf(element: HTMLElement, { label, color, isFilled }: Series): UPlot.Series {
  const stroke = resolved(element, color);
  return { label, stroke, width: 2, points: { show: false }, ...(isFilled && { fill: withAlpha(stroke) }) };
}

/** The current colour behind a CSS variable, which may contain `light-dark()`. */
function resolved(element: HTMLElement, color: string): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  element.append(probe);
  const result = getComputedStyle(probe).color;
  probe.remove();
  return result;
}

const withAlpha = (rgb: string): string => rgb.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.15)');
