import { pairwiseRatios, spread } from './statistics.js';

/** What a ratio must be. */
export type Bar = { atLeast: number } | { atMost: number };

export interface Comparison {
  /** What was measured, with its unit. */
  label: string;
  /** One figure per round. */
  samples: number[];
  /** Measured in the same rounds. */
  baseline?: { name: string; samples: number[] };
  /** The name in the JSON line, together with its bar; without them it is only shown. */
  key?: string;
  /** For the ratio; where there is no baseline, for the figure itself. */
  bar?: Bar;
  /** The bar is for the figure, whatever stands beside it. */
  judgesFigure?: boolean;
}

interface Section {
  title: string;
  rows: Comparison[];
}

type JsonRatio = { value: number; at_least: number } | { value: number; at_most: number };

/** Collects what the scenarios measured; every section is printed when it is complete. */
export class Report {
  private readonly sections: Section[] = [];

  /** Prints the rows as one table. */
  add(title: string, rows: Comparison[]): void {
    this.sections.push({ title, rows });
    console.log(`\n${title}\n${formatTable(HEAD, rows.map(cells))}`);
  }

  /** `{ ratios: { <name>: { value, at_least | at_most } } }`; medians of the rounds' ratios, three digits. */
  ratios(): { ratios: Record<string, JsonRatio> } {
    const entries = this.sections
      .flatMap(({ rows }) => rows)
      .flatMap((row) => {
        if (row.key === undefined || row.bar === undefined) return [];
        const value = Number(judged(row).toPrecision(3));
        const { bar } = row;
        return [
          [row.key, 'atLeast' in bar ? { value, at_least: bar.atLeast } : { value, at_most: bar.atMost }] as const,
        ];
      });
    return { ratios: Object.fromEntries(entries) };
  }

  /** Every figure of every round. */
  everything(): unknown {
    return { sections: this.sections, ...this.ratios() };
  }
}

const HEAD = ['', 'median (min–max)', 'beside', 'median (min–max)', 'ratio (min–max)', 'bar'];

function cells(row: Comparison): string[] {
  const ratio = ratioOf(row);
  return [
    row.label,
    range(row.samples),
    row.baseline?.name ?? '',
    row.baseline ? range(row.baseline.samples) : '',
    ratio ? `${number(ratio.median)} (${number(ratio.min)}–${number(ratio.max)})` : '',
    row.bar ? verdict(row.bar, judged(row)) : '',
  ];
}

/** What the bar is held against. */
const judged = (row: Comparison): number =>
  ((row.judgesFigure ? undefined : ratioOf(row)) ?? spread(row.samples)).median;

const ratioOf = ({ samples, baseline }: Comparison) => baseline && spread(pairwiseRatios(samples, baseline.samples));

function verdict(bar: Bar, value: number): string {
  return 'atLeast' in bar
    ? `≥ ${bar.atLeast} ${value >= bar.atLeast ? 'met' : 'MISSED'}`
    : `≤ ${bar.atMost} ${value <= bar.atMost ? 'met' : 'MISSED'}`;
}

function range(samples: number[]): string {
  const { median, min, max } = spread(samples);
  return samples.length === 1 ? number(median) : `${number(median)} (${number(min)}–${number(max)})`;
}

/** Three significant digits, whole thousands grouped. */
const number = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(Math.abs(value) >= 10 ? 3 : 2)));

/** Left-aligned columns two spaces apart; columns without any content are left out. */
export function formatTable(head: string[], rows: string[][]): string {
  const used = head.map((_, column) => column).filter((column) => rows.some((row) => row[column]));
  const lines = [head, ...rows].map((row) => used.map((column) => row[column] ?? ''));
  const widths = used.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
