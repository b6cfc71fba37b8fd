import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';
import { ConfigError } from './config-error.js';

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
/** The block that `openssl ecparam -genkey` writes before the key itself. */
const EC_PARAMETERS = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

function errorOf(env: Record<string, string | undefined>): ConfigError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

const SSL_MODES = 'sslmode disable, require, verify-ca, verify-full, no-verify';
const POSTGRES = 'a URL that starts with postgres:// or postgresql://';
const REDIS = 'a URL that starts with redis:// or rediss://';
const HTTP = 'a URL that starts with https:// or http://';
const KEYS = '32 bytes in base64 (openssl rand -base64 32), older keys after commas';
const PEM = 'a PEM private key, RSA of at least 2048 bits or EC P-256, older keys after it';
const SECRETS = 'at least 32 characters, older secrets after commas';
const RANDOM = 'random characters (openssl rand -base64 48)';
const JWKS = 'https://, or http:// on this machine (localhost, 127.0.0.0/8, ::1)';
const ISSUER = { AUTH_ISSUER: 'https://idp.example/', AUTH_AUDIENCE: 'payments' };
const IDENTITY = { ...ISSUER, AUTH_JWKS_URL: 'https://idp.example/jwks' };
const CONSOLE = { CONSOLE_OIDC_CLIENT_ID: 'console', CONSOLE_OIDC_CLIENT_SECRET: 'secret' };
const CIDRS = 'CIDRs such as 10.0.0.0/8,::1/128';
const PAIRS = 'pairs such as key=value,key=value, values percent-encoded';
const SAMPLERS =
  'one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio';
const TOKEN = 'at least 16 random characters without spaces (openssl rand -hex 24)';
const integer = (min: number, max: number) => `an integer from ${min} to ${max}`;

