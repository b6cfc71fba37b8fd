import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config/config.js';
import { root } from '../../support/deploy/settings.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-env-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => join(folder, '.env');
const settings = () => parseEnv(readFileSync(file(), 'utf8')) as Record<string, string>;

/** Resolves to the exit code and the text on stderr. */
const makeEnv = (env: Record<string, string> = {}): Promise<{ code: number; stderr: string }> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
    execFile('sh', [`${root}scripts/make-env.sh`], options, (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });

describe('scripts/make-env.sh', () => {
  it('generates secrets that the service accepts and docker-compose.yml needs', async () => {
    expect(await makeEnv()).toEqual({ code: 0, stderr: '' });
    const made = settings();
    const compose = readFileSync(`${root}docker-compose.yml`, 'utf8');
    for (const [, name] of compose.matchAll(/\$\{(\w+):\?/g)) expect(made[name!]!.length).toBeGreaterThan(16);
    const database = { DATABASE_URL: 'postgres://app@localhost/app' };
    expect(loadConfig({ ...made, ...database }).bootstrapClient?.id).toBe('admin');
  });

  it('makes them readable only by the owner', async () => {
    await makeEnv();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('keeps an existing file, and reports that', async () => {
    writeFileSync(file(), 'ENCRYPTION_KEY=the only one\n');
    const { code, stderr } = await makeEnv();
    expect([code, stderr]).toEqual([1, expect.stringContaining('.env exists and was not changed')]);
    expect(readFileSync(file(), 'utf8')).toBe('ENCRYPTION_KEY=the only one\n');
  });

  it('creates one file in concurrent runs, and no other files', async () => {
    const codes = (await Promise.all(Array.from({ length: 5 }, () => makeEnv()))).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 1, 1, 1, 1]);
    expect(Object.keys(settings())).toHaveLength(7);
    expect(readdirSync(folder)).toEqual(['.env']);
  });

  it('creates no file when it fails half-way', async () => {
    writeFileSync(join(folder, 'openssl'), '#!/bin/sh\n[ "$2" = -hex ] && exit 1\necho a-secret\n', { mode: 0o755 });
    const { code } = await makeEnv({ PATH: `${folder}:${process.env.PATH}` });
    expect(code).not.toBe(0);
    expect(readdirSync(folder)).toEqual(['openssl']);
  });
});
