import { ConfigError } from './config-error.js';
import type { EnvReader } from './env-reader.js';
import { type HostAndPort, TAKES_CERTIFICATES, TAKES_KEY } from './parsers.js';
import type { SettingName } from './settings.js';

/** PEM. What is `undefined` is as Node has it: the public authorities, and no certificate of ours. */
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
  /** Its name, as the sentinels have it. */
  master: string;
  db: number;
  /** Of the sentinels; `username` and `password` are of the servers that they watch. */
  sentinel: Credentials;
}

interface RedisClusterSettings extends RedisAccess {
  kind: 'cluster';
  /** Some of them: each knows the others. */
  nodes: HostAndPort[];
}

/** Where Redis is, and what it takes to get in. */
export type RedisSettings = RedisServerSettings | RedisSentinelSettings | RedisClusterSettings;

const LOCATIONS = ['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'] as const;
type Location = (typeof LOCATIONS)[number];

/**
 * Beside which locations a setting means something. Elsewhere it is refused: its author expects something of it. Not so
 * REDIS_USERNAME and REDIS_PASSWORD, which lie in many an environment for the Redis server itself.
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

/** `undefined`: there is no Redis. */
export function redisSettings(read: EnvReader): RedisSettings | undefined {
  const [location, other] = LOCATIONS.filter((name) => read.isSet(name));
  if (location !== undefined && other !== undefined)
    throw new ConfigError(other, `a value beside ${location}`, `a value alone, as one of ${LOCATIONS.join(', ')}`);
  for (const name of Object.keys(BELONGS_TO) as (keyof typeof BELONGS_TO)[]) refuseStray(read, name, location);
  const user = { username: read.get('REDIS_USERNAME'), password: read.get('REDIS_PASSWORD') };
  if (location === 'REDIS_URL') return serverSettings(read, user);
  if (location === 'REDIS_SENTINELS') return sentinelSettings(read, user);
  return location && clusterSettings(read, user);
}

function refuseStray(read: EnvReader, name: keyof typeof BELONGS_TO, location: Location | undefined): void {
  const locations: readonly Location[] = BELONGS_TO[name];
  if (!read.isSet(name) || (location !== undefined && locations.includes(location))) return;
  const got = location === undefined ? 'a value without a Redis' : `a value beside ${location}`;
  throw new ConfigError(name, got, `a value beside ${locations.join(', ')} alone`);
}

const URL_PARTS = 'redis://[user:password@]host[:port][/database], or rediss:// likewise';

function serverSettings(read: EnvReader, user: Credentials): RedisServerSettings {
  const url = new URL(read.get('REDIS_URL')!);
  if (url.hostname === '') throw new ConfigError('REDIS_URL', 'a URL without a host', URL_PARTS);
  if (`${url.search}${url.hash}` !== '')
    throw new ConfigError('REDIS_URL', 'a URL with more than a database', URL_PARTS);
  if (!/^(\/\d{0,5})?$/.test(url.pathname))
    throw new ConfigError('REDIS_URL', 'a URL whose path is no number of a database', URL_PARTS);
  return {
    kind: 'server',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 6_379 : Number(url.port),
    db: Number(url.pathname.slice(1)),
    ...credentialsBesideUrl(user, url),
    tls: tlsBesideUrl(read, url.protocol === 'rediss:'),
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

/** In the URL, or beside it, so that the password can be a secret of its own; where both have it, they must agree. */
function credentialsBesideUrl(user: Credentials, url: URL): Credentials {
  const username = besideUrl('REDIS_USERNAME', user.username, url.username);
  const password = besideUrl('REDIS_PASSWORD', user.password, url.password);
  return complete({ username, password }, 'REDIS_PASSWORD');
}

function besideUrl(name: string, value: string | undefined, encoded: string): string | undefined {
  const inUrl = decoded(encoded);
  if (inUrl === '' || value === undefined || value === inUrl) return inUrl === '' ? value : inUrl;
  throw new ConfigError(name, 'another than REDIS_URL has', 'what REDIS_URL does not have, or has alike');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConfigError('REDIS_URL', 'a user or password that is not percent-encoded', URL_PARTS);
  }
}

function tlsBesideUrl(read: EnvReader, isOn: boolean): RedisTls | undefined {
  if ((read.get('REDIS_TLS') ?? isOn) !== isOn) {
    const [got, takes] = isOn ? ["'false' beside rediss://", 'true'] : ["'true' beside redis://", 'false'];
    throw new ConfigError('REDIS_TLS', got, `${takes}, as REDIS_URL says, or nothing`);
  }
  return tlsSettings(read, isOn);
}

const TLS_FILES = ['REDIS_TLS_CA_FILE', 'REDIS_TLS_CERT_FILE', 'REDIS_TLS_KEY_FILE'] as const;

function tlsSettings(read: EnvReader, isOn: boolean): RedisTls | undefined {
  const stray = isOn ? undefined : TLS_FILES.find((name) => read.isSet(name));
  if (stray !== undefined)
    throw new ConfigError(stray, 'a file without TLS', 'a file beside rediss:// or REDIS_TLS=true');
  const [ca, cert, key] = TLS_FILES.map((name) => read.get(name));
  if (cert !== undefined && key === undefined)
    throw new ConfigError('REDIS_TLS_KEY_FILE', undefined, `${TAKES_KEY}, as REDIS_TLS_CERT_FILE is set`);
  if (key !== undefined && cert === undefined)
    throw new ConfigError('REDIS_TLS_CERT_FILE', undefined, `${TAKES_CERTIFICATES}, as REDIS_TLS_KEY_FILE is set`);
  return isOn ? { ca, cert, key } : undefined;
}
