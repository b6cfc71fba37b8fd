import { Ajv } from 'ajv';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../src/platform/config/config.js';
import { chartMetadata, chartSchema, chartValues, templates } from '../../support/deploy/chart.js';
import { readYaml } from '../../support/observability/rule-files.js';
import { settingNames } from '../../support/deploy/settings.js';

const validate = new Ajv({ strict: false }).compile(chartSchema);
const taken = (values: object) => validate(values);

/** Whether a path such as `networkPolicy.stores` has a value. */
const has = (value: unknown, path: string): boolean =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value) !==
  undefined;

const used = (prefix: string): string[] => [
  ...new Set(
    templates.flatMap((text) => [...text.matchAll(RegExp(`${prefix}\\.([\\w.]+)`, 'g'))].map(([, path]) => path!)),
  ),
];

describe("The chart's values", () => {
  it('conform to their schema', () => {
    expect([taken(chartValues), validate.errors]).toEqual([true, null]);
  });

  it('contain every value that the templates use', () => {
    const optional = ['config.TRUST_PROXY'];
    const paths = [...used('\\.Values'), ...used('\\$values')].filter((path) => !optional.includes(path));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !has(chartValues, path))).toEqual([]);
    const componentPaths = [...used('\\$of'), ...used('\\.of')];
    const components = ['api', 'worker', 'migrate'].map((name) => chartValues[name]);
    expect(componentPaths.filter((path) => !components.some((component) => has(component, path)))).toEqual([]);
    expect(used('\\$policy').filter((path) => !has(chartValues['networkPolicy'], path))).toEqual([]);
  });

  it('belong to the version of the package', () => {
    expect(chartMetadata['appVersion']).toBe(VERSION);
  });

  it('accept a secret by the names of its Secret and key', () => {
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
  ])('fail validation without a meaning: %j', (values) => {
    expect(taken(values)).toBe(false);
  });
});

describe('The rules of the chart', () => {
  it.each(['alerts.yml', 'recording.yml'])('equal those of deploy/observability: %s', (name) => {
    expect(readYaml(`../../helm/payment-orchestrator/rules/${name}`)).toEqual(readYaml(name));
  });
});

describe('The templates of the chart', () => {
  it('use only settings of .env.example', () => {
    const named = templates.flatMap((text) => [...text.matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
  });
});
