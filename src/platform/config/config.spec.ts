import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';
import { ConfigError } from './env-reader.js';

const required = {
  DATABASE_URL: 'postgres://user:db-password@localhost/app',
  JWT_SECRET: 'a-secret-for-the-tokens-of-the-tests',
  ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
};
const pem = (type: 'rsa' | 'ec' | 'ed25519', options: object = {}) =>
  generateKeyPairSync(type as 'rsa', { ...(options as { modulusLength: number }) })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
const rsa = pem('rsa', { modulusLength: 2048 });
const p256 = pem('ec', { namedCurve: 'P-256' });
const publicPem = createPublicKey(rsa).export({ type: 'spki', format: 'pem' }).toString();
/** What `openssl ecparam -genkey` writes before the key itself. */
const EC_PARAMETERS = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function errorOf(env: Record<string, string | undefined>): ConfigError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

const POSTGRES = 'a URL that starts with postgres:// or postgresql://';
const REDIS = 'a URL that starts with redis:// or rediss://';
const HTTP = 'a URL that starts with https:// or http://';
const KEYS = '32 bytes in base64 (openssl rand -base64 32), older keys after commas';
const PEM = 'a PEM private key, RSA of at least 2048 bits or EC P-256, older keys after it';
const SECRETS = 'at least 32 characters, older secrets after commas';
const RANDOM = 'random characters (openssl rand -base64 48)';
const JWKS = 'https://, or http:// on this machine (localhost, 127.0.0.0/8, ::1)';
const ISSUER = { AUTH_ISSUER: 'https://idp.example/', AUTH_AUDIENCE: 'payments' };
const CIDRS = 'CIDRs such as 10.0.0.0/8,::1/128';
const integer = (min: number, max: number) => `an integer from ${min} to ${max}`;

/** setting, bad value, what the message says it got, what it takes; further settings that the case needs. */
type BadValue = [setting: string, value: string | undefined, got: string, takes: string, others?: object];

const badIntegers = (setting: string, min: number, max: number): BadValue[] =>
  ['x', '1.5', '1e3', ' 5', '0x10', String(min - 1), String(max + 1), '9'.repeat(30)].map((value) => [
    setting,
    value,
    `'${value}'`,
    integer(min, max),
  ]);

