// Alerts take minutes, but a test has only seconds. So the scraped values are placed on a longer time axis, as if
// everything had happened more slowly, and promtool evaluates which alerts would have fired. Values do not change;
// times are stretched, and so are values that measure a time: ages and timestamps.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../servers/servers.js';
import { promtool } from './promtool.js';
import { queriedMetrics } from './promql.js';
import { alerts, PROMETHEUS_FOLDER, recordingRules } from './rule-files.js';
import { type Moment, nameOf } from './scrapes.js';

/** A scrape, and the minute at which it is placed; it lasts until the next one. */
interface Scene {
  minute: number;
  moment: Moment;
}

export interface Story {
  scenes: Scene[];
  /** The factor by which time is stretched. */
  stretch: number;
  /** When the story ends. */
  endMinute: number;
  /** The metric of `MACHINE_DEPENDENT` that the test provoked. */
  about?: string;
}

/** Duration of the state before, to show alerts that fire without a cause. */
const BEFORE_MINUTES = 15;
const AFTER_MINUTES = 2;

const AGES =
  /^(webhook_oldest_due|provider_operations_oldest|provider_notifications_oldest_waiting|database_oldest_snapshot)_seconds$/;
const TIMESTAMPS = /_timestamp_seconds$/;
/**
 * Metrics that would fire after stretching because many tests share the machine, or because their values are some
 * seconds old. Each of them only counts if the test provoked it.
 */
const MACHINE_DEPENDENT = [
  'nodejs_eventloop_lag_p99_seconds',
  'webhook_reconciler_last_look_timestamp_seconds',
  'database_pool_waiting',
];

const CAUSE = /^payment_attempts_total\{.*,cause="\w+"/;
const withoutCause = (series: string): string => series.replace(/,cause="\w+"/, '');

/**
 * A metric of the whole server, where other tests have transactions; alerts also depend on whether it exists at all.
 */
const SERVER_WIDE = 'database_oldest_snapshot_seconds';

/** The scrapes since the fault was provoked, stretched in time by `stretch`, preceded by the state before. */
export function stretched(before: Moment, moments: readonly Moment[], stretch: number): Story {
  const begin = moments[0]!.at;
  const minuteOf = ({ at }: Moment): number => BEFORE_MINUTES + Math.round(((at - begin) * stretch) / 60_000);
  const scenes = moments.map((moment) => ({ minute: minuteOf(moment), moment }));
  return {
    scenes: [{ minute: 0, moment: before }, ...scenes],
    stretch,
    endMinute: minuteOf(moments.at(-1)!) + AFTER_MINUTES,
  };
}

const READ_BY_RULES = new Set(
  [...alerts(), ...recordingRules()].flatMap(({ expr }) => queriedMetrics(expr).map(({ metric }) => metric)),
);

/** The names of all alerts that fire during the story, according to Prometheus's evaluation of our rules. */
export async function firedIn(story: Story): Promise<string[]> {
  const query = `count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${story.endMinute + 1}m]))`;
  const file = join(await temporaryFolder(), 'story.test.yml');
  const test = {
    interval: '1m',
    input_series: inputSeries(story),
    promql_expr_test: [
      { expr: query, eval_time: `${story.endMinute}m`, exp_samples: [{ labels: '{nothing="fires"}', value: 0 }] },
    ],
  };
  const rules = ['recording.yml', 'alerts.yml'].map((name) => join(PROMETHEUS_FOLDER, name));
  // JSON is YAML
  await writeFile(file, JSON.stringify({ rule_files: rules, evaluation_interval: evaluationOf(story), tests: [test] }));
  return namesIn(await promtool('test', 'rules', file).catch(messageOf));
}

/** promtool takes a minute for a day in steps of a minute. */
const evaluationOf = ({ endMinute }: Story): string => (endMinute > 600 ? '5m' : '1m');

const messageOf = (error: unknown): string => (error as Error).message;

/** promtool only prints a query's result if it differs from the expected one; so the expected sample never occurs. */
function namesIn(output: string): string[] {
  const [, got] = /\bgot: ?(.*)$/m.exec(output) ?? [];
  if (got === undefined) throw new Error(`promtool does not print what fires:\n${output}`);
  return [...got.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!).sort();
}

function inputSeries({ scenes, stretch, endMinute, about }: Story): { series: string; values: string }[] {
  const provokedAt = scenes[1]!;
  return [...relevantSeries(scenes)]
    .filter((series) => READ_BY_RULES.has(nameOf(series)))
    .filter((series) => nameOf(series) === about || !MACHINE_DEPENDENT.includes(nameOf(series)))
    .map((series) => ({
      series,
      values: scenes
        .map(({ minute, moment }, index) => {
          const next = scenes[index + 1]?.minute ?? endMinute + 1;
          const value = moment.values.get(series);
          return repeated(
            value === undefined ? undefined : stretchedValue(series, value, moment, minute),
            next - minute,
          );
        })
        .filter((values) => values !== '')
        .join(' '),
    }));

  function stretchedValue(series: string, value: number, { at }: Moment, minute: number): number {
    const name = nameOf(series);
    if (name === SERVER_WIDE && about !== name) return 0;
    if (TIMESTAMPS.test(name)) return minute * 60 - (at / 1_000 - value) * stretch;
    return AGES.test(name) && at >= provokedAt.moment.at ? value * stretch : value;
  }
}

/** No rule distinguishes causes: of counters that differ only by their cause and are zero, only one is used. */
function relevantSeries(scenes: Scene[]): Set<string> {
  const counted = new Set<string>();
  const zeros = new Map<string, string>();
  for (const { moment } of scenes) {
    for (const [series, value] of moment.values) {
      if (value !== 0 || !CAUSE.test(series)) counted.add(series);
      else if (!zeros.has(withoutCause(series))) zeros.set(withoutCause(series), series);
    }
  }
  return new Set([...counted, ...zeros.values()]);
}

/** `stale`: a scraped target no longer exports the series. */
function repeated(value: number | undefined, times: number): string {
  if (times <= 0) return '';
  if (value === undefined) return ['stale', ...Array<string>(times - 1).fill('_')].join(' ');
  return `${Number(value.toFixed(6))}x${times - 1}`;
}
