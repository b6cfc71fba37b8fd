import { resolve } from 'node:path';
import { ConfigError } from './config-error.js';
import { EnvReader } from './env-reader.js';
import { consoleOidc, externalIssuer } from './identity-settings.js';
import { jwtSecrets } from './jwt-keys.js';
import { redisSettings } from './redis-settings.js';
import { retentionSettings } from './retention-settings.js';
import { encryptionKeys, TAKES_ENCRYPTION_KEYS } from './secret-parsers.js';
import { generatedSecrets } from './secrets.js';

/** The version in package.json. */
export const VERSION = '0.1.0';

/** Every setting, validated and frozen; `settings.ts` documents each. Times in ms, sizes in bytes. */
export type Config = ReturnType<typeof readConfig>;
export type LogLevel = Config['logLevel'];
/** The header in which a proxy names the caller's address. */
export type ProxyHeader = Config['proxyHeader'];
export type TracingSettings = NonNullable<Config['tracing']>;

/**
 * Whether the service runs in embedded mode, without DATABASE_URL: missing secrets are generated and stored under
 * DATA_DIR.
 */
export const isEmbedded = (config: { databaseUrl: string | undefined }): boolean => config.databaseUrl === undefined;

/**
 * Reads and validates all settings. Throws a `ConfigError` that names the first bad setting, its value and the allowed
 * ones. In embedded mode missing secrets are generated once and stored in `DATA_DIR/secrets.json`; `check` runs before
 * that.
 */
export const loadConfig = (
  env: Record<string, string | undefined>,
  check: (dataDir: string) => void = () => undefined,
): Readonly<Config> => Object.freeze(readConfig(new EnvReader(env), check));

function readConfig(read: EnvReader, check: (dataDir: string) => void) {
  const database = databaseSettings(read);
  /** Absolute path. */
  const dataDir = resolve(read.get('DATA_DIR'));
  if (isEmbedded(database)) check(dataDir);
  const generated = isEmbedded(database) ? generatedSecrets(dataDir) : undefined;
  return {
    ...database,
    dataDir,
    port: read.get('PORT'),
    workerPort: read.get('WORKER_PORT'),
    managementPort: managementPort(read),
    routeTokens: { metrics: read.get('METRICS_TOKEN'), docs: read.get('DOCS_TOKEN') },
    host: read.get('HOST'),
    logLevel: read.get('LOG_LEVEL'),
    workerConcurrency: read.get('WORKER_CONCURRENCY'),
    redis: redisSettings(read),
    /** Keys of access tokens: the first one signs, all of them verify. */
    jwtKeys: jwtKeys(read, generated?.jwtSecret),
    /** The first key encrypts, all of them decrypt. */
    encryptionKeys: keysOf(read, generated?.encryptionKey),
    bootstrapClient: bootstrapClient(read),
    externalIssuer: externalIssuer(read),
    console: { isServed: read.get('CONSOLE'), oidc: consoleOidc(read) },
    rateLimitPerSecond: read.get('RATE_LIMIT_PER_SECOND'),
    tokenRateLimitPerMinute: read.get('TOKEN_RATE_LIMIT_PER_MINUTE'),
    notificationRateLimitPerSecond: read.get('NOTIFICATION_RATE_LIMIT_PER_SECOND'),
    maxIgnoredNotificationsPerDay: read.get('MAX_IGNORED_NOTIFICATIONS_PER_DAY'),
    maxShopsPerMerchant: read.get('MAX_SHOPS_PER_MERCHANT'),
    maxWebhookEndpointsPerMerchant: read.get('MAX_WEBHOOK_ENDPOINTS_PER_MERCHANT'),
    maxFlowsPerMerchant: read.get('MAX_FLOWS_PER_MERCHANT'),
    flowActivationApprovals: read.get('FLOW_ACTIVATION_APPROVALS'),
    httpMaxConnections: read.get('HTTP_MAX_CONNECTIONS'),
    httpMaxConnectionsPerAddress: read.get('HTTP_MAX_CONNECTIONS_PER_ADDRESS'),
    trustedProxies: read.get('TRUST_PROXY'),
    proxyHeader: read.get('TRUST_PROXY_HEADER'),
    providerTimeoutMs: read.get('PROVIDER_TIMEOUT_MS'),
    providerRecoveryDelaysMs: read.get('PROVIDER_RECOVERY_DELAYS_MS'),
    /** Without a trailing slash. */
    publicUrl: read.get('PUBLIC_URL'),
    providerModules: read.get('PROVIDER_MODULES'),
    onAbsentProvider: read.get('PROVIDER_MODULES_ABSENT'),
    /** Providers of shops without a module; the start finds them in the database. */
    absentProviders: [] as readonly string[],
    /** The settings of connectors: those of the built-in ones, and variables that are no settings of the service. */
    connectorSettings: {
      ...read.others(),
      STRIPE_API_BASE: read.get('STRIPE_API_BASE'),
      ADYEN_API_BASE: read.get('ADYEN_API_BASE'),
      CHECKOUT_API_BASE: read.get('CHECKOUT_API_BASE'),
      MOLLIE_API_BASE: read.get('MOLLIE_API_BASE'),
      PAYPAL_API_BASE: read.get('PAYPAL_API_BASE'),
      SANDBOX_LEDGER: String(read.get('SANDBOX_LEDGER')),
    },
    sandbox: { notificationUrl: read.get('SANDBOX_NOTIFICATION_URL') },
    webhookTimeoutMs: read.get('WEBHOOK_TIMEOUT_MS'),
    webhookRetryDelaysMs: read.get('WEBHOOK_RETRY_DELAYS_MS'),
    redeliveriesPerSecond: read.get('WEBHOOK_REDELIVERIES_PER_SECOND'),
    endpointDisabledAfterHours: read.get('WEBHOOK_ENDPOINT_DISABLE_AFTER_HOURS'),
    redeliversOnRecovery: read.get('WEBHOOK_REDELIVER_ON_RECOVERY'),
    webhookAllowedNetworks: read.get('WEBHOOK_ALLOWED_NETWORKS'),
    webhookRequireHttps: read.get('WEBHOOK_REQUIRE_HTTPS'),
    ...retentionSettings(read),
    tracing: tracingSettings(read),
  };
}