const badValues: BadValue[] = [
  ...badIntegers('PORT', 0, 65_535),
  ...badIntegers('WORKER_PORT', 0, 65_535),
  ...badIntegers('MANAGEMENT_PORT', 0, 65_535),
  ...badIntegers('DATABASE_POOL_SIZE', 2, 200),
  ...badIntegers('RATE_LIMIT_PER_SECOND', 0, 1_000_000),
  ...badIntegers('TOKEN_RATE_LIMIT_PER_MINUTE', 0, 1_000_000),
  ...badIntegers('NOTIFICATION_RATE_LIMIT_PER_SECOND', 0, 1_000_000),
  ...badIntegers('MAX_IGNORED_NOTIFICATIONS_PER_DAY', 0, 100_000_000),
  ...badIntegers('MAX_SHOPS_PER_MERCHANT', 1, 1_000_000),
  ...badIntegers('MAX_FLOWS_PER_MERCHANT', 1, 1_000_000),
  ...badIntegers('AUTH_JWKS_MAX_AGE', 1, 86_400),
  ...badIntegers('HTTP_MAX_CONNECTIONS', 1, 1_000_000),
  ...badIntegers('HTTP_MAX_CONNECTIONS_PER_ADDRESS', 0, 1_000_000),
  ...badIntegers('PROVIDER_TIMEOUT_MS', 1, 60_000),
  ...badIntegers('WEBHOOK_TIMEOUT_MS', 1, 60_000),
  ...badIntegers('WORKER_CONCURRENCY', 1, 5_000),
  ...badIntegers('RETENTION_DELIVERIES_DAYS', 0, 36_500),
  ...badIntegers('RETENTION_ATTEMPTS_DAYS', 0, 36_500),
  ...badIntegers('RETENTION_NOTIFICATIONS_DAYS', 0, 36_500),
  ...badIntegers('RETENTION_IDEMPOTENCY_KEYS_DAYS', 1, 365),
  ['TRUST_PROXY', '1', `'1'`, CIDRS],
  ['TRUST_PROXY', 'true', `'true'`, CIDRS],
  ...['0.0.0.0/0', '10.0.0.1/8,0.0.0.0/0', '::/0', '128.0.0.0/1', '2000::/3'].map((value): BadValue => [
    'TRUST_PROXY',
    value,
    `'${value.split(',').at(-1)}'`,
    'networks no wider than /8, in IPv6 /7',
  ]),
  ['PORT', '30\n00', `'30 00'`, integer(0, 65_535)],
  ['PROVIDER_RECOVERY_DELAYS_MS', '10,', `''`, integer(1, 86_400_000)],
  ['PROVIDER_RECOVERY_DELAYS_MS', '0', `'0'`, integer(1, 86_400_000)],
  ['WEBHOOK_RETRY_DELAYS_MS', '10,', `''`, integer(0, 86_400_000)],
  ['WEBHOOK_RETRY_DELAYS_MS', '10;20', `'10;20'`, integer(0, 86_400_000)],
  ['WEBHOOK_RETRY_DELAYS_MS', '10,-1', `'-1'`, integer(0, 86_400_000)],
  ['WEBHOOK_RETRY_DELAYS_MS', '86400001', `'86400001'`, integer(0, 86_400_000)],
  ['HOST', 'http://localhost', `'http://localhost'`, 'an IP address or a host name'],
  ['HOST', '127.0.0.1:80', `'127.0.0.1:80'`, 'an IP address or a host name'],
  ['LOG_LEVEL', 'verbose', `'verbose'`, 'one of fatal, error, warn, info, debug, trace, silent'],
  ['LOG_LEVEL', 'INFO', `'INFO'`, 'one of fatal, error, warn, info, debug, trace, silent'],
  ['WEBHOOK_REQUIRE_HTTPS', 'yes', `'yes'`, 'one of true, false'],
  ['DATABASE_URL', 'localhost', 'something that is no URL', POSTGRES],
  ['DATABASE_URL', 'db-user:hunter2@localhost/app', 'something that is no URL', POSTGRES],
  ['DATABASE_URL', 'postgres:app', 'something that is no URL', POSTGRES],
  ['DATABASE_URL', 'mysql://root:hunter2@localhost/app', 'a URL that starts with mysql://', POSTGRES],
  ['REDIS_URL', 'localhost:6379', 'something that is no URL', REDIS],
  ['REDIS_URL', 'http://:hunter2@localhost', 'a URL that starts with http://', REDIS],
  ['JWT_SECRET', undefined, 'nothing', 'a secret of at least 32 characters'],
  ['JWT_SECRET', '', 'nothing', 'a secret of at least 32 characters'],
  ['JWT_SECRET', 'hunter2', '7 characters', SECRETS],
  ['JWT_SECRET', `${required.JWT_SECRET},hunter2`, '7 characters', SECRETS],
  ['JWT_SECRET', `${required.JWT_SECRET}, `, '0 characters', SECRETS],
  ['JWT_SECRET', 'a'.repeat(40), 'only 1 different characters', RANDOM],
  ['JWT_SECRET', 'ab12'.repeat(10), 'only 4 different characters', RANDOM],
  ['JWT_SECRET', 'hunter2-'.repeat(5).slice(0, 38), 'one piece over and over', RANDOM],
  ['JWT_SECRET', `hunter2-hunter2-ChangeMe-2026-${'x'.repeat(9)}`, 'a placeholder', RANDOM],
  ['JWT_SECRET', `${required.JWT_SECRET},${'a'.repeat(40)}`, 'only 1 different characters', RANDOM],
  ['JWT_PRIVATE_KEY', 'hunter2', 'something that is no private key', PEM],
  ['JWT_PRIVATE_KEY', `${rsa}${p256.slice(0, 60)}`, 'something that is no private key', PEM],
  ['JWT_PRIVATE_KEY', `${rsa}${publicPem}`, 'something that is no private key', PEM],
  ['JWT_PRIVATE_KEY', EC_PARAMETERS, 'something that is no private key', PEM],
  ['JWT_PRIVATE_KEY', pem('rsa', { modulusLength: 1024 }), 'a key of type rsa', PEM],
  ['JWT_PRIVATE_KEY', pem('ec', { namedCurve: 'P-384' }), 'a key of type ec', PEM],
  ['JWT_PRIVATE_KEY', pem('ed25519'), 'a key of type ed25519', PEM],
  ['ENCRYPTION_KEY', undefined, 'nothing', KEYS],
  ['ENCRYPTION_KEY', 'hunter2!', 'a key not in base64', KEYS],
  ['ENCRYPTION_KEY', Buffer.alloc(16).toString('base64'), 'a key of 16 bytes', KEYS],
  ['ENCRYPTION_KEY', `${required.ENCRYPTION_KEY},`, 'a key of 0 bytes', KEYS],
  ['ENCRYPTION_KEY', Buffer.from(required.ENCRYPTION_KEY, 'base64').toString('hex'), 'a key of 48 bytes', KEYS],
  ['ENCRYPTION_KEY', Buffer.alloc(32).toString('base64'), 'only 1 different characters', KEYS],
  ['ENCRYPTION_KEY', Buffer.from('hunter2!'.repeat(4)).toString('base64'), 'one piece over and over', KEYS],
  ...['http://idp.example/jwks', 'http://hunter2:x@idp.example', 'http://idp.example:80/?k=hunter2'].map(
    (value): BadValue => ['AUTH_JWKS_URL', value, 'a URL that starts with http:// on idp.example', JWKS, ISSUER],
  ),
  [
    'AUTH_JWKS_URL',
    'http://127.0.0.1.idp.example',
    'a URL that starts with http:// on 127.0.0.1.idp.example',
    JWKS,
    ISSUER,
  ],
  ['AUTH_JWKS_URL', 'idp.example', 'something that is no URL', HTTP],
  ['STRIPE_API_BASE', 'http://stripe.example', 'a URL that starts with http:// on stripe.example', JWKS],
  ['STRIPE_API_BASE', 'https://stripe.example/v1', 'a URL with more than an origin', 'scheme, host and port alone'],
  ['PUBLIC_URL', 'pay.example', 'something that is no URL', HTTP],
  ['PUBLIC_URL', 'ftp://pay.example', 'a URL that starts with ftp://', HTTP],
  ['PUBLIC_URL', 'http://pay.example', 'a URL that starts with http:// on pay.example', JWKS],
  ...['https://hunter2:x@pay.example', 'https://pay.example/?a=1', 'https://pay.example/#a'].map((value): BadValue => {
    return ['PUBLIC_URL', value, 'a URL with more than a path', 'scheme, host, port and path alone'];
  }),
  ['SANDBOX_LEDGER', 'off', `'off'`, 'one of true, false'],
  ['AUTH_JWKS_URL', 'file:///etc/keys', 'a URL that starts with file://', HTTP],
  ['AUTH_JWKS_URL', undefined, 'nothing', 'a URL, as AUTH_ISSUER or AUTH_AUDIENCE is set', { AUTH_ISSUER: 'x' }],
  ['AUTH_JWKS_URL', undefined, 'nothing', 'a URL, as AUTH_ISSUER or AUTH_AUDIENCE is set', { AUTH_AUDIENCE: 'x' }],
  ['AUTH_ISSUER', undefined, 'nothing', 'the issuer, as AUTH_JWKS_URL is set', { AUTH_JWKS_URL: 'https://a' }],
  [
    'AUTH_AUDIENCE',
    undefined,
    'nothing',
    'the audience, as AUTH_JWKS_URL is set',
    { AUTH_JWKS_URL: 'https://a', AUTH_ISSUER: 'x' },
  ],
  [
    'BOOTSTRAP_CLIENT_ID',
    undefined,
    'nothing',
    'a client id, as BOOTSTRAP_CLIENT_SECRET is set',
    { BOOTSTRAP_CLIENT_SECRET: 'hunter2hunter2hunter2' },
  ],
  ['BOOTSTRAP_CLIENT_ID', 'hunter2 !', 'something else', 'up to 100 letters, digits, _ . -'],
  ['BOOTSTRAP_CLIENT_ID', 'a'.repeat(101), 'something else', 'up to 100 letters, digits, _ . -'],
  [
    'BOOTSTRAP_CLIENT_SECRET',
    undefined,
    'nothing',
    'a secret of at least 16 characters',
    { BOOTSTRAP_CLIENT_ID: 'admin' },
  ],
  [
    'BOOTSTRAP_CLIENT_SECRET',
    'hunter2',
    '7 characters',
    'a secret of at least 16 characters',
    { BOOTSTRAP_CLIENT_ID: 'admin' },
  ],
  [
    'BOOTSTRAP_CLIENT_SECRET',
    'hunter2'.repeat(3),
    'one piece over and over',
    'random characters (openssl rand -hex 24)',
    { BOOTSTRAP_CLIENT_ID: 'admin' },
  ],
  ...[
    '10.0.0.0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0/8',
    'localhost/8',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::1%eth0/64',
  ].map((value): BadValue => ['WEBHOOK_ALLOWED_NETWORKS', value, `'${value}'`, CIDRS]),
];

