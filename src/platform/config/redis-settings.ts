import { ConfigError } from './config-error.js';
import type { EnvReader } from './env-reader.js';
import { type HostAndPort, TAKES_CERTIFICATES, TAKES_KEY } from './parsers.js';
import type { SettingName } from './settings.js';

/** PEM texts. `undefined`: Node's default, which is the public authorities and no client certificate. */
interface RedisTls {
  ca: string | undefined;
  cert: string | undefined;
  key: string | undefined;
}

interface Credentials {
  username: string | undefined;
  password: string | undefined;
}

interface RedisAccess extends Credentials {
  /** `undefined`: without TLS. */
  tls: RedisTls | undefined;
}

export interface RedisServerSettings extends RedisAccess, HostAndPort {
  kind: 'server';
  db: number;
}

export interface RedisSentinelSettings extends RedisAccess {
  kind: 'sentinel';
  sentinels: HostAndPort[];
  /** The master's name at the sentinels. */
  master: string;
  db: number;
  /** Credentials of the sentinels; `username` and `password` are those of the servers that they monitor. */
  sentinel: Credentials;
}

interface RedisClusterSettings extends RedisAccess {
  kind: 'cluster';
  /** Some of the nodes: each knows the others. */
  nodes: HostAndPort[];
}

/** How to connect to Redis. */
export type RedisSettings = RedisServerSettings | RedisSentinelSettings | RedisClusterSettings;

const LOCATIONS = ['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'] as const;
type Location = (typeof LOCATIONS)[number];

/**
 * The locations with which a setting has an effect. With others it is refused, because its author expects an effect.
 * REDIS_USERNAME and REDIS_PASSWORD are not refused: many environments have them for the Redis server itself.
 */
const BELONGS_TO = {
  REDIS_SENTINEL_MASTER: ['REDIS_SENTINELS'],
  REDIS_SENTINEL_USERNAME: ['REDIS_SENTINELS'],
  REDIS_SENTINEL_PASSWORD: ['REDIS_SENTINELS'],
  REDIS_DB: ['REDIS_SENTINELS'],
  REDIS_TLS: LOCATIONS,
  REDIS_TLS_CA_FILE: LOCATIONS,
  REDIS_TLS_CERT_FILE: LOCATIONS,
  REDIS_TLS_KEY_FILE: LOCATIONS,
} satisfies Partial<Record<SettingName, readonly Location[]>>;

/** `undefined`: no Redis is configured. */
export function redisSettings(read: EnvReader): RedisSettings | undefined {
  const [location, other] = LOCATIONS.filter((name) => read.isSet(name));
  if (location !== undefined && other !== undefined)
    throw new ConfigError(other, `a value together with ${location}`, `a value in only one of ${LOCATIONS.join(', ')}`);
  for (const name of Object.keys(BELONGS_TO) as (keyof typeof BELONGS_TO)[]) refuseStray(read, name, location);
  const user = { username: read.get('REDIS_USERNAME'), password: read.get('REDIS_PASSWORD') };
  if (location === 'REDIS_URL') return serverSettings(read, user);
  if (location === 'REDIS_SENTINELS') return sentinelSettings(read, user);
  return location && clusterSettings(read, user);
}

function refuseStray(read: EnvReader, name: keyof typeof BELONGS_TO, location: Location | undefined): void {
  const locations: readonly Location[] = BELONGS_TO[name];
  if (!read.isSet(name) || (location !== undefined && locations.includes(location))) return;
  const got = location === undefined ? 'a value without a Redis' : `a value together with ${location}`;
  throw new ConfigError(name, got, `a value only together with ${locations.join(', ')}`);
}

const URL_PARTS = 'redis://[user:password@]host[:port][/database], or rediss:// likewise';

function serverSettings(read: EnvReader, user: Credentials): RedisServerSettings {
  const url = new URL(read.get('REDIS_URL')!);
  if (url.hostname === '') throw new ConfigError('REDIS_URL', 'a URL without a host', URL_PARTS);
  if (`${url.search}${url.hash}` !== '')
    throw new ConfigError('REDIS_URL', 'a URL with more than a database', URL_PARTS);
  if (!/^(\/\d{0,5})?$/.test(url.pathname))
    throw new ConfigError('REDIS_URL', 'a URL whose path is not a database number', URL_PARTS);
  return {
    kind: 'server',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 6_379 : Number(url.port),
    db: Number(url.pathname.slice(1)),
    ...credentialsWithUrl(user, url),
    tls: tlsWithUrl(read, url.protocol === 'rediss:'),
  };
}

