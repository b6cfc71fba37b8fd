import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALARM_REASONS } from '../../../src/shared/alarm.js';
import { promtool } from '../../support/observability/promtool.js';
import { alerts, readYaml, ruleTestFiles, type RuleTests } from '../../support/observability/rule-files.js';

const runbook = readFileSync(new URL('../../../docs/operate/runbook.md', import.meta.url), 'utf8');

/** Anchors of headings, in GitHub's format. */
const anchors = new Set(
  [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  ),
);

const tests = ruleTestFiles().flatMap((path) => readYaml<RuleTests>(path).tests);

describe('The Prometheus rules', () => {
  it('pass Prometheus’s check, with the configuration that loads them', async () => {
    expect(await promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  });

  it.each(ruleTestFiles())('fire only in the expected cases: %s', async (path) => {
    expect(await promtool('test', 'rules', path)).toContain('SUCCESS');
  });

  it.each(alerts().map((rule) => [rule.alert, rule] as const))(
    'include for %s a severity and a runbook section',
    (name, rule) => {
      const { severity } = rule.labels;
      const { summary, description, runbook_url: runbookUrl } = rule.annotations;
      expect(severity).toMatch(/^(critical|warning)$/);
      expect([summary, description].every((text) => text !== undefined && text.length > 10)).toBe(true);
      expect(runbookUrl).toBe(`docs/operate/runbook.md#${name.toLowerCase()}`);
      expect(anchors).toContain(name.toLowerCase());
    },
  );

  it.each(alerts().map(({ alert }) => alert))(
    'include for %s a test in which it fires, with its annotations, and one in which it does not',
    (name) => {
      const firing = tests.filter(({ promql_expr_test: moments = [] }) =>
        moments.some(({ exp_samples: samples }) => samples.some(({ labels }) => labels === `{alertname="${name}"}`)),
      );
      expect(firing.length).toBeGreaterThan(0);
      expect(tests.length).toBeGreaterThan(firing.length);
      const described = tests.flatMap(({ alert_rule_test: expected = [] }) =>
        expected.map(({ alertname }) => alertname),
      );
      expect(described).toContain(name);
    },
  );
});

describe('The runbook', () => {
  it.each(ALARM_REASONS)('describes what to do about an alarm %s', (reason) => {
    const section = runbook.split('\n## ').find((text) => text.startsWith('ProviderAlarmOpen'));
    expect(section).toContain(`- \`${reason}\`: `);
  });

  it('contains only working links', () => {
    const links = [...runbook.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor!);
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });
});
