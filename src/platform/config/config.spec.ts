import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
const pem = ({ privateKey }: { privateKey: KeyObject }) => String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }));
const p256 = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
/** The block that `openssl ecparam -genkey` writes before the key itself. */
const EC_PARAMETERS = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('loadConfig with DATABASE_URL', () => {
  it('returns defaults', () => {
    const { jwtKeys, encryptionKeys, trustedProxies, webhookAllowedNetworks, ...plain } = loadConfig(required);
    expect(plain).toEqual({
      port: 3000,
      workerPort: 3001,
      managementPort: undefined,
      routeTokens: { metrics: undefined, docs: undefined },
      host: '0.0.0.0',
      dataDir: join(process.cwd(), '.data'),
      databaseUrl: required.DATABASE_URL,
      databasePoolSize: 10,
      databaseMaxLifetimeSeconds: 1_800,
      databaseReplicaMaxLagMs: 5_000,
      redis: undefined,
      externalIssuer: undefined,
      bootstrapClient: undefined,
      rateLimitPerSecond: 200,
      tokenRateLimitPerMinute: 300,
      notificationRateLimitPerSecond: 100,
      maxIgnoredNotificationsPerDay: 5_000,
      maxShopsPerMerchant: 1_000,
      maxWebhookEndpointsPerMerchant: 50,
      maxFlowsPerMerchant: 1_000,
      flowActivationApprovals: 0,
      httpMaxConnections: 5_000,
      httpMaxConnectionsPerAddress: 500,
      proxyHeader: 'x-forwarded-for',
      providerTimeoutMs: 10_000,
      providerModules: [],
      onAbsentProvider: 'refuse',
      absentProviders: [],
      connectorSettings: { SANDBOX_LEDGER: 'true' },
      providerRecoveryDelaysMs: [5_000, 15_000, 60_000, 300_000, 3_600_000],
      webhookTimeoutMs: 3_000,
      webhookRetryDelaysMs: [10_000, 100_000, 1_000_000],
      redeliveriesPerSecond: 50,
      endpointDisabledAfterHours: 120,
      redeliversOnRecovery: true,
      webhookRequireHttps: true,
      retentionDays: { deliveries: 90, attempts: 30, notifications: 90, idempotencyKeys: 7, payments: 0, audit: 0 },
      archiveDir: undefined,
      workerConcurrency: 1_024,
      logLevel: 'info',
      console: { isServed: true, oidc: undefined },
      tracing: undefined,
      sandbox: { notificationUrl: undefined },
    });
    expect(jwtKeys.map(({ algorithm }) => algorithm)).toEqual(['HS256']);
    expect(encryptionKeys).toEqual([Buffer.from(required.ENCRYPTION_KEY, 'base64')]);
    expect(webhookAllowedNetworks.check('127.0.0.1')).toBe(false);
    expect(trustedProxies.check('127.0.0.1')).toBe(false);
  });

  it('returns a frozen object and writes no file', () => {
    const config = loadConfig({ ...required, DATA_DIR: join(folder, 'untouched') });
    expect(Object.isFrozen(config)).toBe(true);
    expect(readdirSync(folder)).not.toContain('untouched');
  });

  it('returns the given values', () => {
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
      redis: {
        kind: 'server',
        host: 'redis',
        port: 6380,
        db: 1,
        username: undefined,
        password: 'password',
        tls: { ca: undefined, cert: undefined, key: undefined },
      },
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

  it('reads tracing settings under OpenTelemetry’s names', () => {
    const { tracing } = loadConfig({
      ...required,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key==, x-team=payments',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
      OTEL_SERVICE_NAME: 'payments-api',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    expect(tracing).toEqual({
      url: 'http://collector:4318/otlp/v1/traces',
      headers: { 'api-key': 'a key==', 'x-team': 'payments' },
      sampler: 'parentbased_traceidratio',
      samplerRatio: 0.25,
      serviceName: 'payments-api',
      resourceAttributes: { 'deployment.environment.name': 'test' },
    });
  });

  describe('for access tokens', () => {
    const keysOf = (env: Record<string, string | undefined>) => loadConfig({ ...required, ...env }).jwtKeys;
    const algorithmsOf = (env: Record<string, string | undefined>) => keysOf(env).map(({ algorithm }) => algorithm);

    it('signs with the private key, and still verifies with the secret', () => {
      expect(algorithmsOf({ JWT_PRIVATE_KEY: rsa })).toEqual(['RS256', 'HS256']);
      expect(algorithmsOf({ JWT_PRIVATE_KEY: rsa, JWT_SECRET: undefined })).toEqual(['RS256']);
    });

    it('reads several secrets, the newest first', () => {
      const newer = 'another-secret-for-the-tokens-of-the-tests';
      const secrets = keysOf({ JWT_SECRET: `${newer}, ${required.JWT_SECRET}` });
      expect(secrets.map(({ key }) => key.export().toString())).toEqual([newer, required.JWT_SECRET]);
    });

    it.each([
      ['unchanged', `${p256}${rsa}`],
      ['on one line', `${p256}${rsa}`.replaceAll('\n', '\\n')],
      [
        'with the blocks that openssl writes before a key',
        `${EC_PARAMETERS}${p256}Bag Attributes\n    friendlyName: x\n${rsa}\n\n`,
      ],
    ])('reads several private keys, the newest first, %s', (_, JWT_PRIVATE_KEY) => {
      const keys = keysOf({ JWT_PRIVATE_KEY, JWT_SECRET: undefined });
      expect(keys.map(({ algorithm }) => algorithm)).toEqual(['ES256', 'RS256']);
      expect(keys.map(({ key }) => key.export({ type: 'pkcs8', format: 'pem' }))).toEqual([p256, rsa]);
    });
  });

  it('accepts a weak encryption key after a strong one, so that it can be rotated', () => {
    const weak = Buffer.alloc(32);
    const keys = `${required.ENCRYPTION_KEY},${weak.toString('base64')}`;
    expect(loadConfig({ ...required, ENCRYPTION_KEY: keys }).encryptionKeys[1]).toEqual(weak);
  });

  it.each(['http://localhost:8080/jwks', 'http://127.0.0.2/jwks', 'http://[::1]:1/jwks'])(
    'accepts keys of an external issuer over http from this machine: %s',
    (AUTH_JWKS_URL) => {
      const issuer = { AUTH_ISSUER: 'https://idp.example/', AUTH_AUDIENCE: 'payments', AUTH_JWKS_URL };
      const config = loadConfig({ ...required, ...issuer });
      expect(config.externalIssuer?.jwksUrl).toBe(AUTH_JWKS_URL);
    },
  );

  it('trusts the networks of proxies', () => {
    const { trustedProxies } = loadConfig({ ...required, TRUST_PROXY: '10.0.0.0/8,fc00::/7' });
    expect([trustedProxies.check('10.1.2.3'), trustedProxies.check('fd00::1', 'ipv6')]).toEqual([true, true]);
  });

  it('accepts a URL without a host, for a socket', () => {
    const url = 'postgresql:///app?host=/var/run/postgresql';
    expect(loadConfig({ ...required, DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const example = parseEnv(text) as Record<string, string>;

  it('lists exactly the settings that are read', () => {
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

  it('contains the defaults, for the embedded PostgreSQL and for another', () => {
    const here = { DATA_DIR: folder };
    expect(loadConfig({ ...example, ...here })).toEqual(loadConfig(here));
    expect(loadConfig({ ...example, ...required })).toEqual(loadConfig(required));
  });

  it('describes each setting in the line before it', () => {
    const lines = text.split('\n');
    const bare = lines.filter((line, index) => /^\w+=/.test(line) && !/^# \w/.test(lines[index - 1] ?? ''));
    expect(bare).toEqual([]);
  });
});
