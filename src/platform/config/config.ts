import { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { type DatabaseSettings, databaseSettings } from './database-settings.js';
import { ConfigError, EnvReader } from './env-reader.js';
import { type ConsoleOidc, consoleOidc, type ExternalIssuer, externalIssuer } from './identity-settings.js';
import { type JwtKey, jwtKeys } from './jwt-keys.js';
import { type RedisSettings, redisSettings } from './redis-settings.js';
import { generatedSecrets, weaknessOf } from './secrets.js';
import { type TracingSettings, tracingSettings } from './tracing-settings.js';

/** Of the package, as package.json has it. */
export const VERSION = '0.1.0';

export type LogLevel = (typeof LOG_LEVELS)[number];
const BOOLEANS = ['true', 'false'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The headers by which a proxy may tell where a request comes from. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
export type ProxyHeader = (typeof PROXY_HEADERS)[number];

const RECOVERY_DELAYS_MS = [5_000, 15_000, 60_000, 300_000, 3_600_000];

/** Wide enough for 10.0.0.0/8 and fc00::/7. Whoever is in it picks the address that all limits by address count for. */
const PROXY_NETWORKS = { ipv4: 8, ipv6: 7 };

/** Every setting, validated and frozen. Times in ms, sizes in bytes. Documented in `.env.example`. */
export interface Config extends DatabaseSettings {
  port: number;
  workerPort: number;
  /** Of the API's health and metrics; `undefined`: they answer on `port`. */
  managementPort: number | undefined;
  /** In front of metrics, and of the OpenAPI document with Swagger UI; `undefined`: open. */
  routeTokens: { metrics: string | undefined; docs: string | undefined };
  host: string;
  /** Absolute path. */
  dataDir: string;
  /** `undefined`: the queue lives in PostgreSQL. */
  redis: RedisSettings | undefined;
  /** For access tokens: the first signs, all of them verify. */
  jwtKeys: JwtKey[];
  externalIssuer: ExternalIssuer | undefined;
  /** 32-byte AES keys; the first encrypts, all of them decrypt. */
  encryptionKeys: Buffer[];
  /** Whether what is sealed opens in its own row only. */
  encryptionBindsRows: boolean;
  bootstrapClient: { id: string; secret: string } | undefined;
  /** Per API client; 0: no limit. */
  rateLimitPerSecond: number;
  /** Token requests per address; 0: no limit. */
  tokenRateLimitPerMinute: number;
  /** Provider notifications per shop; 0: no limit. */
  notificationRateLimitPerSecond: number;
  /** Provider notifications that change no payment: what is stored of them per shop and UTC day; 0: no limit. */
  maxIgnoredNotificationsPerDay: number;
  maxShopsPerMerchant: number;
  maxFlowsPerMerchant: number;
  /** Open connections per process. */
  httpMaxConnections: number;
  /** Open connections per process and address; 0: no bound. */
  httpMaxConnectionsPerAddress: number;
  /** Proxies that are believed about where a request comes from. */
  trustedProxies: BlockList;
  /** The one header in which they tell it. */
  proxyHeader: ProxyHeader;
  providerTimeoutMs: number;
  /** Where payers reach this API, without a slash at the end; `undefined`: nobody knows. */
  publicUrl: string | undefined;
  /** Of Stripe's API, in place of its own; for tests and staging. */
  stripeApiBase: string | undefined;
  /** Of Adyen's Checkout API, likewise. */
  adyenApiBase: string | undefined;
  /** Pauses before a provider is asked again what became of an operation; the last one repeats. */
  providerRecoveryDelaysMs: number[];
  webhookTimeoutMs: number;
  /** Delays before the 2nd, 3rd … attempt; there is one attempt more than there are delays. */
  webhookRetryDelaysMs: number[];
  /** Networks exempt from the ban on private addresses. */
  webhookAllowedNetworks: BlockList;
  /** Of one merchant, while there is other traffic; of all merchants together twice as many. */
  redeliveriesPerSecond: number;
  /** Refuse webhook endpoints of plain http, but those in `webhookAllowedNetworks`. */
  webhookRequireHttps: boolean;
  /** After how many days what may hold personal data is removed; 0: never. */
  retentionDays: {
    deliveries: number;
    attempts: number;
    notifications: number;
    /** At least 1. */
    idempotencyKeys: number;
  };
  /** Lanes that one worker process drains at once. */
  workerConcurrency: number;
  logLevel: LogLevel;
  console: {
    /** Whether the API serves it at `/console`. */
    isServed: boolean;
    /** How it signs people in with the outside identity provider; `undefined`: with client credentials alone. */
    oidc: ConsoleOidc | undefined;
  };
  /** `undefined`: nothing is traced. */
  tracing: TracingSettings | undefined;
  /** The built-in provider. */
  sandbox: {
    /** Keep its books in the database; otherwise it answers from memory and forgets. */
    ledger: boolean;
    /** Where it reaches this API, without a path; `undefined`: where this process listens. */
    notificationUrl: string | undefined;
  };
}

/** The embedded mode: no DATABASE_URL, so everything that can be made locally is made and kept under DATA_DIR. */
export const isEmbedded = (config: Pick<Config, 'databaseUrl'>): boolean => config.databaseUrl === undefined;

/**
 * Reads and validates all settings. Throws a `ConfigError` that names the first bad setting, what it got and what it
 * takes. In embedded mode missing secrets are generated once and kept in `DATA_DIR/secrets.json`; `check` is asked before.
 */
export function loadConfig(
  env: Record<string, string | undefined>,
  check: (dataDir: string) => void = () => undefined,
): Readonly<Config> {
  const read = new EnvReader(env);
  const database = databaseSettings(read);
  const embedded = isEmbedded(database);
  const dataDir = resolve(read.text('DATA_DIR', '.data'));
  if (embedded) check(dataDir);
  const generated = embedded ? generatedSecrets(dataDir) : undefined;
  return Object.freeze({
    port: read.integer('PORT', 3000, 0, 65_535),
    workerPort: read.integer('WORKER_PORT', 3001, 0, 65_535),
    managementPort: managementPort(read),
    routeTokens: { metrics: routeToken(read, 'METRICS_TOKEN'), docs: routeToken(read, 'DOCS_TOKEN') },
    host: read.host('HOST', embedded ? '127.0.0.1' : '0.0.0.0'),
    dataDir,
    ...database,
    redis: redisSettings(read),
    jwtKeys: jwtKeys(read, generated?.jwtSecret),
    externalIssuer: externalIssuer(read),
    encryptionKeys: encryptionKeys(read, generated?.encryptionKey),
    encryptionBindsRows: read.oneOf('ENCRYPTION_BIND_ROWS', BOOLEANS, 'true') === 'true',
    bootstrapClient: bootstrapClient(read),
    rateLimitPerSecond: read.integer('RATE_LIMIT_PER_SECOND', 200, 0, 1_000_000),
    tokenRateLimitPerMinute: read.integer('TOKEN_RATE_LIMIT_PER_MINUTE', 300, 0, 1_000_000),
    notificationRateLimitPerSecond: read.integer('NOTIFICATION_RATE_LIMIT_PER_SECOND', 100, 0, 1_000_000),
    maxIgnoredNotificationsPerDay: read.integer('MAX_IGNORED_NOTIFICATIONS_PER_DAY', 5_000, 0, 100_000_000),
    maxShopsPerMerchant: read.integer('MAX_SHOPS_PER_MERCHANT', 1_000, 1, 1_000_000),
    maxFlowsPerMerchant: read.integer('MAX_FLOWS_PER_MERCHANT', 1_000, 1, 1_000_000),
    httpMaxConnections: read.integer('HTTP_MAX_CONNECTIONS', 5_000, 1, 1_000_000),
    httpMaxConnectionsPerAddress: read.integer('HTTP_MAX_CONNECTIONS_PER_ADDRESS', 500, 0, 1_000_000),
    trustedProxies: read.networks('TRUST_PROXY', '', PROXY_NETWORKS),
    proxyHeader: read.oneOf('TRUST_PROXY_HEADER', PROXY_HEADERS, 'x-forwarded-for'),
    providerTimeoutMs: read.integer('PROVIDER_TIMEOUT_MS', 10_000, 1, 60_000),
    publicUrl: publicUrl(read),
    stripeApiBase: apiBase(read, 'STRIPE_API_BASE'),
    adyenApiBase: apiBase(read, 'ADYEN_API_BASE'),
    providerRecoveryDelaysMs: read.integers('PROVIDER_RECOVERY_DELAYS_MS', RECOVERY_DELAYS_MS, 1, 86_400_000),
    webhookTimeoutMs: read.integer('WEBHOOK_TIMEOUT_MS', 3_000, 1, 60_000),
    webhookRetryDelaysMs: read.integers('WEBHOOK_RETRY_DELAYS_MS', [10_000, 100_000, 1_000_000], 0, 86_400_000),
    redeliveriesPerSecond: read.integer('WEBHOOK_REDELIVERIES_PER_SECOND', 50, 1, 10_000),
    webhookAllowedNetworks: read.networks('WEBHOOK_ALLOWED_NETWORKS', embedded ? '127.0.0.0/8,::1/128' : ''),
    webhookRequireHttps: read.oneOf('WEBHOOK_REQUIRE_HTTPS', BOOLEANS, embedded ? 'false' : 'true') === 'true',
    retentionDays: retentionDays(read),
    workerConcurrency: read.integer('WORKER_CONCURRENCY', 1_024, 1, 5_000),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    console: {
      isServed: read.oneOf('CONSOLE', BOOLEANS, 'true') === 'true',
      oidc: consoleOidc(read),
    },
    tracing: tracingSettings(read),
    sandbox: {
      ledger: read.oneOf('SANDBOX_LEDGER', BOOLEANS, 'true') === 'true',
      notificationUrl: read.url('SANDBOX_NOTIFICATION_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    },
  });
}

/** One port with two names: METRICS_PORT is what others call it. */
function managementPort(read: EnvReader): number | undefined {
  const [port, otherPort] = (['MANAGEMENT_PORT', 'METRICS_PORT'] as const).map((name) =>
    read.optional(name) === undefined ? undefined : read.integer(name, 0, 0, 65_535),
  );
  if (port === undefined || otherPort === undefined || port === otherPort) return port ?? otherPort;
  throw new ConfigError('METRICS_PORT', `${otherPort} beside MANAGEMENT_PORT ${port}`, 'the same port: it is one');
}

const MIN_TOKEN_LENGTH = 16;

function routeToken(read: EnvReader, name: string): string | undefined {
  const token = read.optional(name);
  if (token === undefined) return undefined;
  const takes = `at least ${MIN_TOKEN_LENGTH} random characters without spaces (openssl rand -hex 24)`;
  if (token.length < MIN_TOKEN_LENGTH) throw new ConfigError(name, `${token.length} characters`, takes);
  const fault = /^[\x21-\x7e]+$/.test(token) ? weaknessOf(token) : 'characters that no header takes';
  if (fault) throw new ConfigError(name, fault, takes);
  return token;
}

const MAX_DAYS = 36_500;

const retentionDays = (read: EnvReader): Config['retentionDays'] => ({
  deliveries: read.integer('RETENTION_DELIVERIES_DAYS', 90, 0, MAX_DAYS),
  attempts: read.integer('RETENTION_ATTEMPTS_DAYS', 30, 0, MAX_DAYS),
  notifications: read.integer('RETENTION_NOTIFICATIONS_DAYS', 90, 0, MAX_DAYS),
  // the API promises a day
  idempotencyKeys: read.integer('RETENTION_IDEMPOTENCY_KEYS_DAYS', 1, 1, 365),
});

/** Merchants' secret keys go there. A path would be lost: the SDK makes its own. */
function apiBase(read: EnvReader, name: string): string | undefined {
  const base = read.secureUrl(name);
  if (base === undefined) return undefined;
  const { origin, href } = new URL(base);
  if (href === `${origin}/`) return origin;
  throw new ConfigError(name, 'a URL with more than an origin', 'scheme, host and port alone');
}

/** A payer's browser comes there with what completes a payment. A path is that of a proxy in front. */
function publicUrl(read: EnvReader): string | undefined {
  const url = read.secureUrl('PUBLIC_URL');
  if (url === undefined) return undefined;
  const { username, password, search, hash, origin, pathname } = new URL(url);
  if (`${username}${password}${search}${hash}` === '') return `${origin}${pathname}`.replace(/\/+$/, '');
  throw new ConfigError('PUBLIC_URL', 'a URL with more than a path', 'scheme, host, port and path alone');
}

function encryptionKeys(read: EnvReader, generated: string | undefined): Buffer[] {
  const takes = '32 bytes in base64 (openssl rand -base64 32), older keys after commas';
  const text = read.optional('ENCRYPTION_KEY') ?? generated;
  if (text === undefined) throw new ConfigError('ENCRYPTION_KEY', undefined, takes);
  return text.split(',').map((part, index) => {
    const key = Buffer.from(part.trim(), 'base64');
    // Buffer.from skips what is not base64: a mistyped key would silently be another one
    if (key.toString('base64') !== part.trim()) throw new ConfigError('ENCRYPTION_KEY', 'a key not in base64', takes);
    if (key.length !== 32) throw new ConfigError('ENCRYPTION_KEY', `a key of ${key.length} bytes`, takes);
    // an older one is taken: nothing new is sealed with it, and what was sealed could not be opened without it
    const weakness = index === 0 ? weaknessOf(key.toString('latin1')) : undefined;
    if (weakness) throw new ConfigError('ENCRYPTION_KEY', weakness, takes);
    return key;
  });
}

function bootstrapClient(read: EnvReader): { id: string; secret: string } | undefined {
  const id = read.optional('BOOTSTRAP_CLIENT_ID');
  const secret = read.optional('BOOTSTRAP_CLIENT_SECRET');
  if (id === undefined && secret === undefined) return undefined;
  if (id === undefined)
    throw new ConfigError('BOOTSTRAP_CLIENT_ID', undefined, 'a client id, as BOOTSTRAP_CLIENT_SECRET is set');
  // not repeated: people mix the two up
  if (!/^[\w.-]{1,100}$/.test(id))
    throw new ConfigError('BOOTSTRAP_CLIENT_ID', 'something else', 'up to 100 letters, digits, _ . -');
  if (secret === undefined || secret.length < 16) {
    const got = secret === undefined ? undefined : `${secret.length} characters`;
    throw new ConfigError('BOOTSTRAP_CLIENT_SECRET', got, 'a secret of at least 16 characters');
  }
  const weakness = weaknessOf(secret);
  if (weakness) throw new ConfigError('BOOTSTRAP_CLIENT_SECRET', weakness, 'random characters (openssl rand -hex 24)');
  return { id, secret };
}
