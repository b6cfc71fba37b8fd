import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { knownMetrics } from '../../support/observability/known-metrics.js';
import { queriedMetrics } from '../../support/observability/promql.js';
import { alerts, recordingRules } from '../../support/observability/rule-files.js';

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  options: { content?: string };
  targets?: { refId: string; expr: string; legendFormat: string }[];
  fieldConfig?: { defaults: { unit: string } };
}

interface Dashboard {
  uid: string;
  title: string;
  links: { url: string }[];
  panels: Panel[];
}

const folder = new URL('../../../deploy/observability/grafana/', import.meta.url);
const dashboards = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Dashboard);
const byTitle = dashboards.map((dashboard) => [dashboard.title, dashboard] as const);

const overlap = (one: Panel['gridPos'], other: Panel['gridPos']): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

/** Metrics and labels in a query that do not exist. */
function unknownIn(query: string): string[] {
  const known = knownMetrics();
  return queriedMetrics(query).flatMap(({ metric, labels }) => {
    const has = known.get(metric);
    return has ? labels.filter((label) => !has.has(label)).map((label) => `${metric}{${label}}`) : [metric];
  });
}

describe.each(byTitle)('The dashboard %s', (_title, { panels, links }) => {
  const charts = panels.filter(({ targets }) => targets !== undefined);

  it.each(charts.map((panel) => [panel.title, panel] as const))(
    'uses existing metrics and labels: %s',
    (_name, panel) => {
      expect(panel.targets!.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
      expect(new Set(panel.targets!.map(({ refId }) => refId)).size).toBe(panel.targets!.length);
      expect(panel.fieldConfig!.defaults.unit).toBeTruthy();
    },
  );

  it('contains panels without overlap, each with an id, and titles of charts', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(charts.filter(({ title }) => title === '')).toEqual([]);
    const pairs = panels.flatMap((one, index) => panels.slice(index + 1).map((other) => [one, other] as const));
    expect(pairs.filter(([one, other]) => overlap(one.gridPos, other.gridPos))).toEqual([]);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  it('begins with steps to find a cause, which refer to existing panels and alerts', () => {
    const guide = panels[0]!.options.content!;
    const urls = [...links.map(({ url }) => url), ...[...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url!)];
    expect(urls.filter((url) => !dashboards.some(({ uid }) => url === `/d/${uid}`))).toEqual([]);
    const shown = [...guide.matchAll(/_([A-Z][^_]+)_/g)].map(([, title]) => title!);
    const names = [...panels.map(({ title }) => title), ...dashboards.map(({ title }) => title), ...RUNBOOK_TITLES];
    expect(shown.filter((title) => !names.some((name) => name.startsWith(title)))).toEqual([]);
    const named = [...guide.matchAll(/`([A-Z][a-z]+[A-Z]\w+)`/g)].map(([, name]) => name!);
    expect(named.filter((name) => !alerts().some(({ alert }) => alert === name))).toEqual([]);
  });
});

const RUNBOOK_TITLES = ['A webhook did not arrive', 'Approvals fell'];

describe('The Prometheus rules', () => {
  it.each([
    ...alerts().map(({ alert, expr }) => [alert, expr]),
    ...recordingRules().map(({ record, expr }) => [record, expr]),
  ])('use existing metrics and labels: %s', (_name, expr) => {
    expect(unknownIn(expr)).toEqual([]);
  });
});
