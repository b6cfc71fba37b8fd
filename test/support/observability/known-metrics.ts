import { readFileSync } from 'node:fs';
import { recordingRules } from './rule-files.js';

type Labels = [metric: string, labels: string[]];

/** Labels that Prometheus adds to every series of a target. */
const TARGET_LABELS = ['job', 'instance'];

const BUILT_IN: Labels[] = [
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
];

/**
 * The labels of each metric that a query may use: metrics of both processes, of our recording rules, and of Prometheus
 * itself.
 */
export function knownMetrics(): ReadonlyMap<string, ReadonlySet<string>> {
  const recorded = recordingRules().map(({ record }): Labels => [record, [record.split(':')[0]!]]);
  const all = [...documentedMetrics(), ...recorded, ...BUILT_IN];
  return new Map(all.map(([name, labels]) => [name, new Set([...labels, ...TARGET_LABELS])]));
}

/**
 * The metrics of docs/operate/metrics.md, which is generated from the registries: a heading with a list of labels, or
 * one line each.
 */
function documentedMetrics(): Labels[] {
  const page = readFileSync(new URL('../../../docs/operate/metrics.md', import.meta.url), 'utf8');
  const ours = page
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const labels = [...section.split(/^## /m)[0]!.matchAll(/^- `(\w+)`:/gm)].map(([, label]) => label!);
      return seriesOf(/^\w+/.exec(section)![0], section.includes('\n_histogram'), labels);
    });
  const nodes = [...page.matchAll(/^- `(\w+)` \((\w+)/gm)];
  return [...ours, ...nodes.flatMap(([, name, type]) => seriesOf(name!, type === 'histogram', []))];
}

const seriesOf = (name: string, isHistogram: boolean, labels: string[]): Labels[] =>
  isHistogram
    ? [
        [`${name}_bucket`, [...labels, 'le']],
        [`${name}_sum`, labels],
        [`${name}_count`, labels],
      ]
    : [[name, labels]];
