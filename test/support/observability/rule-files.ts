import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const PROMETHEUS_FOLDER = fileURLToPath(new URL('../../../deploy/observability/prometheus', import.meta.url));

export interface Alert {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface RecordingRule {
  record: string;
  expr: string;
}

/** A file of `promtool test rules`, with the fields that tests use. */
export interface RuleTests {
  tests: {
    name: string;
    promql_expr_test?: { exp_samples: { labels: string }[] }[];
    alert_rule_test?: { alertname: string }[];
  }[];
}

export const readYaml = <T>(path: string): T => parse(readFileSync(`${PROMETHEUS_FOLDER}/${path}`, 'utf8')) as T;

const rulesOf = <T>(path: string): T[] =>
  readYaml<{ groups: { rules: T[] }[] }>(path).groups.flatMap(({ rules }) => rules);

export const alerts = (): Alert[] => rulesOf<Alert>('alerts.yml');
export const recordingRules = (): RecordingRule[] => rulesOf<RecordingRule>('recording.yml');

/** Paths of the unit tests of the rules, relative to `PROMETHEUS_FOLDER`. */
export const ruleTestFiles = (): string[] => readdirSync(`${PROMETHEUS_FOLDER}/tests`).map((name) => `tests/${name}`);
