import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root, settingNames } from '../../support/deploy/settings.js';
import { isComposeHere } from '../../support/deploy/compose.js';

interface Service {
  image: string;
  build?: string;
  pull_policy?: string;
  init?: boolean;
  read_only?: boolean;
  stop_grace_period?: string;
  mem_limit?: string;
  command?: string[];
  ports?: string[];
  env_file?: { path: string; required: boolean }[];
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  profiles?: string[];
}

const { services } = parse(readFileSync(`${root}docker-compose.yml`, 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
};
const trial = parseEnv(readFileSync(`${root}.env.local-trial`, 'utf8')) as Record<string, string>;
const ours = Object.entries(services).filter(([, { image }]) => image === 'payment-orchestrator');

describe('docker-compose.yml', () => {
  it('builds the image once, for whatever is started', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(['api', 'migrate', 'receiver', 'worker']);
    expect(ours.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['migrate']);
    for (const [name, { pull_policy: policy, depends_on: awaited }] of ours) {
      expect(policy).toBe('never');
      if (name !== 'migrate') expect(awaited).toHaveProperty('migrate.condition', 'service_completed_successfully');
    }
  });

  it('publishes on this machine alone unless told otherwise', () => {
    const ports = Object.values(services).flatMap(({ ports: published = [] }) => published);
    expect(ports).toEqual([
      '${API_ADDRESS:-127.0.0.1}:${API_PORT:-3000}:3000',
      '127.0.0.1:${RECEIVER_PORT:-4000}:4000',
    ]);
  });

  it.each(Object.keys(services))('bounds the memory of %s', (name) => {
    expect(services[name]!.mem_limit).toMatch(/^\d+[mg]$/);
  });

  it('bounds the heaps of API and worker by their share of it', () => {
    for (const name of ['api', 'worker'])
      expect(services[name]!.command!.join(' ')).toMatch(/--max-old-space-size-percentage=\d\d /);
  });

  it.each(['api', 'worker', 'migrate'])('gives %s an init and the time to finish', (name) => {
    expect(services[name]).toMatchObject({ init: true, read_only: true });
    expect(Number.parseInt(services[name]!.stop_grace_period!, 10)).toBeGreaterThan(26);
  });

  it('sets settings of .env.example alone', () => {
    const set = ['api', 'worker', 'migrate'].flatMap((name) => Object.keys(services[name]!.environment!));
    expect(set.filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  it('has its receiver, and what lets webhooks reach it, in a trial alone', () => {
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

describe('docker-compose.yml as docker compose reads it', () => {
  if (isComposeHere) asComposeReadsIt();
  else it('is not looked at: docker compose not found, its YAML alone was checked', () => undefined);
});
