import { pairwiseRatios, spread } from './statistics.js';

/** The limit of a ratio or figure. */
export type Bar = { atLeast: number } | { atMost: number };

export interface Comparison {
  /** The measured quantity, with its unit. */
  label: string;
  /** One figure per round. */
  samples: number[];
  /** Measured in the same rounds. */
  baseline?: { name: string; samples: number[] };
  /** The name in the JSON line, together with the bar; without both the row is only printed. */
  key?: string;
  /** For the ratio; without a baseline for the figure itself. */
  bar?: Bar;
  /** The bar applies to the figure, even with a baseline. */
  judgesFigure?: boolean;
}

interface Section {
  title: string;
  rows: Comparison[];
}

type JsonRatio = { value: number; at_least: number } | { value: number; at_most: number };

/** Collects the results of the scenarios; prints every section when it is complete. */
export class Report {
  private readonly sections: Section[] = [];

  /** Prints the rows as one table. */
  add(title: string, rows: Comparison[]): void {
    this.sections.push({ title, rows });
    console.log(`\n${title}\n${formatTable(HEAD, rows.map(cells))}`);
  }

  /** `{ ratios: { <name>: { value, at_least | at_most } } }`: medians of the rounds' ratios, with three digits. */
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

  /** All figures of every round. */
  everything(): unknown {
    return { sections: this.sections, ...this.ratios() };
  }
}

const HEAD = ['', 'median (min–max)', 'baseline', 'median (min–max)', 'ratio (min–max)', 'bar'];

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

/** The value that is compared with the bar. */
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

/** Three significant digits, with thousands separators. */
const number = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(Math.abs(value) >= 10 ? 3 : 2)));

/** Left-aligned columns, two spaces apart; empty columns are left out. */
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
