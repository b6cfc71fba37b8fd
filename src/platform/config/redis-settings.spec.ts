import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority } from '../../../test/support/servers/hostile-certificates.js';
import { EnvReader } from './env-reader.js';
import { redisSettings } from './redis-settings.js';

type Env = Record<string, string | undefined>;
const settings = (env: Env) => redisSettings(new EnvReader(env));

const NO_CREDENTIALS = { username: undefined, password: undefined, tls: undefined };
const PUBLIC_TLS = { ca: undefined, cert: undefined, key: undefined };
const URL_PARTS = 'redis://[user:password@]host[:port][/database], or rediss:// likewise';
const LIST = 'host:port, several separated by commas';
const SENTINELS = { REDIS_SENTINELS: 'a:26379', REDIS_SENTINEL_MASTER: 'payments' };
const CLUSTER = { REDIS_CLUSTER_NODES: 'a:6379' };

let folder: string;
const files = { ca: '', cert: '', key: '' };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redis-settings-'));
  const authority = createAuthority('test');
  const texts = { ca: authority.cert, ...authority.issue({ names: ['client'] }) };
  for (const [name, text] of Object.entries(texts)) {
    files[name as keyof typeof files] = join(folder, name);
    writeFileSync(join(folder, name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('redisSettings', () => {
  it('returns undefined without a location, also when the environment has passwords', () => {
    expect(settings({ REDIS_USERNAME: 'app', REDIS_PASSWORD: 'secret' })).toBeUndefined();
  });

  it.each([
    ['redis://localhost', { host: 'localhost', port: 6379, db: 0 }],
    ['redis://localhost:6380/3', { host: 'localhost', port: 6380, db: 3 }],
    ['redis://[::1]', { host: '::1', port: 6379, db: 0 }],
    ['redis://:a%40b@h/', { host: 'h', port: 6379, db: 0, password: 'a@b' }],
    ['redis://app:secret@h', { host: 'h', port: 6379, db: 0, username: 'app', password: 'secret' }],
    ['rediss://h', { host: 'h', port: 6379, db: 0, tls: PUBLIC_TLS }],
  ])('reads the server from %s', (url, expected) => {
    expect(settings({ REDIS_URL: url })).toEqual({ kind: 'server', ...NO_CREDENTIALS, ...expected });
  });

  it('reads user and password in addition to the URL, and accepts equal ones in both', () => {
    const credentials = { REDIS_USERNAME: 'app', REDIS_PASSWORD: 'secret' };
    for (const url of ['redis://h', 'redis://app@h', 'redis://app:secret@h']) {
      expect(settings({ REDIS_URL: url, ...credentials })).toMatchObject({ username: 'app', password: 'secret' });
    }
  });

  it('reads sentinels with their own credentials', () => {
    const env = {
      REDIS_SENTINELS: 'sentinel-1:26379, 10.0.0.2:26380,[::1]:26381',
      REDIS_SENTINEL_MASTER: 'payments',
      REDIS_SENTINEL_PASSWORD: 'of-the-sentinels',
      REDIS_USERNAME: 'app',
      REDIS_PASSWORD: 'secret',
      REDIS_DB: '2',
      REDIS_TLS: 'true',
    };
    expect(settings(env)).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'sentinel-1', port: 26379 },
        { host: '10.0.0.2', port: 26380 },
        { host: '::1', port: 26381 },
      ],
      master: 'payments',
      db: 2,
      username: 'app',
      password: 'secret',
      sentinel: { username: undefined, password: 'of-the-sentinels' },
      tls: PUBLIC_TLS,
    });
  });

  it('reads nodes of a cluster', () => {
    const nodes = [{ host: 'node_1.redis', port: 7000 }];
    expect(settings({ REDIS_CLUSTER_NODES: 'node_1.redis:7000' })).toEqual({
      kind: 'cluster',
      nodes,
      ...NO_CREDENTIALS,
    });
  });

  it('reads certificates and the key from their files', () => {
    const tls = { REDIS_TLS_CA_FILE: files.ca, REDIS_TLS_CERT_FILE: files.cert, REDIS_TLS_KEY_FILE: files.key };
    const read = settings({ REDIS_URL: 'rediss://h', ...tls })?.tls;
    expect(read?.ca).toMatch(/^-----BEGIN CERTIFICATE/);
    expect(read?.cert).toMatch(/^-----BEGIN CERTIFICATE/);
    expect(read?.key).toMatch(/^-----BEGIN PRIVATE KEY/);
  });
});

/** The setting, the texts of the message after "got" and "takes", and the settings. */
type BadCase = [setting: string, got: string, takes: string, env: () => Env];

const TLS_LOCATIONS = 'a value only together with REDIS_URL, REDIS_SENTINELS, REDIS_CLUSTER_NODES';
const ONE_OF = 'a value in only one of REDIS_URL, REDIS_SENTINELS, REDIS_CLUSTER_NODES';
const CERTIFICATES = 'the path of a file of certificates in PEM';
const PRIVATE_KEY = 'the path of a file of a private key in PEM, without a passphrase';
const url = (value: string, others: Env = {}) => ({ REDIS_URL: value, ...others });

