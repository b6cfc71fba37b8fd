import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { loadConfig } from './config.js';

const required = {
  DATABASE_URL: 'postgres://user:db-password@localhost/app',
  JWT_SECRET: 'a-secret-for-the-tokens-of-the-tests',
  ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
};

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('loadConfig in embedded mode', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(folder, 'data-'));
  });

  it('listens on loopback and allows webhooks only to this machine', () => {
    const config = loadConfig({ DATA_DIR: dataDir, DATABASE_URL: '' });
    expect(config).toMatchObject({ databaseUrl: undefined, host: '127.0.0.1', webhookRequireHttps: false, dataDir });
    expect(config.webhookAllowedNetworks.check('127.0.0.1')).toBe(true);
    expect(config.webhookAllowedNetworks.check('::1', 'ipv6')).toBe(true);
    expect(config.webhookAllowedNetworks.check('10.0.0.1')).toBe(false);
  });

  const secretsOf = (env: Record<string, string>) => {
    const { jwtKeys, encryptionKeys } = loadConfig(env);
    return [jwtKeys[0]!.key.export().toString(), encryptionKeys[0]!.toString('base64')];
  };

  it('generates secrets once, readable only by the owner', () => {
    const env = { DATA_DIR: join(dataDir, 'not', 'yet', 'there') };
    const first = secretsOf(env);
    expect(secretsOf(env)).toEqual(first);
    expect(new Set(first).size).toBe(2);
    expect(secretsOf({ DATA_DIR: dataDir })).not.toEqual(first);
    expect(readdirSync(env.DATA_DIR)).toEqual(['secrets.json']);
    expect(statSync(join(env.DATA_DIR, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('prefers given secrets', () => {
    const { JWT_SECRET, ENCRYPTION_KEY } = required;
    expect(secretsOf({ DATA_DIR: dataDir, JWT_SECRET, ENCRYPTION_KEY })).toEqual([JWT_SECRET, ENCRYPTION_KEY]);
    expect(loadConfig({ DATA_DIR: dataDir, JWT_PRIVATE_KEY: rsa }).jwtKeys).toHaveLength(1);
  });

  it('returns the same secrets to processes that start together', async () => {
    // these run outside of Jest's transform
    for (const name of ['config-error', 'secrets']) {
      const source = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');
      const { code } = transformSync(source, {
        swcrc: false,
        module: { type: 'es6' },
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      });
      writeFileSync(join(folder, `${name}.js`), code);
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const script = `import { generatedSecrets } from ${JSON.stringify(join(folder, 'secrets.js'))};
      while (Date.now() < ${Date.now() + 700});
      console.log(JSON.stringify(generatedSecrets(${JSON.stringify(dataDir)})));`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const outputs = await Promise.all([run(), run(), run()]);
    expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(['secrets.json']);
  });

  it.each(['', '{"jwtSecret":"hunter2', '{"jwtSecret":"hunter2"}', 'null'])(
    'refuses a damaged secrets.json without showing it: %j',
    (text) => {
      writeFileSync(join(dataDir, 'secrets.json'), text);
      const message = `DATA_DIR: got ${dataDir} with a damaged secrets.json, takes a folder with a complete secrets.json`;
      expect(() => loadConfig({ DATA_DIR: dataDir })).toThrow(new Error(message));
    },
  );

  it('names DATA_DIR when the folder cannot be created', () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    const message = `DATA_DIR: got ${file}/x (ENOTDIR), takes a folder that this process may read and write`;
    expect(() => loadConfig({ DATA_DIR: join(file, 'x') })).toThrow(new Error(message));
  });
});
