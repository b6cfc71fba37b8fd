import { Ajv } from 'ajv';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../src/platform/config/config.js';
import { chartMetadata, chartSchema, chartValues, templates } from '../../support/deploy/chart.js';
import { readYaml } from '../../support/observability/rule-files.js';
import { settingNames } from '../../support/deploy/settings.js';

const validate = new Ajv({ strict: false }).compile(chartSchema);
const taken = (values: object) => validate(values);

/** Whether a path like `networkPolicy.stores` leads to a value. */
const has = (value: unknown, path: string): boolean =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value) !==
  undefined;

const used = (prefix: string): string[] => [
  ...new Set(
    templates.flatMap((text) => [...text.matchAll(RegExp(`${prefix}\\.([\\w.]+)`, 'g'))].map(([, path]) => path!)),
  ),
];

describe("the chart's values", () => {
  it('are taken by their schema', () => {
    expect([taken(chartValues), validate.errors]).toEqual([true, null]);
  });

  it('hold whatever the templates ask for', () => {
    const optional = ['config.TRUST_PROXY'];
    const paths = [...used('\\.Values'), ...used('\\$values')].filter((path) => !optional.includes(path));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !has(chartValues, path))).toEqual([]);
    const ofComponents = [...used('\\$of'), ...used('\\.of')];
    const components = ['api', 'worker', 'migrate'].map((name) => chartValues[name]);
    expect(ofComponents.filter((path) => !components.some((component) => has(component, path)))).toEqual([]);
    expect(used('\\$policy').filter((path) => !has(chartValues['networkPolicy'], path))).toEqual([]);
  });

  it('are for the version of the package', () => {
    expect(chartMetadata['appVersion']).toBe(VERSION);
  });

  it('take a secret by the names of its Secret and its key', () => {
    expect(taken({ secretSettings: { JWT_SECRET: { secret: 'some-secret', key: 'JWT_SECRET' } } })).toBe(true);
    expect(taken({ secretSettings: { JWT_SECRET: { secret: 'some-secret' } } })).toBe(false);
  });

  it.each([
    { nonsense: true },
    { api: { keda: { enabled: true } } },
    { nameOverride: 'Payments' },
    { fullnameOverride: 'pay_ments' },
    { existingSecret: 'Some_Secret' },
    { secretSettings: { JWT_SECRET: { secret: 'Some_Secret', key: 'k' } } },
    { secretSettings: { JWT_SECRET: { secret: 'some-secret', key: 'a key' } } },
    { podLabels: { 'a label': 'x' } },
    { podLabels: { team: 'of payments' } },
    { networkPolicy: { stores: [{ port: 5432 }] } },
    { networkPolicy: { stores: [{ to: [], port: 5432 }] } },
    { worker: { heapPercent: 100 } },
    { image: { digest: 'latest' } },
    { terminationGracePeriodSeconds: 5 },
    { ingress: { enabled: true, hosts: [] } },
    { networkPolicy: { blockedNetworks: { ipv4: '10.0.0.0/8' } } },
  ])('are refused when they mean nothing: %j', (values) => {
    expect(taken(values)).toBe(false);
  });
});

describe('the rules', () => {
  it.each(['alerts.yml', 'recording.yml'])('are those of deploy/observability: %s', (name) => {
    expect(readYaml(`../../helm/payment-orchestrator/rules/${name}`)).toEqual(readYaml(name));
  });
});

describe('the templates', () => {
  it('name settings of .env.example alone', () => {
    const named = templates.flatMap((text) => [...text.matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
  });
});
