import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../shell/theme';

export interface Series {
  label: string;
  /** As in a style sheet, such as `var(--series-1)`. */
  color: string;
  isFilled?: boolean;
}

interface Props {
  /** The whole of it in words, for those who do not see it. */
  label: string;
  /** Seconds since 1970. */
  times: readonly number[];
  series: readonly Series[];
  /** One list for each series. */
  values: readonly (readonly number[])[];
}

const HEIGHT = 220;
const LEAST_TOP = 5;
/** Whole numbers between labels; where none of them is large enough, no label is drawn. */
const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
const FONT = '12px system-ui, sans-serif';
/** In CSS pixels: the narrowest axis, and what ticks and gaps take of one. */
const LEAST_AXIS = 44;
const TICKS = 20;

/** Lines over time. Drawn on a canvas, which knows no style sheet: made anew when the theme changes. */
export function TimeChart({ label, times, series, values }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const theme = useTheme();
  const isDark = useSystemDark();
  const look = JSON.stringify(series);
  const data = useRef<UPlot.AlignedData>([[]]);
  useEffect(() => {
    data.current = [[...times], ...values.map((line) => [...line])];
    plot.current?.setData(data.current);
  }, [times, values]);
  useEffect(() => {
    const element = frame.current!;
    const made = new UPlot(optionsOf(element, JSON.parse(look) as Series[]), data.current, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [look, theme, isDark]);
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
    scales: { y: { range: (_, __, max) => [0, Math.max(LEAST_TOP, max * 1.1)] } },
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

/** As wide as its longest label needs, ticks included. */
function sizeOf({ ctx }: UPlot, labels: string[] | null): number {
  ctx.save();
  ctx.font = FONT;
  const width = Math.max(0, ...(labels ?? []).map((label) => ctx.measureText(label).width));
  ctx.restore();
  return Math.max(LEAST_AXIS, Math.ceil(width) + TICKS);
}

function lineOf(element: HTMLElement, { label, color, isFilled }: Series): UPlot.Series {
  const stroke = resolved(element, color);
  return { label, stroke, width: 2, points: { show: false }, ...(isFilled && { fill: withAlpha(stroke) }) };
}

/** What a variable, and `light-dark()` in it, comes to here and now. */
function resolved(element: HTMLElement, color: string): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  element.append(probe);
  const result = getComputedStyle(probe).color;
  probe.remove();
  return result;
}

const withAlpha = (rgb: string): string => rgb.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.15)');