describe('a bad setting', () => {
  it.each(badValues)('%s=%j: got %s, takes %s', (setting, value, got, takes, others = {}) => {
    const error = errorOf({ ...required, ...others, [setting]: value });
    expect(error.setting).toBe(setting);
    expect(error.message).toBe(`${setting}: got ${got}, takes ${takes}`);
    expect(error.message).not.toMatch(/hunter2|db-password|\n|PRIVATE KEY-/);
  });

  it('keeps the message on one line of fewer than 400 characters', () => {
    const { message } = errorOf({ ...required, LOG_LEVEL: `a\r\n\t\u001b[31m${'b'.repeat(10_000)}` });
    // eslint-disable-next-line no-control-regex -- it is about them
    expect(message).not.toMatch(/[\u0000-\u001f]/);
    expect(message.length).toBeLessThan(400);
  });
});

describe('the settings of a server', () => {
  it('have defaults', () => {
    const { jwtKeys, encryptionKeys, trustedProxies, webhookAllowedNetworks, ...plain } = loadConfig(required);
    expect(plain).toEqual({
      port: 3000,
      workerPort: 3001,
      managementPort: undefined,
      host: '0.0.0.0',
      dataDir: join(process.cwd(), '.data'),
      databaseUrl: required.DATABASE_URL,
      databasePoolSize: 10,
      redisUrl: undefined,
      externalIssuer: undefined,
      bootstrapClient: undefined,
      rateLimitPerSecond: 200,
      tokenRateLimitPerMinute: 300,
      notificationRateLimitPerSecond: 100,
      maxIgnoredNotificationsPerDay: 5_000,
      maxShopsPerMerchant: 1_000,
      maxFlowsPerMerchant: 1_000,
      httpMaxConnections: 5_000,
      httpMaxConnectionsPerAddress: 500,
      providerTimeoutMs: 10_000,
      stripeApiBase: undefined,
      providerRecoveryDelaysMs: [5_000, 15_000, 60_000, 300_000, 3_600_000],
      webhookTimeoutMs: 3_000,
      webhookRetryDelaysMs: [10_000, 100_000, 1_000_000],
      webhookRequireHttps: true,
      retentionDays: { deliveries: 90, attempts: 30, notifications: 90, idempotencyKeys: 1 },
      workerConcurrency: 1_024,
      logLevel: 'info',
      sandbox: { ledger: true, notificationUrl: undefined },
    });
    expect(jwtKeys.map(({ algorithm }) => algorithm)).toEqual(['HS256']);
    expect(encryptionKeys).toEqual([Buffer.from(required.ENCRYPTION_KEY, 'base64')]);
    expect(webhookAllowedNetworks.check('127.0.0.1')).toBe(false);
    expect(trustedProxies.check('127.0.0.1')).toBe(false);
  });

  it('are frozen, and touch no file', () => {
    const config = loadConfig({ ...required, DATA_DIR: join(folder, 'untouched') });
    expect(Object.isFrozen(config)).toBe(true);
    expect(readdirSync(folder)).not.toContain('untouched');
  });

  it('take what they are given', () => {
    const older = Buffer.alloc(32, 2);
    const config = loadConfig({
      ...required,
      HOST: '::1',
      PORT: '0',
      DATA_DIR: '/data',
      REDIS_URL: 'rediss://:password@redis:6380/1',
      JWT_PRIVATE_KEY: p256.replaceAll('\n', '\\n'),
      ENCRYPTION_KEY: `${required.ENCRYPTION_KEY}, ${older.toString('base64')}`,
      AUTH_JWKS_URL: 'https://idp.example/jwks',
      AUTH_ISSUER: 'https://idp.example/',
      AUTH_AUDIENCE: 'payments',
      BOOTSTRAP_CLIENT_ID: 'admin',
      BOOTSTRAP_CLIENT_SECRET: 'secret-of-admins',
      WEBHOOK_RETRY_DELAYS_MS: '0, 5',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8',
      WEBHOOK_REQUIRE_HTTPS: 'false',
    });
    expect(config).toMatchObject({
      host: '::1',
      port: 0,
      dataDir: '/data',
      redisUrl: 'rediss://:password@redis:6380/1',
      encryptionKeys: [Buffer.from(required.ENCRYPTION_KEY, 'base64'), older],
      externalIssuer: {
        jwksUrl: 'https://idp.example/jwks',
        issuer: 'https://idp.example/',
        audience: 'payments',
        keysMaxAgeSeconds: 300,
      },
      bootstrapClient: { id: 'admin', secret: 'secret-of-admins' },
      webhookRetryDelaysMs: [0, 5],
      webhookRequireHttps: false,
    });
    expect(config.jwtKeys[0]?.algorithm).toBe('ES256');
    expect(config.webhookAllowedNetworks.check('10.1.2.3')).toBe(true);
    expect(config.webhookAllowedNetworks.check('fd00::1', 'ipv6')).toBe(true);
    expect(config.webhookAllowedNetworks.check('127.0.0.1')).toBe(false);
  });

  describe('for access tokens', () => {
    const keysOf = (env: Record<string, string | undefined>) => loadConfig({ ...required, ...env }).jwtKeys;
    const algorithmsOf = (env: Record<string, string | undefined>) => keysOf(env).map(({ algorithm }) => algorithm);

    it('sign with the private key rather than the secret, which still verifies', () => {
      expect(algorithmsOf({ JWT_PRIVATE_KEY: rsa })).toEqual(['RS256', 'HS256']);
      expect(algorithmsOf({ JWT_PRIVATE_KEY: rsa, JWT_SECRET: undefined })).toEqual(['RS256']);
    });

    it('take several secrets, the newest first', () => {
      const newer = 'another-secret-for-the-tokens-of-the-tests';
      const secrets = keysOf({ JWT_SECRET: `${newer}, ${required.JWT_SECRET}` });
      expect(secrets.map(({ key }) => key.export().toString())).toEqual([newer, required.JWT_SECRET]);
    });

    it.each([
      ['as they stand', `${p256}${rsa}`],
      ['on one line', `${p256}${rsa}`.replaceAll('\n', '\\n')],
      ['with what openssl puts before a key', `${EC_PARAMETERS}${p256}Bag Attributes\n    friendlyName: x\n${rsa}\n\n`],
    ])('take several private keys, the newest first, %s', (_, JWT_PRIVATE_KEY) => {
      const keys = keysOf({ JWT_PRIVATE_KEY, JWT_SECRET: undefined });
      expect(keys.map(({ algorithm }) => algorithm)).toEqual(['ES256', 'RS256']);
      expect(keys.map(({ key }) => key.export({ type: 'pkcs8', format: 'pem' }))).toEqual([p256, rsa]);
    });
  });

  it('take a weak encryption key behind a strong one, so that it can be rotated away', () => {
    const weak = Buffer.alloc(32);
    const keys = `${required.ENCRYPTION_KEY},${weak.toString('base64')}`;
    expect(loadConfig({ ...required, ENCRYPTION_KEY: keys }).encryptionKeys[1]).toEqual(weak);
  });

  it.each(['http://localhost:8080/jwks', 'http://127.0.0.2/jwks', 'http://[::1]:1/jwks'])(
    'take keys of an outside issuer over http from this machine: %s',
    (AUTH_JWKS_URL) => {
      const config = loadConfig({ ...required, ...ISSUER, AUTH_JWKS_URL });
      expect(config.externalIssuer?.jwksUrl).toBe(AUTH_JWKS_URL);
    },
  );

  it('trust the networks that proxies stand in', () => {
    const { trustedProxies } = loadConfig({ ...required, TRUST_PROXY: '10.0.0.0/8,fc00::/7' });
    expect([trustedProxies.check('10.1.2.3'), trustedProxies.check('fd00::1', 'ipv6')]).toEqual([true, true]);
  });

  it('take a URL without a host, for a socket', () => {
    const url = 'postgresql:///app?host=/var/run/postgresql';
    expect(loadConfig({ ...required, DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});