/** Settings of the connections to PostgreSQL. */
function databaseSettings(read: EnvReader) {
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    if (read.get(name) !== undefined && !read.isSet('DATABASE_URL'))
      throw new ConfigError('DATABASE_URL', undefined, `the URL of a PostgreSQL, as ${name} is set`);
  }
  return {
    /** One or several hosts; `undefined`: an embedded PostgreSQL under `dataDir`. */
    databaseUrl: read.get('DATABASE_URL'),
    databaseDirectUrl: read.get('DATABASE_DIRECT_URL'),
    databaseReplicaUrl: read.get('DATABASE_REPLICA_URL'),
    databaseReplicaMaxLagMs: read.get('DATABASE_REPLICA_MAX_LAG_MS'),
    databasePoolSize: read.get('DATABASE_POOL_SIZE'),
    databaseMaxLifetimeSeconds: read.get('DATABASE_MAX_LIFETIME_SECONDS'),
  };
}

/** OpenTelemetry's settings. `undefined`: tracing is off; the other settings are validated anyway. */
function tracingSettings(read: EnvReader) {
  const url = read.get('OTEL_EXPORTER_OTLP_ENDPOINT');
  const settings = {
    headers: read.get('OTEL_EXPORTER_OTLP_HEADERS') ?? {},
    sampler: read.get('OTEL_TRACES_SAMPLER'),
    samplerRatio: read.get('OTEL_TRACES_SAMPLER_ARG'),
    serviceName: read.get('OTEL_SERVICE_NAME'),
    resourceAttributes: read.get('OTEL_RESOURCE_ATTRIBUTES') ?? {},
  };
  return url === undefined ? undefined : { url, ...settings };
}

/** One port with two names: METRICS_PORT is what other services call it. */
function managementPort(read: EnvReader): number | undefined {
  const [port, otherPort] = [read.get('MANAGEMENT_PORT'), read.get('METRICS_PORT')];
  if (port === undefined || otherPort === undefined || port === otherPort) return port ?? otherPort;
  throw new ConfigError(
    'METRICS_PORT',
    `${otherPort}, while MANAGEMENT_PORT is ${port}`,
    'the same port as MANAGEMENT_PORT, or nothing',
  );
}

/** Private keys come before secrets, so that a service that changes to them still accepts older tokens. */
function jwtKeys(read: EnvReader, generated: string | undefined) {
  const keys = [...(read.get('JWT_PRIVATE_KEY') ?? []), ...(read.get('JWT_SECRET') ?? [])];
  if (keys.length > 0) return keys;
  if (generated !== undefined) return jwtSecrets(generated, 'JWT_SECRET');
  throw new ConfigError('JWT_SECRET', undefined, 'a secret of at least 32 characters');
}

function keysOf(read: EnvReader, generated: string | undefined) {
  const keys = read.get('ENCRYPTION_KEY');
  if (keys !== undefined) return keys;
  if (generated !== undefined) return encryptionKeys(generated, 'ENCRYPTION_KEY');
  throw new ConfigError('ENCRYPTION_KEY', undefined, TAKES_ENCRYPTION_KEYS);
}

function bootstrapClient(read: EnvReader) {
  const isSecretSet = read.isSet('BOOTSTRAP_CLIENT_SECRET');
  const id = read.get('BOOTSTRAP_CLIENT_ID');
  if (id === undefined && isSecretSet)
    throw new ConfigError('BOOTSTRAP_CLIENT_ID', undefined, 'a client id, as BOOTSTRAP_CLIENT_SECRET is set');
  const secret = read.get('BOOTSTRAP_CLIENT_SECRET');
  if (id !== undefined && secret === undefined)
    throw new ConfigError('BOOTSTRAP_CLIENT_SECRET', undefined, 'a secret of at least 16 characters');
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}
