import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root, settingNames } from '../../support/deploy/settings.js';
import { isComposeInstalled } from '../../support/deploy/compose.js';

interface Service {
  image: string;
  build?: string;
  pull_policy?: string;
  init?: boolean;
  read_only?: boolean;
  stop_grace_period?: string;
  mem_limit?: string;
  memswap_limit?: string;
  pids_limit?: number;
  cap_drop?: string[];
  security_opt?: string[];
  logging?: { options?: Record<string, string> };
  healthcheck?: { disable?: boolean; test?: string[]; start_period?: string; start_interval?: string };
  networks?: string[];
  scale?: string | number;
  command?: string[];
  ports?: string[];
  env_file?: { path: string; required: boolean }[];
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  profiles?: string[];
}

const servicesOf = (file: string) =>
  (parse(readFileSync(`${root}${file}`, 'utf8'), { merge: true }) as { services: Record<string, Service> }).services;
const services = servicesOf('docker-compose.yml');
const observability = servicesOf('deploy/observability/docker-compose.yml');
const trial = parseEnv(readFileSync(`${root}.env.local-trial`, 'utf8')) as Record<string, string>;
const ours = Object.entries(services).filter(([, { image }]) => image === 'payment-orchestrator');

describe('docker-compose.yml', () => {
  it('builds the image once for all services', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(['api', 'migrate', 'receiver', 'worker']);
    expect(ours.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['migrate']);
    for (const [name, { pull_policy: policy, depends_on: awaited }] of ours) {
      expect(policy).toBe('never');
      if (name !== 'migrate') expect(awaited).toHaveProperty('migrate.condition', 'service_completed_successfully');
    }
  });

  it('publishes ports only on this machine by default', () => {
    const ports = Object.values(services).flatMap(({ ports: published = [] }) => published);
    expect(ports).toEqual([
      '${API_ADDRESS:-127.0.0.1}:${API_PORT:-3000}:3000',
      '127.0.0.1:${RECEIVER_PORT:-4000}:4000',
    ]);
  });

  it.each(Object.keys(services))('limits the memory of %s', (name) => {
    expect(services[name]!.mem_limit).toMatch(/^\d+[mg]$/);
  });

  it.each(Object.entries({ ...services, ...observability }))(
    'limits swap, processes, log and rights of %s',
    (_, service) => {
      const { mem_limit: memory, memswap_limit: withSwap, pids_limit: processes, logging } = service;
      expect(withSwap).toBe(memory);
      expect(processes).toBeGreaterThanOrEqual(64);
      expect(logging?.options).toMatchObject({ 'max-size': expect.stringMatching(/^\d+m$/) });
      expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    },
  );

  it.each(['api', 'worker', 'receiver'])('checks the health of %s as soon as it starts', (name) => {
    expect(services[name]!.healthcheck).toMatchObject({ start_period: '20s', start_interval: '500ms' });
  });

  it('waits with --wait for the health of all lasting services', () => {
    const without = Object.entries(services).filter(([, { healthcheck }]) => healthcheck?.disable ?? !healthcheck);
    expect(without.map(([name]) => name)).toEqual(['migrate']);
  });

  it('uses the number of workers in .env', () => {
    expect(services['worker']!.scale).toBe('${WORKERS:-1}');
  });

  it('lets only the service reach the stores', () => {
    const inside = Object.entries(services).filter(([, { networks }]) => networks?.includes('stores'));
    expect(inside.map(([name]) => name).sort()).toEqual(['api', 'migrate', 'postgres', 'redis', 'worker']);
    for (const store of ['postgres', 'redis']) expect(services[store]!.networks).toEqual(['stores']);
  });

  it.each([
    ['worker', ['BOOTSTRAP_CLIENT_SECRET', 'DOCS_TOKEN', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD']],
    ['migrate', ['BOOTSTRAP_CLIENT_SECRET', 'DOCS_TOKEN', 'ENCRYPTION_KEY', 'JWT_SECRET']],
    ['api', ['POSTGRES_PASSWORD', 'REDIS_PASSWORD']],
  ])('gives %s only the secrets that it needs', (name, secrets) => {
    // .env has all of them, and values set here win
    for (const secret of secrets) expect(services[name]!.environment).toHaveProperty(secret, '');
  });

  it('limits the heaps of API and worker to a share of their memory', () => {
    for (const name of ['api', 'worker'])
      expect(services[name]!.command!.join(' ')).toMatch(/--max-old-space-size-percentage=\d\d /);
  });

  it.each(['api', 'worker', 'migrate'])('gives %s an init and the time to finish', (name) => {
    expect(services[name]).toMatchObject({ init: true, read_only: true });
    expect(Number.parseInt(services[name]!.stop_grace_period!, 10)).toBeGreaterThan(26);
  });

  it('uses only settings of .env.example', () => {
    const set = ['api', 'worker', 'migrate'].flatMap((name) => Object.keys(services[name]!.environment!));
    const passwords = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD']; // of make-env.sh, for the URLs
    expect(set.filter((name) => !settingNames.includes(name) && !passwords.includes(name))).toEqual([]);
  });

  it('includes a receiver, and access to it, only in a trial', () => {
    expect(services['receiver']!.profiles).toEqual([trial['COMPOSE_PROFILES']]);
    expect(services['worker']!.env_file).toContainEqual({ path: '${FURTHER_SETTINGS:-.env}', required: false });
    expect(trial['FURTHER_SETTINGS']).toBe('.env.local-trial');
    const settings = Object.keys(trial).filter((name) => settingNames.includes(name));
    expect(settings).toEqual(['WEBHOOK_ALLOWED_NETWORKS', 'WEBHOOK_REQUIRE_HTTPS']);
  });
});

function asComposeReadsIt(): void {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'compose-'));
    for (const name of ['docker-compose.yml', '.env.local-trial']) cpSync(root + name, join(folder, name));
    execFileSync('sh', [`${root}scripts/make-env.sh`], { cwd: folder, stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const config = (...envFiles: string[]) => {
    const flags = envFiles.flatMap((name) => ['--env-file', name]);
    const text = execFileSync('docker', ['compose', ...flags, 'config', '--format', 'json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return JSON.parse(text) as { services: Record<string, Service> };
  };

  it('starts no receiver, and keeps webhooks from private networks', () => {
    const { services: read } = config('.env');
    expect(Object.keys(read).sort()).toEqual(['api', 'migrate', 'postgres', 'redis', 'worker']);
    expect(read['worker']!.environment).not.toHaveProperty('WEBHOOK_REQUIRE_HTTPS');
  });

  it('starts a receiver for a trial, and lets webhooks reach it', () => {
    const { services: read } = config('.env', '.env.local-trial');
    expect(Object.keys(read)).toContain('receiver');
    for (const name of ['api', 'worker'])
      expect(read[name]!.environment).toMatchObject({ WEBHOOK_REQUIRE_HTTPS: 'false' });
  });
}

describe('docker-compose.yml, resolved by docker compose', () => {
  if (isComposeInstalled) asComposeReadsIt();
  else it('needs docker compose, which was not found: only its YAML was checked', () => undefined);
});
