import { databaseUrl } from './database-url.js';
import { jwtPrivateKeys, jwtSecrets } from './jwt-keys.js';
import * as parsers from './parsers.js';
import { clientId, clientSecret, encryptionKeys, routeToken } from './secret-parsers.js';

// Why not envalid, zod or @nestjs/config: they would replace `parsers.ts` only, and their errors do not have our one line.

/**
 * A default, as the text of an environment variable. Of two texts the first is for the embedded PostgreSQL, the second
 * for DATABASE_URL.
 */
type Default = string | readonly [embedded: string, server: string];

export interface Setting<T, D extends Default | undefined = Default | undefined> {
  parse: parsers.Parse<T>;
  default: D;
  isSecret: boolean;
  doc: string;
}

type Documented<T, D extends Default | undefined> = (doc: TemplateStringsArray) => Setting<T, D>;

/** Line breaks in the doc belong to this file, not to the text. */
const declare =
  <T, D extends Default | undefined>(parse: parsers.Parse<T>, fallback: D, isSecret: boolean): Documented<T, D> =>
  ([doc = '']) => ({ parse, default: fallback, isSecret, doc: doc.replace(/\s+/g, ' ') });

const optional = <T>(parse: parsers.Parse<T>) => declare(parse, undefined, false);
const secret = <T>(parse: parsers.Parse<T>) => declare(parse, undefined, true);
const setting = <T>(parse: parsers.Parse<T>, fallback: Default) => declare(parse, fallback, false);

const port = parsers.integer(0, 65_535);
const days = parsers.integer(0, 36_500);
const daysFrom = (least: number) => parsers.zeroOr(least, 36_500);
const atMostMillion = parsers.integer(0, 1_000_000);
const oneToMillion = parsers.integer(1, 1_000_000);
/**
 * Wide enough for 10.0.0.0/8 and fc00::/7. A caller in a trusted network can choose its address, and so evade all
 * limits per address.
 */
const proxyNetworks = parsers.networks({ ipv4: 8, ipv6: 7 });
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
const samplers = parsers.oneOf(...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const));

/**
 * All settings of the service, in groups: parser, default and documentation. `.env.example`,
 * `docs/operate/configuration.md` (`npm run docs:settings`) and the command `config list` are generated from it.
 */
