import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';

const required = {
  DATABASE_URL: 'postgres://user:db-password@localhost/app',
  JWT_SECRET: 'a-secret-for-the-tokens-of-the-tests',
  ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('.env.example', () => {
  const example = parseEnv(readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')) as Record<
    string,
    string
  >;

  it('lists the settings that are read, and no other', () => {
    const read = new Set<string>();
    const recorder = (env: Record<string, string>) =>
      new Proxy(env, {
        get: (target, name: string) => {
          read.add(name);
          return target[name];
        },
      });
    loadConfig(recorder(required));
    expect(Object.keys(example).sort()).toEqual([...read].sort());
  });

  it('holds the defaults, with the embedded PostgreSQL and with another', () => {
    const here = { DATA_DIR: folder };
    expect(loadConfig({ ...example, ...here })).toEqual(loadConfig(here));
    expect(loadConfig({ ...example, ...required })).toEqual(loadConfig(required));
  });

  it('says in a line before each setting what it is', () => {
    const lines = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').split('\n');
    const bare = lines.filter((line, index) => /^\w+=/.test(line) && !lines[index - 1]?.startsWith('# '));
    expect(bare).toEqual([]);
  });
});
