// Bar charts of docs/internals/plots: our figures next to those of other systems (bench/peers.json).
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from './programs.js';
import type { Comparison } from './report.js';
import { median } from './statistics.js';

interface Group {
  name: string;
  /** One figure per system. */
  values: number[];
  /** The key of the row of a bench run that measures the same for this build. */
  lastRun?: string;
}

export interface Chart {
  file: string;
  title: string;
  better: string;
  groups: Group[];
}

interface Peers {
  /** When, where and on which commit the figures were measured. */
  source: string;
  systems: string[];
  charts: Chart[];
}

/** A file of bench/results. */
interface Run {
  name: string;
  sections: { rows: Comparison[] }[];
}

interface Bar {
  name: string;
  value: number;
  color: string;
}

const COLORS = ['#1f6feb', '#8250df', '#bf8700'];
const LAST_RUN_COLOR = '#2da44e';
const WIDTH = 760;
const LABELS = 190;
const FIGURES = 70;
const BAR = 20;
const GAP = 14;
const HEAD = 66;
const FOOT = 30;

export const PLOTS = join(PROJECT, 'docs', 'internals', 'plots');

/** Draws the charts from bench/peers.json and the newest file of bench/results, if there is one. Answers their paths. */
export async function writePlots(): Promise<string[]> {
  const peers = JSON.parse(await readFile(join(PROJECT, 'bench', 'peers.json'), 'utf8')) as Peers;
  const run = await newestRun(join(PROJECT, 'bench', 'results'));
  await mkdir(PLOTS, { recursive: true });
  const paths = peers.charts.map((chart) => join(PLOTS, chart.file));
  await Promise.all(peers.charts.map((chart, at) => writeFile(paths[at]!, plot(chart, peers, run))));
  return paths;
}

async function newestRun(folder: string): Promise<Run | undefined> {
  const files = await readdir(folder).catch(() => []);
  const name = files
    .filter((file) => file.endsWith('.json'))
    .sort()
    .at(-1); // names are times
  if (name === undefined) return undefined;
  return { ...(JSON.parse(await readFile(join(folder, name), 'utf8')) as Omit<Run, 'name'>), name };
}

/** One chart as SVG, on a background of its own, so that it is legible on light and dark pages. */
export function plot(chart: Chart, { source, systems }: Omit<Peers, 'charts'>, run?: Run): string {
  const groups = chart.groups.map((group) => ({ name: group.name, bars: barsOf(group, systems, run) }));
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const scale = (WIDTH - LABELS - FIGURES) / most;
  const parts: string[] = [];
  let y = HEAD;
  for (const { name, bars } of groups) {
    parts.push(text(16, y + 14, name, 'font-weight="600"'));
    y += 22;
    for (const bar of bars) {
      const width = Math.max(1, Math.round(bar.value * scale));
      parts.push(
        text(16, y + 15, bar.name),
        `<rect x="${LABELS}" y="${y + 2}" width="${width}" height="${BAR - 4}" rx="2" fill="${bar.color}"/>`,
        text(LABELS + width + 6, y + 15, bar.value.toLocaleString('en-US')),
      );
      y += BAR;
    }
    y += GAP;
  }
  const height = y + FOOT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#1f2328">`,
    `<title>${escaped(chart.title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff" stroke="#d0d7de"/>`,
    text(16, 28, chart.title, 'font-size="15" font-weight="600"'),
    text(16, 48, chart.better, 'fill="#57606a"'),
    ...parts,
    text(16, height - 14, source, 'fill="#57606a" font-size="11"'),
    '</svg>\n',
  ].join('\n');
}

function barsOf({ values, lastRun }: Group, systems: string[], run: Run | undefined): Bar[] {
  const bars = values.map((value, at) => ({ name: systems[at]!, value, color: COLORS[at]! }));
  const row = run?.sections.flatMap(({ rows }) => rows).find(({ key }) => key !== undefined && key === lastRun);
  if (!run || !row) return bars;
  const value = Number(median(row.samples).toPrecision(3));
  return [...bars, { name: `ours, run of ${run.name.slice(0, 10)}`, value, color: LAST_RUN_COLOR }];
}

export const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`.replace(' >', '>');

export const escaped = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