export const GROUPS = {
  'API and worker': {
    PORT: setting(port, '3000')`Port of the API; 0 uses a free one.`,
    WORKER_PORT: setting(port, '3001')`Port of the worker's health and metrics; 0 uses a free one.`,
    MANAGEMENT_PORT: optional(port)`Port of the API's health and metrics. They then respond only on this port: do not
      publish it. 0 uses a free one. Empty: they are on PORT.`,
    METRICS_PORT: optional(port)`Another name of MANAGEMENT_PORT. A worker uses WORKER_PORT, which serves nothing
      else.`,
    METRICS_TOKEN: secret(routeToken)`Bearer token for /metrics of the API and the worker: at least 16 random characters
      without spaces (openssl rand -hex 24). Empty: open to any caller that reaches the port.`,
    DOCS_TOKEN: secret(routeToken)`Bearer token for /docs, /openapi.json and /packages/…. In a browser it is the
      password, with any user. Empty: open.`,
    HOST: setting(parsers.host, ['127.0.0.1', '0.0.0.0'])`Address to listen on.`,
    LOG_LEVEL: setting(parsers.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info')`fatal,
      error, warn, info, debug, trace or silent.`,
    WORKER_CONCURRENCY: setting(parsers.integer(1, 5_000), '1024')`Webhooks that one worker process sends concurrently,
      at most.`,
  },
  PostgreSQL: {
    DATABASE_URL: secret(databaseUrl)`postgres://user:password@host:5432/database, several hosts separated by commas,
      with target_session_attrs, sslmode and sslrootcert (docs/operate/postgresql.md). Empty: an embedded PostgreSQL
      under DATA_DIR.`,
    DATABASE_DIRECT_URL: secret(databaseUrl)`URL of the server itself, if DATABASE_URL is a pooler in transaction mode
      (PgBouncer): for migrations, and for the queue without Redis. Empty: DATABASE_URL is the server.`,
    DATABASE_REPLICA_URL: secret(databaseUrl)`A streaming replica for lists, reports and backtests. Empty: none.`,
    DATABASE_REPLICA_MAX_LAG_MS: setting(parsers.integer(100, 3_600_000), '5000')`Largest lag, in ms, at which the
      replica is used.`,
    DATABASE_POOL_SIZE: setting(parsers.integer(2, 200), '10')`Connections of each API process, 2 to 200; a worker uses
      half as many.`,
    DATABASE_MAX_LIFETIME_SECONDS: setting(parsers.integer(0, 86_400), '1800')`Seconds after which a connection is
      replaced by a new one; 0: never.`,
    DATA_DIR: setting(parsers.text, '.data')`Folder of the embedded PostgreSQL and of the secrets generated for it.`,
  },
  Redis: {
    REDIS_URL: secret(parsers.url('redis:', 'rediss:'))`redis://[user:password@]host[:6379][/database], or rediss://
      (docs/operate/redis.md). Empty, and without sentinels or cluster: the queue is in PostgreSQL.`,
    REDIS_SENTINELS: optional(parsers.hostsAndPorts)`Instead of REDIS_URL: the sentinels that know the master,
      host:port,host:port.`,
    REDIS_SENTINEL_MASTER: optional(parsers.text)`With REDIS_SENTINELS: the name of the master.`,
    REDIS_SENTINEL_USERNAME: optional(parsers.text)`With REDIS_SENTINELS: the user for the sentinels.`,
    REDIS_SENTINEL_PASSWORD: secret(parsers.text)`With REDIS_SENTINELS: the password for the sentinels.`,
    REDIS_DB: optional(port)`With REDIS_SENTINELS: the number of the database. Empty: 0.`,
    REDIS_CLUSTER_NODES: optional(parsers.hostsAndPorts)`Instead of REDIS_URL: some nodes of a Redis Cluster,
      host:port,host:port.`,
    REDIS_USERNAME: optional(
      parsers.text,
    )`The ACL user, if the URL has none (docs/operate/redis.md lists its rights). Empty: the default user.`,
    REDIS_PASSWORD: secret(parsers.text)`The password of the ACL user, if the URL has none.`,
    REDIS_TLS: optional(parsers.boolean)`true or false: TLS, also to sentinels. Empty: according to the URL; false
      without a URL.`,
    REDIS_TLS_CA_FILE: optional(parsers.certificates)`With TLS: a PEM file with the trusted authorities. Empty: the
      public ones.`,
    REDIS_TLS_CERT_FILE: optional(parsers.certificates)`With TLS: a PEM file with the client certificate, if Redis
      requires one; together with REDIS_TLS_KEY_FILE.`,
    REDIS_TLS_KEY_FILE: optional(parsers.privateKey)`The private key of the certificate, without a passphrase.`,
  },
  'Secrets and identities': {
    JWT_SECRET: secret(jwtSecrets)`Signs access tokens (HS256): at least 32 random characters (openssl rand -base64 48).
      Refused are fewer than 6 different characters, a repeated piece and placeholders. Of several, separated by commas,
      the first signs and all verify (docs/operate/key-rotation.md). Without DATABASE_URL it is generated and stored
      under DATA_DIR.`,
    JWT_PRIVATE_KEY: secret(jwtPrivateKeys)`Signs access tokens instead of JWT_SECRET, which then only verifies; the
      public key is at /.well-known/jwks.json. PEM, RSA (2048 bits or more) or EC P-256. Of several, one after the
      other, the first signs and all verify.`,
    ENCRYPTION_KEY: secret(encryptionKeys)`Encrypts secrets in the database: openssl rand -base64 32. Of several,
      separated by commas, the first encrypts and all decrypt (docs/operate/key-rotation.md). Without DATABASE_URL it is
      generated and stored under DATA_DIR.`,
    BOOTSTRAP_CLIENT_ID: optional(clientId)`The first client, with all scopes. It is created with its merchant if it
      does not exist; together with BOOTSTRAP_CLIENT_SECRET.`,
    BOOTSTRAP_CLIENT_SECRET: secret(clientSecret)`At least 16 random characters. Remove it once the client exists: with
      DATABASE_URL each start logs a warning.`,
    AUTH_JWKS_URL: optional(parsers.secureUrl)`Keys of an external identity provider whose tokens are also accepted: set
      URL, issuer and audience, or none of them. http:// only on this machine.`,
    AUTH_JWKS_MAX_AGE: setting(parsers.integer(1, 86_400), '300')`Seconds for which these keys, and tokens verified by
      them, are cached: a withdrawn key stops working within this time.`,
    AUTH_ISSUER: optional(parsers.text)`The issuer (iss) of the provider's tokens.`,
    AUTH_AUDIENCE: optional(parsers.text)`The audience (aud) of the provider's tokens.`,
    AUTH_ROLES: optional(
      parsers.groupRoles,
    )`Roles for groups of that provider, as JSON: the name of a claim of its tokens,
      then a group and its role, such as {"groups":{"payments-support":"support","payments-admins":"owner"}}. They add to the
      scopes of a token.`,
    CONSOLE: setting(parsers.boolean, 'true')`Whether the API serves the console at /console.`,
    CONSOLE_OIDC_CLIENT_ID: optional(parsers.text)`Client id of the console at that identity provider, so that people
      sign in there; together with CONSOLE_OIDC_CLIENT_SECRET. Its redirect URI is PUBLIC_URL/console/oidc/callback.`,
    CONSOLE_OIDC_CLIENT_SECRET: secret(parsers.text)`The secret of that client.`,
    CONSOLE_OIDC_SCOPE: setting(parsers.openIdScopes, 'openid')`Scopes that the console requests, separated by spaces,
      including openid.`,
  },
  Limits: {
    RATE_LIMIT_PER_SECOND: setting(atMostMillion, '200')`Requests per second of each API client, over all API processes;
      a burst may be two seconds' worth. All clients of a merchant together, including subjects of an external issuer,
      have five times as many. 0: no limit.`,
    TOKEN_RATE_LIMIT_PER_MINUTE: setting(atMostMillion, '300')`Token requests and sign-ins to the console per minute
      from each address, and five times as many for each client. A wrong secret counts as ten. 0: no limit.`,
    NOTIFICATION_RATE_LIMIT_PER_SECOND: setting(atMostMillion, '100')`Provider notifications per second of each shop; a
      burst may be two seconds' worth. For forged notifications an address has a tenth per shop, and half for all shops
      together. 0: no limit.`,
    MAX_IGNORED_NOTIFICATIONS_PER_DAY: setting(parsers.integer(0, 100_000_000), '5000')`Sandbox notifications without a
      payment that are stored for each shop and UTC day; further ones get 429. 0: no limit.`,
    MAX_SHOPS_PER_MERCHANT: setting(oneToMillion, '1000')`Shops of each merchant; further ones get 409.`,
    MAX_WEBHOOK_ENDPOINTS_PER_MERCHANT: setting(oneToMillion, '50')`Standing webhook endpoints of each merchant; further
      ones get 409.`,
    MAX_FLOWS_PER_MERCHANT: setting(oneToMillion, '1000')`Flows of each merchant; further ones get 409.`,
    FLOW_ACTIVATION_APPROVALS: setting(
      parsers.integer(0, 1),
      '0',
    )`Clients other than its author that must approve a version
      of a flow before it is active for the first time, also in a rollout. 1: PATCH /flows/{id} no longer takes a new
      definition, and a settlement that contradicts the provider or exceeds its operation needs a second client. Each API process needs the same value.`,
    HTTP_MAX_CONNECTIONS: setting(oneToMillion, '5000')`Open connections of each process. When all are in use, the
      connection that has been idle longest is closed for a new one.`,
    HTTP_MAX_CONNECTIONS_PER_ADDRESS: setting(atMostMillion, '500')`Open connections of one address (IPv6: of its /64);
      further ones are closed at once. Proxies in TRUST_PROXY have no limit. 0: no limit.`,
    TRUST_PROXY: setting(proxyNetworks, '')`Proxies that are trusted to name the caller's address, as CIDRs no wider
      than /8, in IPv6 /7. Empty: none, the address of the connection counts. Set it behind a proxy, or all callers
      share the limits of one address.`,
    TRUST_PROXY_HEADER: setting(parsers.oneOf('x-forwarded-for', 'forwarded'), 'x-forwarded-for')`The header in which
      these proxies name the caller: x-forwarded-for or forwarded (RFC 7239). The other one is ignored. Every proxy must
      write it or append to it, or callers choose their address.`,
  },
  'Payment providers': {
    PROVIDER_TIMEOUT_MS: setting(parsers.integer(1, 60_000), '10000')`Time-out of one call to a payment provider, in
      ms.`,
    PROVIDER_RECOVERY_DELAYS_MS: setting(parsers.integers(1, 86_400_000), '5000,15000,60000,300000,3600000')`Pauses
      before a provider is asked again about a charge, void or refund with an unknown outcome, in ms; the last one
      repeats for three days.`,
    PUBLIC_URL: optional(parsers.secureBase)`URL of this API for payers' browsers, https://host[:port][/path], or
      http:// on this machine. 3-D Secure at Adyen needs it: payers return through this API.`,
    STRIPE_API_BASE: optional(parsers.secureOrigin)`Replaces https://api.stripe.com, for tests and staging:
      https://host:port, or http:// on this machine. Merchants' secret keys are sent there.`,
    PROVIDER_MODULES: setting(parsers.moduleNames, '')`Further providers, separated by commas: packages installed with
      the service, or paths of modules such as ./providers/x.mjs, from the working directory
      (docs/integrate/write-a-connector.md). The API, the worker and the command line need the same ones.`,
    PROVIDER_MODULES_ABSENT: setting(
      parsers.oneOf('refuse', 'warn'),
      'refuse',
    )`What a start does if shops use a provider
      without a module: refuse, or warn: these shops are then unavailable, and flows use their other shops.`,
    ADYEN_API_BASE: optional(parsers.secureOrigin)`Replaces the host of Adyen's Checkout API for all shops, with the
      same rules.`,
    CHECKOUT_API_BASE: optional(parsers.secureOrigin)`The same for Checkout.com.`,
    MOLLIE_API_BASE: optional(parsers.secureOrigin)`The same for Mollie.`,
    PAYPAL_API_BASE: optional(parsers.secureOrigin)`The same for PayPal.`,
    SANDBOX_LEDGER: setting(parsers.boolean, 'true')`Whether the sandbox stores its transactions, sends notifications
      and answers queries. false: it responds from memory, for benchmarks.`,
    SANDBOX_NOTIFICATION_URL: optional(parsers.webBase)`URL of this API for the sandbox's notifications and for its
      pages in a payer's browser: http(s)://host:port. Empty: the address on which the process listens.`,
  },
  Webhooks: {
    WEBHOOK_TIMEOUT_MS: setting(parsers.integer(1, 60_000), '3000')`Time-out of one webhook attempt, in ms.`,
    WEBHOOK_RETRY_DELAYS_MS: setting(parsers.integers(0, 86_400_000), '10000,100000,1000000')`Pauses before the 2nd, 3rd
      … attempt, in ms. There is one more attempt than pauses.`,
    WEBHOOK_REDELIVERIES_PER_SECOND: setting(parsers.integer(1, 10_000), '50')`Redeliveries per second of one merchant
      while there are new deliveries; of all merchants twice as many.`,
    WEBHOOK_ENDPOINT_DISABLE_AFTER_HOURS: setting(parsers.integer(1, 8_760), '120')`Hours without one success after
      which a standing endpoint that fails is disabled.`,
    WEBHOOK_REDELIVER_ON_RECOVERY: setting(parsers.boolean, 'true')`Whether webhooks that failed for good are sent again
      when the address of payments answers with a 2xx again. Standing endpoints have a setting of their own.`,
    WEBHOOK_ALLOWED_NETWORKS: setting(parsers.networks(), ['127.0.0.0/8,::1/128', ''])`Private networks to which
      webhooks may be sent, as CIDRs.`,
    WEBHOOK_REQUIRE_HTTPS: setting(parsers.boolean, ['false', 'true'])`Whether webhook endpoints must use https, except
      literal addresses inside WEBHOOK_ALLOWED_NETWORKS.`,
  },
  Retention: {
    RETENTION_DELIVERIES_DAYS: setting(days, '90')`Days for which webhook deliveries are kept after their last attempt,
      with bodies and attempts; 0: forever.`,
    RETENTION_ATTEMPTS_DAYS: setting(days, '30')`Days for which attempts are kept, with the receivers' answers; 0: as
      long as their delivery.`,
    RETENTION_NOTIFICATIONS_DAYS: setting(days, '90')`Days for which provider notifications are kept; 0: forever. A
      notification that is repeated after that counts again.`,
    // at least 1, because the API promises a day
    RETENTION_IDEMPOTENCY_KEYS_DAYS: setting(parsers.integer(1, 365), '7')`Days for which idempotency keys are valid,
      with their stored responses.`,
    // no report looks back further than 35 days, and most refunds are made within 180
    RETENTION_PAYMENTS_DAYS: setting(daysFrom(180), '0')`Days for which ended payments are kept, from 180; 0: forever
      (docs/operate/capacity.md).`,
    // PCI DSS 10.5.1 demands a year; the database refuses to delete younger entries
    RETENTION_AUDIT_DAYS: setting(daysFrom(365), '0')`Days for which audit entries are kept, from 365; 0: forever.`,
    RETENTION_ARCHIVE: optional(
      parsers.text,
    )`Folder of the workers to which these two are written before they are deleted;
      discard: they are not written. Required with either.`,
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: optional(parsers.tracesUrl)`Where traces are sent: the OTLP/HTTP endpoint of an
      OpenTelemetry collector, http(s)://host:4318 (docs/operate/tracing.md). Empty: no traces, and OpenTelemetry is not
      loaded.`,
    OTEL_EXPORTER_OTLP_HEADERS: secret(parsers.pairs)`Headers of every request to the collector, key=value,key=value,
      with percent-encoded values; for example credentials.`,
    OTEL_TRACES_SAMPLER: setting(samplers, 'parentbased_always_on')`Which traces are recorded: always_on, always_off,
      traceidratio, parentbased_always_on, parentbased_always_off or parentbased_traceidratio. parentbased: according to
      the caller's traceparent, if there is one.`,
    OTEL_TRACES_SAMPLER_ARG: setting(parsers.ratio, '1')`Share of recorded traces for the samplers by ratio, 0 to 1.`,
    OTEL_SERVICE_NAME: setting(parsers.text, 'payment-orchestrator')`Service name of the traces. Use different names for
      API and worker to distinguish them.`,
    OTEL_RESOURCE_ATTRIBUTES: optional(parsers.pairs)`Additional attributes of all spans, key=value,key=value, with
      percent-encoded values.`,
  },
};

type Groups = typeof GROUPS;
type Named = UnionToIntersection<Groups[keyof Groups]>;
type UnionToIntersection<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

export type SettingName = keyof Named;

/** Type of a setting's value; `undefined` for one without a default. */
export type Value<N extends SettingName> =
  Named[N] extends Setting<infer T, infer D> ? (D extends undefined ? T | undefined : T) : never;

/** All settings by name. */
export const SETTINGS = Object.assign({}, ...Object.values(GROUPS)) as Readonly<Record<SettingName, Setting<unknown>>>;
