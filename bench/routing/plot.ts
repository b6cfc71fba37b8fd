import { escaped, text } from '../support/plots.js';

interface Line {
  name: string;
  /** At the end of each hour. */
  values: readonly number[];
}

export interface Panel {
  title: string;
  lines: readonly Line[];
}

const COLORS = ['#57606a', '#1f6feb', '#2da44e'];
const WIDTH = 760;
const LEFT = 56;
/** For the names at the ends of the lines. */
const RIGHT = 190;
const HEAD = 62;
const PANEL = 200;
const PLOT = 140;
/** The least distance of two names. */
const NAME_HEIGHT = 15;
const TICKS = 12;

/** Lines over the hours, a panel for each market, as SVG on a background of its own. */
export function linePlot(title: string, subtitle: string, panels: readonly Panel[]): string {
  const height = HEAD + panels.length * PANEL;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#1f2328">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff" stroke="#d0d7de"/>`,
    text(16, 28, title, 'font-size="15" font-weight="600"'),
    text(16, 48, subtitle, 'fill="#57606a"'),
    ...panels.flatMap((panel, index) => drawn(panel, HEAD + index * PANEL)),
    '</svg>\n',
  ].join('\n');
}

function drawn({ title, lines }: Panel, top: number): string[] {
  const bottom = top + 24 + PLOT;
  const hours = lines[0]!.values.length;
  const most = niceAbove(Math.max(...lines.flatMap(({ values }) => values)));
  const x = (hour: number): number => LEFT + (hour / hours) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => bottom - (value / most) * PLOT;
  const names = spread(lines.map(({ values }) => y(values.at(-1)!)));
  return [
    text(16, top + 12, title, 'font-weight="600"'),
    ...[0, most / 2, most].map(
      (value) =>
        `<path d="M${LEFT} ${y(value)}H${x(hours)}" stroke="#d0d7de"/>` +
        text(LEFT - 8, y(value) + 4, value.toLocaleString('en-US'), 'text-anchor="end" fill="#57606a" font-size="11"'),
    ),
    ...ticks(hours).map((hour) =>
      text(x(hour), bottom + 15, `${hour} h`, 'text-anchor="middle" fill="#57606a" font-size="11"'),
    ),
    ...lines.flatMap(({ name, values }, index) => {
      const points = [0, ...values].map((value, hour) => `${x(hour).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
      const total = Math.round(values.at(-1)!).toLocaleString('en-US');
      return [
        `<polyline points="${points}" fill="none" stroke="${COLORS[index]!}" stroke-width="2"/>`,
        text(x(hours) + 8, Math.round(names[index]! + 4), `${name}: ${total}`, `fill="${COLORS[index]!}"`),
      ];
    }),
  ];
}

const ticks = (hours: number): number[] =>
  Array.from({ length: Math.floor(hours / TICKS) + 1 }, (_, index) => index * TICKS);

/** The smallest of 1, 2, 5, 10, 20, 50 … that is not below the value. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value)!;
}

/** Moves positions down until no two are closer than a line of text. */
function spread(positions: readonly number[]): number[] {
  const moved = [...positions];
  const order = positions.map((_, index) => index).sort((one, other) => positions[one]! - positions[other]!);
  for (const [place, index] of order.entries()) {
    if (place > 0) moved[index] = Math.max(moved[index]!, moved[order[place - 1]!]! + NAME_HEIGHT);
  }
  return moved;
}