const badCases: BadCase[] = [
  ['REDIS_URL', 'a URL without a host', URL_PARTS, () => url('redis:///1')],
  ['REDIS_URL', 'a URL with more than a database', URL_PARTS, () => url('redis://:hunter2@h?db=1')],
  ['REDIS_URL', 'a URL whose path is not a database number', URL_PARTS, () => url('redis://h/hunter2')],
  ['REDIS_URL', 'a user or password that is not percent-encoded', URL_PARTS, () => url('redis://:%hunter2@h')],
  ['REDIS_SENTINELS', 'a value together with REDIS_URL', ONE_OF, () => url('redis://h', SENTINELS)],
  ['REDIS_CLUSTER_NODES', 'a value together with REDIS_SENTINELS', ONE_OF, () => ({ ...SENTINELS, ...CLUSTER })],
  ['REDIS_SENTINELS', `'a'`, LIST, () => ({ ...SENTINELS, REDIS_SENTINELS: 'b:1,a' })],
  ['REDIS_SENTINELS', `''`, LIST, () => ({ ...SENTINELS, REDIS_SENTINELS: 'b:1,' })],
  ['REDIS_CLUSTER_NODES', `'a:65536'`, LIST, () => ({ REDIS_CLUSTER_NODES: 'a:65536' })],
  ['REDIS_CLUSTER_NODES', 'something else', LIST, () => ({ REDIS_CLUSTER_NODES: 'redis://:hunter2@a:1' })],
  [
    'REDIS_SENTINEL_MASTER',
    'nothing',
    "the master's name, as REDIS_SENTINELS is set",
    () => ({ REDIS_SENTINELS: 'a:1' }),
  ],
  ...['REDIS_SENTINEL_MASTER', 'REDIS_SENTINEL_USERNAME', 'REDIS_SENTINEL_PASSWORD', 'REDIS_DB'].map(
    (name): BadCase => [
      name,
      'a value together with REDIS_URL',
      'a value only together with REDIS_SENTINELS',
      () => url('redis://h', { [name]: 'hunter2' }),
    ],
  ),
  ['REDIS_DB', `'x'`, 'an integer from 0 to 65535', () => ({ ...SENTINELS, REDIS_DB: 'x' })],
  ['REDIS_TLS', 'a value without a Redis', TLS_LOCATIONS, () => ({ REDIS_TLS: 'true' })],
  ['REDIS_TLS_CA_FILE', 'a value without a Redis', TLS_LOCATIONS, () => ({ REDIS_TLS_CA_FILE: files.ca })],
  ['REDIS_TLS', `'yes'`, 'one of true, false', () => ({ ...CLUSTER, REDIS_TLS: 'yes' })],
  [
    'REDIS_TLS',
    `'true' together with redis://`,
    'false, as REDIS_URL says, or nothing',
    () => url('redis://h', { REDIS_TLS: 'true' }),
  ],
  [
    'REDIS_TLS',
    `'false' together with rediss://`,
    'true, as REDIS_URL says, or nothing',
    () => url('rediss://h', { REDIS_TLS: 'false' }),
  ],
  [
    'REDIS_TLS_CA_FILE',
    'a file without TLS',
    'a file together with rediss:// or REDIS_TLS=true',
    () => ({ ...CLUSTER, REDIS_TLS_CA_FILE: files.ca }),
  ],
  [
    'REDIS_TLS_CA_FILE',
    `'/none', which cannot be read (ENOENT)`,
    CERTIFICATES,
    () => url('rediss://h', { REDIS_TLS_CA_FILE: '/none' }),
  ],
  [
    'REDIS_TLS_CA_FILE',
    'a file with other content',
    CERTIFICATES,
    () => url('rediss://h', { REDIS_TLS_CA_FILE: files.key }),
  ],
  [
    'REDIS_TLS_KEY_FILE',
    'nothing',
    `${PRIVATE_KEY}, as REDIS_TLS_CERT_FILE is set`,
    () => url('rediss://h', { REDIS_TLS_CERT_FILE: files.cert }),
  ],
  [
    'REDIS_TLS_CERT_FILE',
    'nothing',
    `${CERTIFICATES}, as REDIS_TLS_KEY_FILE is set`,
    () => url('rediss://h', { REDIS_TLS_KEY_FILE: files.key }),
  ],
  ['REDIS_PASSWORD', 'nothing', 'a password, as there is a user', () => url('redis://app@h')],
  ['REDIS_PASSWORD', 'nothing', 'a password, as there is a user', () => ({ ...CLUSTER, REDIS_USERNAME: 'app' })],
  [
    'REDIS_SENTINEL_PASSWORD',
    'nothing',
    'a password, as there is a user',
    () => ({ ...SENTINELS, REDIS_SENTINEL_USERNAME: 'app' }),
  ],
  [
    'REDIS_PASSWORD',
    'a value that differs from REDIS_URL',
    'the same value as in REDIS_URL, or nothing',
    () => url('redis://:hunter2@h', { REDIS_PASSWORD: 'hunter3' }),
  ],
  [
    'REDIS_USERNAME',
    'a value that differs from REDIS_URL',
    'the same value as in REDIS_URL, or nothing',
    () => url('redis://app:hunter2@h', { REDIS_USERNAME: 'other' }),
  ],
];

describe('redisSettings with a bad setting', () => {
  it.each(badCases)('reports %s: got %s, takes %s', (setting, got, takes, env) => {
    expect(() => settings(env())).toThrow(`${setting}: got ${got}, takes ${takes}`);
  });

  it('never shows a password', () => {
    const messages = badCases.map(([, , , env]) => {
      try {
        return void settings(env());
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(messages.join('\n')).not.toMatch(/hunter/);
  });
});