function sentinelSettings(read: EnvReader, user: Credentials): RedisSentinelSettings {
  const master = read.get('REDIS_SENTINEL_MASTER');
  if (master === undefined)
    throw new ConfigError('REDIS_SENTINEL_MASTER', undefined, "the master's name, as REDIS_SENTINELS is set");
  const sentinel = { username: read.get('REDIS_SENTINEL_USERNAME'), password: read.get('REDIS_SENTINEL_PASSWORD') };
  return {
    kind: 'sentinel',
    sentinels: read.get('REDIS_SENTINELS')!,
    master,
    db: read.get('REDIS_DB') ?? 0,
    ...complete(user, 'REDIS_PASSWORD'),
    sentinel: complete(sentinel, 'REDIS_SENTINEL_PASSWORD'),
    tls: tlsSettings(read, read.get('REDIS_TLS') ?? false),
  };
}

const clusterSettings = (read: EnvReader, user: Credentials): RedisClusterSettings => ({
  kind: 'cluster',
  nodes: read.get('REDIS_CLUSTER_NODES')!,
  ...complete(user, 'REDIS_PASSWORD'),
  tls: tlsSettings(read, read.get('REDIS_TLS') ?? false),
});

function complete({ username, password }: Credentials, passwordName: string): Credentials {
  if (username !== undefined && password === undefined)
    throw new ConfigError(passwordName, undefined, 'a password, as there is a user');
  return { username, password };
}

/**
 * Credentials from the URL or from the settings, so that the password can be a secret of its own. If both have them,
 * they must be equal.
 */
function credentialsWithUrl(user: Credentials, url: URL): Credentials {
  const username = withUrl('REDIS_USERNAME', user.username, url.username);
  const password = withUrl('REDIS_PASSWORD', user.password, url.password);
  return complete({ username, password }, 'REDIS_PASSWORD');
}

function withUrl(name: string, value: string | undefined, encoded: string): string | undefined {
  const inUrl = decoded(encoded);
  if (inUrl === '' || value === undefined || value === inUrl) return inUrl === '' ? value : inUrl;
  throw new ConfigError(name, 'a value that differs from REDIS_URL', 'the same value as in REDIS_URL, or nothing');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConfigError('REDIS_URL', 'a user or password that is not percent-encoded', URL_PARTS);
  }
}

function tlsWithUrl(read: EnvReader, isOn: boolean): RedisTls | undefined {
  if ((read.get('REDIS_TLS') ?? isOn) !== isOn) {
    const [got, takes] = isOn
      ? ["'false' together with rediss://", 'true']
      : ["'true' together with redis://", 'false'];
    throw new ConfigError('REDIS_TLS', got, `${takes}, as REDIS_URL says, or nothing`);
  }
  return tlsSettings(read, isOn);
}

const TLS_FILES = ['REDIS_TLS_CA_FILE', 'REDIS_TLS_CERT_FILE', 'REDIS_TLS_KEY_FILE'] as const;

function tlsSettings(read: EnvReader, isOn: boolean): RedisTls | undefined {
  const stray = isOn ? undefined : TLS_FILES.find((name) => read.isSet(name));
  if (stray !== undefined)
    throw new ConfigError(stray, 'a file without TLS', 'a file together with rediss:// or REDIS_TLS=true');
  const [ca, cert, key] = TLS_FILES.map((name) => read.get(name));
  if (cert !== undefined && key === undefined)
    throw new ConfigError('REDIS_TLS_KEY_FILE', undefined, `${TAKES_KEY}, as REDIS_TLS_CERT_FILE is set`);
  if (key !== undefined && cert === undefined)
    throw new ConfigError('REDIS_TLS_CERT_FILE', undefined, `${TAKES_CERTIFICATES}, as REDIS_TLS_KEY_FILE is set`);
  return isOn ? { ca, cert, key } : undefined;
}