/**
 * The setting, its bad value, the texts of the message after "got" and "takes", and other settings that the case needs.
 */
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
  ...badIntegers('METRICS_PORT', 0, 65_535),
  [
    'METRICS_PORT',
    '9464',
    '9464, while MANAGEMENT_PORT is 3002',
    'the same port as MANAGEMENT_PORT, or nothing',
    { MANAGEMENT_PORT: '3002' },
  ],
  ...['METRICS_TOKEN', 'DOCS_TOKEN'].flatMap((setting): BadValue[] => [
    [setting, 'hunter2', '7 characters', TOKEN],
    [setting, 'a'.repeat(40), 'only 1 different characters', TOKEN],
    [setting, 'hunter2 with spaces in it', 'characters that are not allowed in a header', TOKEN],
  ]),
  ...badIntegers('DATABASE_POOL_SIZE', 2, 200),
  ...badIntegers('DATABASE_MAX_LIFETIME_SECONDS', 0, 86_400),
  ...badIntegers('DATABASE_REPLICA_MAX_LAG_MS', 100, 3_600_000),
  ...badIntegers('RATE_LIMIT_PER_SECOND', 0, 1_000_000),
  ...badIntegers('TOKEN_RATE_LIMIT_PER_MINUTE', 0, 1_000_000),
  ...badIntegers('NOTIFICATION_RATE_LIMIT_PER_SECOND', 0, 1_000_000),
  ...badIntegers('MAX_IGNORED_NOTIFICATIONS_PER_DAY', 0, 100_000_000),
  ...badIntegers('MAX_SHOPS_PER_MERCHANT', 1, 1_000_000),
  ...badIntegers('MAX_WEBHOOK_ENDPOINTS_PER_MERCHANT', 1, 1_000_000),
  ...badIntegers('MAX_FLOWS_PER_MERCHANT', 1, 1_000_000),
  ...badIntegers('AUTH_JWKS_MAX_AGE', 1, 86_400),
  ...badIntegers('HTTP_MAX_CONNECTIONS', 1, 1_000_000),
  ...badIntegers('HTTP_MAX_CONNECTIONS_PER_ADDRESS', 0, 1_000_000),
  ...badIntegers('PROVIDER_TIMEOUT_MS', 1, 60_000),
  ...badIntegers('WEBHOOK_TIMEOUT_MS', 1, 60_000),
  ...badIntegers('WEBHOOK_REDELIVERIES_PER_SECOND', 1, 10_000),
  ...badIntegers('WEBHOOK_ENDPOINT_DISABLE_AFTER_HOURS', 1, 8_760),
  ...badIntegers('WORKER_CONCURRENCY', 1, 5_000),
  ...badIntegers('RETENTION_DELIVERIES_DAYS', 0, 36_500),
  ...badIntegers('RETENTION_ATTEMPTS_DAYS', 0, 36_500),
  ...badIntegers('RETENTION_NOTIFICATIONS_DAYS', 0, 36_500),
  ...badIntegers('RETENTION_IDEMPOTENCY_KEYS_DAYS', 1, 365),
  ...['x', '-1', '1', '179', '36501'].map((value): BadValue => [
    'RETENTION_PAYMENTS_DAYS',
    value,
    `'${value}'`,
    '0, or an integer from 180 to 36500',
  ]),
  ['RETENTION_AUDIT_DAYS', '364', `'364'`, '0, or an integer from 365 to 36500'],
  ...['RETENTION_PAYMENTS_DAYS', 'RETENTION_AUDIT_DAYS'].map((name): BadValue => [
    'RETENTION_ARCHIVE',
    undefined,
    'nothing',
    `a folder to which rows are written before they are deleted, or discard, as ${name} is set`,
    { [name]: '550' },
  ]),
  ...['0', '181'].map((value): BadValue => [
    'RETENTION_DELIVERIES_DAYS',
    value,
    `'${value}'`,
    '1 to 180, as RETENTION_PAYMENTS_DAYS is 180 and a payment stays as long as its deliveries',
    { RETENTION_PAYMENTS_DAYS: '180', RETENTION_ARCHIVE: 'discard' },
  ]),
  ['TRUST_PROXY', '1', `'1'`, CIDRS],
  ['TRUST_PROXY', 'true', `'true'`, CIDRS],
  ['TRUST_PROXY_HEADER', 'x-real-ip', `'x-real-ip'`, 'one of x-forwarded-for, forwarded'],
  ...['0.0.0.0/0', '10.0.0.1/8,0.0.0.0/0', '::/0', '128.0.0.0/1', '2000::/3'].map((value): BadValue => [
    'TRUST_PROXY',
    value,
    `'${value.split(',').at(-1)}'`,
    'networks no wider than /8, in IPv6 /7',
  ]),
  ['PORT', '30\n00', `'30 00'`, integer(0, 65_535)],
  ['PROVIDER_RECOVERY_DELAYS_MS', '10,', `''`, integer(1, 86_400_000)],
  ...['https://acme.example/x.mjs', './x.mjs,data:text/javascript', 'node:fs'].map((value): BadValue => [
    'PROVIDER_MODULES',
    value,
    `'${value.split(',').at(-1)}'`,
    'names of packages, or paths that begin with ./, ../ or /',
  ]),
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
  ['DATABASE_URL', 'localhost', 'a value that is not a URL', POSTGRES],
  ['DATABASE_URL', 'db-user:hunter2@localhost/app', 'a value that is not a URL', POSTGRES],
  ['DATABASE_URL', 'postgres:app', 'a value that is not a URL', POSTGRES],
  ['DATABASE_URL', 'mysql://root:hunter2@localhost/app', 'a URL that starts with mysql://', POSTGRES],
  ['DATABASE_URL', 'postgres://u:hunter2@a,b:x/app', 'a value that is not a URL', POSTGRES],
  [
    'DATABASE_URL',
    'postgres://u:hunter2@a,b/app?target_session_attrs=prefer-standby',
    `target_session_attrs 'prefer-standby'`,
    'target_session_attrs any, read-write, primary, read-only, standby',
  ],
  ['DATABASE_URL', 'postgres://u:hunter2@a/app?sslmode=prefer', `sslmode 'prefer'`, SSL_MODES],
  [
    'DATABASE_URL',
    'postgres://u:hunter2@a/app?sslmode=verify-ca',
    'sslmode verify-ca without sslrootcert',
    'sslrootcert with it',
  ],
  ['DATABASE_REPLICA_URL', 'postgres://a/b?sslrootcert=/x', `sslrootcert '/x' (ENOENT)`, 'a file in sslrootcert'],
  ['DATABASE_DIRECT_URL', 'localhost', 'a value that is not a URL', POSTGRES],
  ['REDIS_URL', 'localhost:6379', 'a value that is not a URL', REDIS],
  ['REDIS_URL', 'http://:hunter2@localhost', 'a URL that starts with http://', REDIS],
  ['JWT_SECRET', undefined, 'nothing', 'a secret of at least 32 characters'],
  ['JWT_SECRET', '', 'nothing', 'a secret of at least 32 characters'],
  ['JWT_SECRET', 'hunter2', '7 characters', SECRETS],
  ['JWT_SECRET', `${required.JWT_SECRET},hunter2`, '7 characters', SECRETS],
  ['JWT_SECRET', `${required.JWT_SECRET}, `, '0 characters', SECRETS],
  ['JWT_SECRET', 'a'.repeat(40), 'only 1 different characters', RANDOM],
  ['JWT_SECRET', 'ab12'.repeat(10), 'only 4 different characters', RANDOM],
  ['JWT_SECRET', 'hunter2-'.repeat(5).slice(0, 38), 'a repeated piece', RANDOM],
  ['JWT_SECRET', `hunter2-hunter2-ChangeMe-2026-${'x'.repeat(9)}`, 'a placeholder', RANDOM],
  ['JWT_SECRET', `${required.JWT_SECRET},${'a'.repeat(40)}`, 'only 1 different characters', RANDOM],
  ['JWT_PRIVATE_KEY', 'hunter2', 'a value that is not a private key', PEM],
  ['JWT_PRIVATE_KEY', `${rsa}${p256.slice(0, 60)}`, 'a value that is not a private key', PEM],
  ['JWT_PRIVATE_KEY', `${rsa}${publicPem}`, 'a value that is not a private key', PEM],
  ['JWT_PRIVATE_KEY', EC_PARAMETERS, 'a value that is not a private key', PEM],
  ['JWT_PRIVATE_KEY', pem('rsa', { modulusLength: 1024 }), 'a key of type rsa', PEM],
  ['JWT_PRIVATE_KEY', pem('ec', { namedCurve: 'P-384' }), 'a key of type ec', PEM],
  ['JWT_PRIVATE_KEY', pem('ed25519'), 'a key of type ed25519', PEM],
  ['ENCRYPTION_KEY', undefined, 'nothing', KEYS],
  ['ENCRYPTION_KEY', 'hunter2!', 'a key not in base64', KEYS],
  ['ENCRYPTION_KEY', Buffer.alloc(16).toString('base64'), 'a key of 16 bytes', KEYS],
  ['ENCRYPTION_KEY', `${required.ENCRYPTION_KEY},`, 'a key of 0 bytes', KEYS],
  ['ENCRYPTION_KEY', Buffer.from(required.ENCRYPTION_KEY, 'base64').toString('hex'), 'a key of 48 bytes', KEYS],
  ['ENCRYPTION_KEY', Buffer.alloc(32).toString('base64'), 'only 1 different characters', KEYS],
  ['ENCRYPTION_KEY', Buffer.from('hunter2!'.repeat(4)).toString('base64'), 'a repeated piece', KEYS],
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
  ['AUTH_JWKS_URL', 'idp.example', 'a value that is not a URL', HTTP],
  ['STRIPE_API_BASE', 'http://stripe.example', 'a URL that starts with http:// on stripe.example', JWKS],
  ['STRIPE_API_BASE', 'https://stripe.example/v1', 'a URL with more than an origin', 'only scheme, host and port'],
  ['PUBLIC_URL', 'pay.example', 'a value that is not a URL', HTTP],
  ['PUBLIC_URL', 'ftp://pay.example', 'a URL that starts with ftp://', HTTP],
  ['PUBLIC_URL', 'http://pay.example', 'a URL that starts with http:// on pay.example', JWKS],
  ...['https://hunter2:x@pay.example', 'https://pay.example/?a=1', 'https://pay.example/#a'].map((value): BadValue => {
    return ['PUBLIC_URL', value, 'a URL with more than a path', 'only scheme, host, port and path'];
  }),
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector:4318',
    'a value that is not a URL',
    'a URL that starts with http:// or https://',
  ],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'grpc://collector:4317',
    'a URL that starts with grpc://',
    'a URL that starts with http:// or https://',
  ],
  ...['https://hunter2:x@collector', 'https://collector/?key=hunter2'].map((value): BadValue => [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    value,
    'a URL with more than a path',
    'only scheme, host, port and path; credentials go into OTEL_EXPORTER_OTLP_HEADERS',
  ]),
  ...['hunter2', 'a b=hunter2', '=hunter2', 'key=hunter2%0d%0a', 'key=hunter2%zz'].flatMap((value): BadValue[] => [
    ['OTEL_EXPORTER_OTLP_HEADERS', value, 'something else', PAIRS],
    ['OTEL_RESOURCE_ATTRIBUTES', value, 'something else', PAIRS],
  ]),
  ['OTEL_TRACES_SAMPLER', 'sometimes', `'sometimes'`, SAMPLERS],
  ...['half', '-0.1', '1.5', '1e-3', '0.5.5'].map((value): BadValue => [
    'OTEL_TRACES_SAMPLER_ARG',
    value,
    `'${value}'`,
    'a number from 0 to 1',
  ]),
  ['SANDBOX_LEDGER', 'off', `'off'`, 'one of true, false'],
  ['CONSOLE', 'yes', `'yes'`, 'one of true, false'],
  [
    'CONSOLE_OIDC_CLIENT_ID',
    undefined,
    'nothing',
    'a client id, as CONSOLE_OIDC_CLIENT_SECRET is set',
    { ...IDENTITY, CONSOLE_OIDC_CLIENT_SECRET: 'secret' },
  ],
  [
    'CONSOLE_OIDC_CLIENT_SECRET',
    undefined,
    'nothing',
    'a secret, as CONSOLE_OIDC_CLIENT_ID is set',
    { ...IDENTITY, CONSOLE_OIDC_CLIENT_ID: 'console' },
  ],
  [
    'CONSOLE_OIDC_SCOPE',
    'shops:read',
    `'shops:read'`,
    'scopes separated by spaces, including openid',
    { ...IDENTITY, ...CONSOLE },
  ],
  ['AUTH_ISSUER', undefined, 'nothing', 'the URL of the issuer, as CONSOLE_OIDC_CLIENT_ID is set', CONSOLE],
  [
    'AUTH_ISSUER',
    'http://idp.example',
    'a URL that starts with http:// on idp.example',
    JWKS,
    { ...IDENTITY, ...CONSOLE },
  ],
  ['AUTH_JWKS_URL', 'file:///etc/keys', 'a URL that starts with file://', HTTP],
  [
    'AUTH_JWKS_URL',
    undefined,
    'nothing',
    'a URL, as AUTH_ISSUER, AUTH_AUDIENCE or AUTH_ROLES is set',
    { AUTH_ISSUER: 'x' },
  ],
  [
    'AUTH_JWKS_URL',
    undefined,
    'nothing',
    'a URL, as AUTH_ISSUER, AUTH_AUDIENCE or AUTH_ROLES is set',
    { AUTH_AUDIENCE: 'x' },
  ],
  ['AUTH_ISSUER', undefined, 'nothing', 'the issuer, as AUTH_JWKS_URL is set', { AUTH_JWKS_URL: 'https://a' }],
  ...['support', '{}', '["support"]', '{"groups":"support"}', '{"groups":{"a":1}}'].map((value): BadValue => [
    'AUTH_ROLES',
    value,
    `'${value}'`,
    'JSON such as {"groups":{"payments-support":"support"}}',
    IDENTITY,
  ]),
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
    'a repeated piece',
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

describe('loadConfig with a bad setting', () => {
  it.each(badValues)('reports %s=%j: got %s, takes %s', (setting, value, got, takes, others = {}) => {
    const error = errorOf({ ...required, ...others, [setting]: value });
    expect(error.setting).toBe(setting);
    expect(error.message).toBe(`${setting}: got ${got}, takes ${takes}`);
    expect(error.message).not.toMatch(/hunter2|db-password|\n|PRIVATE KEY-/);
  });

  it('keeps the message on one line of fewer than 400 characters', () => {
    const { message } = errorOf({ ...required, LOG_LEVEL: `a\r\n\t\u001b[31m${'b'.repeat(10_000)}` });
    // oxlint-disable-next-line no-control-regex -- it checks for control characters
    expect(message).not.toMatch(/[\u0000-\u001f]/);
    expect(message.length).toBeLessThan(400);
  });
});
