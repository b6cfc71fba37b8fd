import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ConfigError, type EnvReader } from './env-reader.js';

export interface HostAndPort {
  host: string;
  port: number;
}

/** PEM. What is `undefined` is as Node has it: the public authorities, and no certificate of ours. */
export interface RedisTls {
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

export interface RedisClusterSettings extends RedisAccess {
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
const BELONGS_TO: Record<string, readonly Location[]> = {
  REDIS_SENTINEL_MASTER: ['REDIS_SENTINELS'],
  REDIS_SENTINEL_USERNAME: ['REDIS_SENTINELS'],
  REDIS_SENTINEL_PASSWORD: ['REDIS_SENTINELS'],
  REDIS_DB: ['REDIS_SENTINELS'],
  REDIS_TLS: LOCATIONS,
  REDIS_TLS_CA_FILE: LOCATIONS,
  REDIS_TLS_CERT_FILE: LOCATIONS,
  REDIS_TLS_KEY_FILE: LOCATIONS,
};

const BOOLEANS = ['true', 'false'] as const;
const MAX_DB = 65_535;

/** `undefined`: there is no Redis. */
export function redisSettings(read: EnvReader): RedisSettings | undefined {
  const [location, other] = LOCATIONS.filter((name) => read.optional(name) !== undefined);
  if (location !== undefined && other !== undefined)
    throw new ConfigError(other, `a value beside ${location}`, `a value alone, as one of ${LOCATIONS.join(', ')}`);
  for (const [name, locations] of Object.entries(BELONGS_TO)) refuseStray(read, name, locations, location);
  const user = { username: read.optional('REDIS_USERNAME'), password: read.optional('REDIS_PASSWORD') };
  if (location === 'REDIS_URL') return serverSettings(read, user);
  if (location === 'REDIS_SENTINELS') return sentinelSettings(read, user);
  return location && clusterSettings(read, user);
}

function refuseStray(
  read: EnvReader,
  name: string,
  locations: readonly Location[],
  location: Location | undefined,
): void {
  if (read.optional(name) === undefined || (location !== undefined && locations.includes(location))) return;
  const got = location === undefined ? 'a value without a Redis' : `a value beside ${location}`;
  throw new ConfigError(name, got, `a value beside ${locations.join(', ')} alone`);
}

const PROTOCOLS = ['redis:', 'rediss:'];
const URL_PARTS = 'redis://[user:password@]host[:port][/database], or rediss:// likewise';

function serverSettings(read: EnvReader, user: Credentials): RedisServerSettings {
  const url = new URL(read.url('REDIS_URL', PROTOCOLS)!);
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

const sentinelSettings = (read: EnvReader, user: Credentials): RedisSentinelSettings => ({
  kind: 'sentinel',
  sentinels: hostsAndPorts(read, 'REDIS_SENTINELS'),
  master: required(read, 'REDIS_SENTINEL_MASTER', "the master's name, as REDIS_SENTINELS is set"),
  db: read.integer('REDIS_DB', 0, 0, MAX_DB),
  ...complete(user, 'REDIS_PASSWORD'),
  sentinel: complete(sentinelUser(read), 'REDIS_SENTINEL_PASSWORD'),
  tls: tlsSettings(read, read.oneOf('REDIS_TLS', BOOLEANS, 'false') === 'true'),
});

const clusterSettings = (read: EnvReader, user: Credentials): RedisClusterSettings => ({
  kind: 'cluster',
  nodes: hostsAndPorts(read, 'REDIS_CLUSTER_NODES'),
  ...complete(user, 'REDIS_PASSWORD'),
  tls: tlsSettings(read, read.oneOf('REDIS_TLS', BOOLEANS, 'false') === 'true'),
});

const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[a-z\d]([\w.-]*[a-z\d])?):(\d{1,5})$/i;

function hostsAndPorts(read: EnvReader, name: string): HostAndPort[] {
  const parts = read.text(name, '').split(',');
  return parts.map((part) => {
    const [, host, , port] = HOST_AND_PORT.exec(part.trim()) ?? [];
    if (host !== undefined && Number(port) > 0 && Number(port) < 65_536)
      return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
    // a URL is not repeated: it may carry a password
    const got = /[/@]/.test(part) ? 'something else' : `'${part}'`;
    throw new ConfigError(name, got, 'host:port, further ones after commas');
  });
}

function required(read: EnvReader, name: string, takes: string): string {
  const value = read.optional(name);
  if (value === undefined) throw new ConfigError(name, undefined, takes);
  return value;
}

const sentinelUser = (read: EnvReader): Credentials => ({
  username: read.optional('REDIS_SENTINEL_USERNAME'),
  password: read.optional('REDIS_SENTINEL_PASSWORD'),
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
  if (read.oneOf('REDIS_TLS', BOOLEANS, String(isOn) as 'true' | 'false') !== String(isOn)) {
    const [got, takes] = isOn ? ["'false' beside rediss://", 'true'] : ["'true' beside redis://", 'false'];
    throw new ConfigError('REDIS_TLS', got, `${takes}, as REDIS_URL says, or nothing`);
  }
  return tlsSettings(read, isOn);
}

function tlsSettings(read: EnvReader, isOn: boolean): RedisTls | undefined {
  const tls = {
    ca: pem(read, 'REDIS_TLS_CA_FILE', isOn, CERTIFICATES, (text) => new X509Certificate(text)),
    cert: pem(read, 'REDIS_TLS_CERT_FILE', isOn, CERTIFICATES, (text) => new X509Certificate(text)),
    key: pem(read, 'REDIS_TLS_KEY_FILE', isOn, PRIVATE_KEY, createPrivateKey),
  };
  if (tls.cert !== undefined && tls.key === undefined)
    throw new ConfigError('REDIS_TLS_KEY_FILE', undefined, `${PRIVATE_KEY}, as REDIS_TLS_CERT_FILE is set`);
  if (tls.key !== undefined && tls.cert === undefined)
    throw new ConfigError('REDIS_TLS_CERT_FILE', undefined, `${CERTIFICATES}, as REDIS_TLS_KEY_FILE is set`);
  return isOn ? tls : undefined;
}

const CERTIFICATES = 'the path of a file of certificates in PEM';
const PRIVATE_KEY = 'the path of a file of a private key in PEM, without a passphrase';

/** `parse` throws when the text is not what the setting takes. */
function pem(
  read: EnvReader,
  name: string,
  isTls: boolean,
  takes: string,
  parse: (text: string) => unknown,
): string | undefined {
  if (!isTls && read.optional(name) !== undefined)
    throw new ConfigError(name, 'a file without TLS', 'a file beside rediss:// or REDIS_TLS=true');
  const text = read.file(name, takes);
  try {
    if (text !== undefined) parse(text);
  } catch {
    throw new ConfigError(name, 'a file of something else', takes);
  }
  return text;
}
