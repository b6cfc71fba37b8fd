import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { Values } from '../support/deploy/chart.js';
import { lint, type Manifest, type PodTemplate, render } from '../support/deploy/helm.js';
import { root, secretNames, settingNames } from '../support/deploy/settings.js';
import { alerts, readYaml } from '../support/observability/rule-files.js';
import { promtool } from '../support/observability/promtool.js';

interface PolicySpec {
  podSelector: Manifest['spec']['selector'];
  egress: { to: { ipBlock?: { cidr: string; except?: string[] } }[]; ports: unknown[] }[];
}

/** Settings on which probes, Services and commands depend. */
const SET_BY_THE_CHART = [
  ...['HOST', 'PORT', 'WORKER_PORT', 'MANAGEMENT_PORT', 'METRICS_PORT', 'DATA_DIR', 'NODE_OPTIONS'],
];

/** A stop during a start: 10 s for the start, 11 s for work, 5 s for connections. */
const LONGEST_STOP_SECONDS = 26;

const STORES = [
  { to: [{ ipBlock: { cidr: '10.8.0.5/32' } }], port: 5432 },
  { to: [{ podSelector: { matchLabels: { app: 'redis' } } }], port: 6379 },
];

const EVERYTHING: Values = {
  config: {
    RATE_LIMIT_PER_SECOND: 1_000_000,
    OTEL_TRACES_SAMPLER_ARG: 0.25,
    CONSOLE: false,
    TRUST_PROXY: '10.0.0.0/8',
  },
  secretSettings: { DATABASE_URL: { secret: 'postgres-app', key: 'uri' } },
  secretVersion: '7',
  extraEnv: [{ name: 'TZ', value: 'UTC' }],
  extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', readOnly: true }],
  api: { autoscaling: { enabled: true } },
  worker: { keda: { enabled: true, metricSelector: 'namespace="pay"' } },
  ingress: { enabled: true, className: 'nginx', hosts: [{ host: 'pay.example.com' }] },
  networkPolicy: { enabled: true, stores: STORES },
  serviceMonitor: { enabled: true, tokenSecret: { name: 'payment-orchestrator', key: 'METRICS_TOKEN' } },
  prometheusRule: { enabled: true, runbookBaseUrl: 'https://git.example.com/blob/main/' },
};

const of = (manifests: Manifest[], kind: string, suffix = ''): Manifest =>
  manifests.find(({ kind: is, metadata }) => is === kind && metadata.name.endsWith(suffix))!;
const pods = (manifests: Manifest[]): PodTemplate[] =>
  manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(({ spec }) => spec.template);

