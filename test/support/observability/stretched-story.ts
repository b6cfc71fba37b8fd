// Alerts take minutes, a test has seconds. So what was scraped is laid out on a longer time axis, as if all had gone on so
// much more slowly, and promtool tells what would have fired. Values stay as they were seen; times become longer, and with
// them what measures a time: ages and timestamps.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../servers/servers.js';
import { promtool } from './promtool.js';
import { queriedMetrics } from './promql.js';
import { alerts, PROMETHEUS_FOLDER, recordingRules } from './rule-files.js';
import { type Moment, nameOf } from './scrapes.js';

/** A moment, and the minute at which it is laid out; it lasts until the next one. */
interface Scene {
  minute: number;
  moment: Moment;
}

export interface Story {
  scenes: Scene[];
  /** How much longer everything takes than it took. */
  stretch: number;
  /** When the story ends. */
  endMinute: number;
  /** Which of `OF_THE_MACHINE` was provoked. */
  about?: string;
}

/** How long the state before is laid out, so that alerts would show that fire by themselves. */
const BEFORE_MINUTES = 15;
const AFTER_MINUTES = 2;

const AGES =
  /^(webhook_oldest_due|provider_operations_oldest|provider_notifications_oldest_waiting|database_oldest_snapshot)_seconds$/;
const TIMESTAMPS = /_timestamp_seconds$/;
/**
 * Moments of a machine that many tests share, and readings that are some seconds old, would be minutes of a standstill once
 * they are laid out. So each of these counts only where it is what was provoked.
 */
const OF_THE_MACHINE = [
  'nodejs_eventloop_lag_p99_seconds',
  'webhook_reconciler_last_look_timestamp_seconds',
  'database_pool_waiting',
];

const CAUSE = /^payment_attempts_total\{.*,cause="\w+"/;
const withoutCause = (series: string): string => series.replace(/,cause="\w+"/, '');

/** Of the whole server, on which other tests have transactions; alerts also go by whether it is told at all. */
const OF_THE_SERVER = 'database_oldest_snapshot_seconds';

/** The moments since something was provoked, `stretch` times as long as they took, after a while of how it was before. */
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

/** The alerts that fire at some time of the story, by name, told by Prometheus's own evaluation of our rules. */
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

/** A day of minutes takes promtool a minute. */
const evaluationOf = ({ endMinute }: Story): string => (endMinute > 600 ? '5m' : '1m');

const messageOf = (error: unknown): string => (error as Error).message;

/** promtool answers a query only by what it finds in place of what was expected: so something is expected that never comes. */
function namesIn(output: string): string[] {
  const [, got] = /\bgot: ?(.*)$/m.exec(output) ?? [];
  if (got === undefined) throw new Error(`promtool does not tell what fires:\n${output}`);
  return [...got.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!).sort();
}

function inputSeries({ scenes, stretch, endMinute, about }: Story): { series: string; values: string }[] {
  const provokedAt = scenes[1]!;
  return [...countedOrAlone(scenes)]
    .filter((series) => READ_BY_RULES.has(nameOf(series)))
    .filter((series) => nameOf(series) === about || !OF_THE_MACHINE.includes(nameOf(series)))
    .map((series) => ({
      series,
      values: scenes
        .map(({ minute, moment }, index) => {
          const next = scenes[index + 1]?.minute ?? endMinute + 1;
          const value = moment.values.get(series);
          return repeated(value === undefined ? undefined : laidOut(series, value, moment, minute), next - minute);
        })
        .filter((values) => values !== '')
        .join(' '),
    }));

  function laidOut(series: string, value: number, { at }: Moment, minute: number): number {
    const name = nameOf(series);
    if (name === OF_THE_SERVER && about !== name) return 0;
    if (TIMESTAMPS.test(name)) return minute * 60 - (at / 1_000 - value) * stretch;
    return AGES.test(name) && at >= provokedAt.moment.at ? value * stretch : value;
  }
}

/** No rule tells causes apart: of counters that differ by their cause alone and never counted, one stands for all. */
function countedOrAlone(scenes: Scene[]): Set<string> {
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

/** `stale`: as when a target that was scraped does not export it any more. */
function repeated(value: number | undefined, times: number): string {
  if (times <= 0) return '';
  if (value === undefined) return ['stale', ...Array<string>(times - 1).fill('_')].join(' ');
  return `${Number(value.toFixed(6))}x${times - 1}`;
}
