import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from './config-error.js';
import { type Parse, url as parseUrl } from './parsers.js';

const requireUrl = parseUrl('postgres:', 'postgresql:');

/** Scheme, login, hosts, rest. A password may contain an unescaped `@`: the last `@` counts, as in `URL`. */
const PARTS = /^([a-z][a-z\d+.-]*:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** The allowed kinds of servers: libpq's `target_session_attrs`. */
const SESSIONS = {
  any: 'any',
  'read-write': 'writable',
  primary: 'writable',
  'read-only': 'read-only',
  standby: 'read-only',
} as const;

type Sessions = (typeof SESSIONS)[keyof typeof SESSIONS];

/** How to connect to PostgreSQL, parsed from a URL in libpq's format. */
export interface DatabaseAddress {
  /** One URL for each host, without the parameters that this service handles itself. */
  urls: [string, ...string[]];
  sessions: Sessions;
  /** `undefined`: pg's default, plain text unless the URL says otherwise. */
  ssl: ConnectionOptions | false | undefined;
  /** Session settings (`-c name=value`). If they stayed in the URL, they would replace our own. */
  options: string | undefined;
}

/**
 * Reads `postgres://user:password@host:5432,host:5432/database?target_session_attrs=read-write&sslmode=verify-full`. Throws a
 * `ConfigError` of `setting` that never repeats the URL. https://www.postgresql.org/docs/current/libpq-connect.html
 */
export function databaseAddress(setting: string, url: string): DatabaseAddress {
  const [, scheme, login, hosts, rest] = PARTS.exec(url) ?? [];
  if (hosts === undefined)
    return { urls: [requireUrl(url, setting)], sessions: 'any', ssl: undefined, options: undefined };
  const urls = hosts.split(',').map((host) => requireUrl(`${scheme}${login}${host}${rest}`, setting));
  const parameters = new URL(urls[0]!).searchParams;
  return {
    urls: urls.map(withoutOurParameters) as [string, ...string[]],
    sessions: sessionsOf(setting, parameters),
    ssl: sslOf(setting, parameters),
    options: parameters.get('options') ?? undefined,
  };
}

/** The URL as given. */
export const databaseUrl: Parse<string> = (url, name) => {
  databaseAddress(name, url);
  return url;
};

/** Hosts and ports for messages, without login and parameters. */
export const hostsOf = (url: string): string => PARTS.exec(url)?.[3] || 'localhost';

const OUR_PARAMETERS = ['options', 'target_session_attrs', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

function withoutOurParameters(url: string): string {
  const changed = new URL(url);
  // unchanged if it has none of our parameters, because writing parameters encodes them again
  if (!OUR_PARAMETERS.some((name) => changed.searchParams.has(name))) return url;
  for (const name of OUR_PARAMETERS) changed.searchParams.delete(name);
  return changed.href;
}

function sessionsOf(setting: string, parameters: URLSearchParams): Sessions {
  const given = parameters.get('target_session_attrs') ?? 'any';
  if (Object.hasOwn(SESSIONS, given)) return SESSIONS[given as keyof typeof SESSIONS];
  const takes = `target_session_attrs ${Object.keys(SESSIONS).join(', ')}`;
  throw new ConfigError(setting, `target_session_attrs '${given}'`, takes);
}

const MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * `require` verifies like `verify-full`, which is stricter than libpq: encryption to an unknown server does not protect
 * against an attacker in between. `prefer` and `allow` are refused, because an attacker can make them fall back to
 * plain text.
 */
function sslOf(setting: string, parameters: URLSearchParams): DatabaseAddress['ssl'] {
  const files = fileParameters(setting, parameters);
  const mode = parameters.get('sslmode') ?? (files ? 'verify-full' : undefined);
  if (mode === undefined) return undefined;
  if (!MODES.includes(mode)) throw new ConfigError(setting, `sslmode '${mode}'`, `sslmode ${MODES.join(', ')}`);
  if (mode === 'disable') return false;
  if (mode === 'no-verify') return { ...files, rejectUnauthorized: false };
  if (mode !== 'verify-ca') return files ?? {};
  if (files?.ca === undefined)
    throw new ConfigError(setting, 'sslmode verify-ca without sslrootcert', 'sslrootcert with it');
  return { ...files, checkServerIdentity: () => undefined };
}

function fileParameters(setting: string, parameters: URLSearchParams): ConnectionOptions | undefined {
  const read = (name: string) => fileOf(setting, name, parameters.get(name));
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')];
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
}

function fileOf(setting: string, parameter: string, path: string | null): string | undefined {
  // libpq's value for the public authorities
  if (path === null || (parameter === 'sslrootcert' && path === 'system')) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(setting, `${parameter} '${path}' (${code})`, `a file in ${parameter}`);
  }
}