describe('The rendered chart', () => {
  const plain = render();
  const full = render(EVERYTHING);
  const api = of(plain, 'Deployment', '-api');
  const worker = of(plain, 'Deployment', '-worker');

  it.each([
    ['nothing but defaults', {}],
    ['everything', EVERYTHING],
  ])('passes lint: %s', (_name, values) => {
    expect(lint(values)).toContain('0 chart(s) failed');
  });

  it('gives pods no rights, and no tokens', () => {
    for (const { spec } of [...pods(plain), ...pods(full)]) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext, resources } of spec.containers) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources.limits?.memory).toMatch(/^\d+Mi$/);
      }
    }
  });

  it('refers to secrets and contains none', () => {
    expect(full.some(({ kind }) => kind === 'Secret')).toBe(false);
    for (const { spec } of pods(full)) {
      expect(spec.containers[0]!.envFrom).toEqual([{ secretRef: { name: 'payment-orchestrator' } }]);
      expect(spec.containers[0]!.env).toContainEqual({
        name: 'DATABASE_URL',
        valueFrom: { secretKeyRef: { name: 'postgres-app', key: 'uri' } },
      });
    }
  });

  it('passes settings unchanged, also to the migration', () => {
    expect(pods(full)).toHaveLength(3);
    for (const { metadata, spec } of pods(full)) {
      const env = Object.fromEntries(spec.containers[0]!.env.map(({ name, value }) => [name, value]));
      expect(env).toMatchObject({
        RATE_LIMIT_PER_SECOND: '1000000',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
        CONSOLE: 'false',
      });
      expect(metadata.annotations).toEqual({ 'payment-orchestrator/secret-version': '7' });
    }
  });

  it('runs the migration before all objects of a release', () => {
    expect(of(plain, 'Job').metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect(of(plain, 'Job').spec.template.spec.containers[0]!.command).toEqual(['node', 'dist/cli/main.js', 'migrate']);
    expect(render({ migrate: { enabled: false } }).some(({ kind }) => kind === 'Job')).toBe(false);
  });

  it.each([
    ['api', api],
    ['worker', worker],
  ])('probes the management port of the %s, and gives it time to finish', (_name, { spec }) => {
    const { containers, terminationGracePeriodSeconds } = spec.template.spec;
    const [container] = containers;
    for (const [probe, path] of [
      ['startupProbe', '/health/live'],
      ['livenessProbe', '/health/live'],
      ['readinessProbe', '/health/ready'],
    ] as const) {
      expect(container![probe]).toMatchObject({ httpGet: { path, port: 'management' } });
    }
    const ports = Object.fromEntries(container!.ports!.map(({ name, containerPort }) => [name, String(containerPort)]));
    const env = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
    expect([env['MANAGEMENT_PORT'], env['WORKER_PORT']]).toContain(ports['management']);
    const preStop = Number(container!.lifecycle!.preStop.exec.command[1]);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + LONGEST_STOP_SECONDS);
  });

  it('refuses a grace period that is shorter than a stop', () => {
    expect(() => render({ terminationGracePeriodSeconds: 31 })).toThrow('api.preStopSeconds');
    expect(render({ terminationGracePeriodSeconds: 32 })).not.toEqual([]);
  });

  it('limits the heap by the memory limit, if there is one', () => {
    const command = (values: Values) =>
      of(render(values), 'Deployment', '-api').spec.template.spec.containers[0]!.command;
    expect(command({})).toEqual(['node', '--max-old-space-size-percentage=60', 'dist/main-api.js']);
    expect(command({ api: { resources: { limits: null } } })).toEqual(['node', 'dist/main-api.js']);
  });

  it('selects the right pods in Services, budgets and policies', () => {
    const labels = [api, worker, of(plain, 'Job')].map(({ spec }) => spec.template.metadata.labels);
    const selects = (selector: Record<string, string>) =>
      labels
        .filter((all) => Object.entries(selector).every(([name, value]) => all[name] === value))
        .map((all) => all['app.kubernetes.io/component']);
    for (const { kind, metadata, spec } of full) {
      const [, component] = /-(api|worker|migrate)(-metrics)?$/.exec(metadata.name) ?? [];
      if (kind === 'Service') expect(selects(spec.selector as never)).toEqual([component]);
      if (kind === 'PodDisruptionBudget') expect(selects(spec.selector.matchLabels)).toEqual([component]);
      if (kind === 'NetworkPolicy')
        expect(selects((spec as unknown as PolicySpec).podSelector.matchLabels)).toEqual([component]);
    }
    expect(full.filter(({ kind }) => kind === 'Service')).toHaveLength(3);
    expect(full.filter(({ kind }) => kind === 'NetworkPolicy')).toHaveLength(3);
  });

  it('leaves the number of pods to the autoscaler', () => {
    expect([api.spec['replicas'], worker.spec['replicas']]).toEqual([2, 2]);
    for (const name of ['-api', '-worker']) expect(of(full, 'Deployment', name).spec['replicas']).toBeUndefined();
    expect(of(full, 'HorizontalPodAutoscaler').spec).toMatchObject({ scaleTargetRef: { name: api.metadata.name } });
    expect(of(full, 'ScaledObject').spec).toMatchObject({ scaleTargetRef: { name: worker.metadata.name } });
    const both = { worker: { autoscaling: { enabled: true }, keda: { enabled: true } } };
    expect(() => render(both)).toThrow('disable one of them');
  });

  it('scales workers by existing metrics', () => {
    const known = readFileSync(`${root}docs/operate/metrics.md`, 'utf8');
    const { triggers } = of(full, 'ScaledObject').spec as unknown as { triggers: { metadata: { query?: string } }[] };
    const queries = triggers.flatMap(({ metadata }) => metadata.query ?? []);
    expect(queries).toHaveLength(2);
    for (const query of queries)
      expect(known).toContain(`### ${/^max\((\w+)\{namespace="pay"\}\)$/.exec(query)![1]}\n`);
  });

  it('lets webhooks reach only public addresses', () => {
    const { egress } = of(full, 'NetworkPolicy', '-worker').spec as unknown as PolicySpec;
    const blocks = egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => (ipBlock?.except ? [ipBlock] : [])));
    expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '::/0']);
    expect(blocks[0]!.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']));
    expect(JSON.stringify(of(full, 'NetworkPolicy', '-migrate').spec)).not.toContain('0.0.0.0/0');
  });

  it('scrapes under the names that alerts and dashboards use', () => {
    const jobs = full
      .filter(({ kind }) => kind === 'ServiceMonitor')
      .map(({ spec }) => (spec['endpoints'] as { relabelings: unknown[] }[])[0]!.relabelings);
    const { scrape_configs: configs } = readYaml<{ scrape_configs: { job_name: string }[] }>('prometheus.yml');
    expect(jobs).toEqual(configs.map(({ job_name: job }) => [{ targetLabel: 'job', replacement: job }]));
  });

  it('includes the alerts in a form that Prometheus accepts', async () => {
    const { groups } = of(full, 'PrometheusRule').spec as unknown as {
      groups: { rules: { alert?: string; annotations?: { runbook_url: string } }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== undefined);
    expect(rules.map(({ alert }) => alert)).toEqual(alerts().map(({ alert }) => alert));
    for (const { annotations } of rules)
      expect(annotations!.runbook_url).toMatch(/^https:\/\/git\.example\.com\/blob\/main\/docs\/operate\/runbook\.md#/);
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    writeFileSync(join(folder, 'rules.yml'), stringify({ groups }));
    expect(await promtool('check', 'rules', join(folder, 'rules.yml'))).toContain('SUCCESS');
    rmSync(folder, { recursive: true });
  });

  it('allows DNS and stores only at their addresses', () => {
    for (const component of ['api', 'worker', 'migrate']) {
      const { egress } = of(full, 'NetworkPolicy', `-${component}`).spec as unknown as PolicySpec;
      expect(egress.filter(({ to }) => to.length === 0)).toEqual([]);
      expect(egress.slice(0, 3)).toEqual([
        {
          to: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
              podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
            },
          ],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
        ...STORES.map(({ to, port }) => ({ to, ports: [{ protocol: 'TCP', port }] })),
      ]);
    }
  });

  it('runs pods as its own ServiceAccount, which exists before the migration', () => {
    const account = of(plain, 'ServiceAccount');
    expect(account.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    for (const { spec } of pods(plain)) expect(spec['serviceAccountName']).toBe(account.metadata.name);
    const existing = render({ serviceAccount: { create: false, name: 'cloud' } });
    expect(existing.some(({ kind }) => kind === 'ServiceAccount')).toBe(false);
    for (const { spec } of pods(existing)) expect(spec['serviceAccountName']).toBe('cloud');
    for (const { spec } of pods(render({ serviceAccount: { create: false } })))
      expect(spec['serviceAccountName']).toBeUndefined();
  });

  it('removes the Job of the migration after a day', () => {
    expect(of(plain, 'Job').spec['ttlSecondsAfterFinished']).toBe(86_400);
  });

  it('accepts each setting of .env.example that is not secret', () => {
    const names = settingNames.filter((name) => !secretNames.includes(name) && !SET_BY_THE_CHART.includes(name));
    expect(names.length).toBeGreaterThan(50);
    const [pod] = pods(render({ config: Object.fromEntries(names.map((name) => [name, 'some value'])) }));
    expect(pod!.spec.containers[0]!.env.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it('accepts each secret of .env.example only from a Secret', () => {
    const taken = Object.fromEntries(secretNames.map((name) => [name, { secret: 'some-secret', key: name }]));
    const [pod] = pods(render({ existingSecret: '', secretSettings: taken }));
    expect(pod!.spec.containers[0]!.env.map(({ name }) => name)).toEqual(expect.arrayContaining(secretNames));
    expect(secretNames.length).toBeGreaterThan(5);
    for (const name of secretNames)
      expect(() => render({ config: { [name]: 'x' } })).toThrow(`config.${name}: ${name} is a secret`);
  });

  it.each(SET_BY_THE_CHART)('refuses %s, which the chart sets', (name) => {
    for (const values of [
      { config: { [name]: '1' } },
      { secretSettings: { [name]: { secret: 'a', key: 'b' } } },
      { extraEnv: [{ name, value: '1' }] },
    ])
      expect(() => render(values)).toThrow(`the chart sets ${name} itself`);
  });

  it.each<[string, Values]>([
    ['config.LOG_LEVLE: there is no such setting', { config: { LOG_LEVLE: 'info' } }],
    ['secretSettings.TOKEN: there is no such setting', { secretSettings: { TOKEN: { secret: 'a', key: 'b' } } }],
    ['extraEnv: JWT_SECRET is a setting', { extraEnv: [{ name: 'JWT_SECRET', value: 'x' }] }],
    ['extraEnv: LOG_LEVEL is a setting', { extraEnv: [{ name: 'LOG_LEVEL', value: 'info' }] }],
    [
      'LOG_LEVEL is in config and in secretSettings',
      { config: { LOG_LEVEL: 'info' }, secretSettings: { LOG_LEVEL: { secret: 'a', key: 'b' } } },
    ],
    [
      'api.autoscaling.minReplicas is 11, above its maxReplicas, 10',
      { api: { autoscaling: { enabled: true, minReplicas: 11 } } },
    ],
    ['worker.keda.minReplicas is 3, above', { worker: { keda: { enabled: true, minReplicas: 3, maxReplicas: 2 } } }],
    ['podLabels: app.kubernetes.io/component is', { podLabels: { 'app.kubernetes.io/component': 'web' } }],
    ['podLabels: app.kubernetes.io/name is', { podLabels: { 'app.kubernetes.io/name': 'web' } }],
    ['podLabels: helm.sh/chart is', { podLabels: { 'helm.sh/chart': 'web' } }],
    ['existingSecret and secretSettings are empty', { existingSecret: '' }],
    [
      'secretSettings lacks ENCRYPTION_KEY, and existingSecret',
      { existingSecret: '', secretSettings: { DATABASE_URL: { secret: 'a', key: 'b' } } },
    ],
    [
      'extraEnv: FOO is listed twice',
      {
        extraEnv: [
          { name: 'FOO', value: '1' },
          { name: 'FOO', value: '2' },
        ],
      },
    ],
    ['api.replicas is null', { api: { replicas: null } }],
    ['listenAddress is null', { listenAddress: null }],
    ['networkPolicy.blockedNetworks.ipv4 is null', { networkPolicy: { blockedNetworks: { ipv4: null } } }],
    ['networkPolicy.blockedNetworks is null', { networkPolicy: { blockedNetworks: null } }],
    ['networkPolicy.stores is empty', { networkPolicy: { enabled: true } }],
    ['networkPolicy.dns is empty', { networkPolicy: { enabled: true, stores: STORES, dns: [] } }],
    ['api is null', { api: null }],
    ['worker is null', { worker: null }],
    ['migrate is null', { migrate: null }],
    ['networkPolicy is null', { networkPolicy: null }],
    ['api.autoscaling is null', { api: { autoscaling: null } }],
    ['worker.keda is null', { worker: { keda: null } }],
    ['secretSettings is null', { secretSettings: null, config: { LOG_LEVEL: 'info' } }],
  ])('refuses values with the message: %s', (sentence, values) => {
    expect(() => render(values)).toThrow(sentence);
  });
});
