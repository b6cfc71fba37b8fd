import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from './config-error.js';
import { type Parse, url as parseUrl } from './parsers.js';

const requireUrl = parseUrl('postgres:', 'postgresql:');

/** Scheme, login, hosts, all the rest. A password may hold an unescaped `@`: the last one counts, as it does for `URL`. */
const PARTS = /^([a-z][a-z\d+.-]*:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** What a server must be for a connection to stay there: libpq's `target_session_attrs`. */
const SESSIONS = {
  any: 'any',
  'read-write': 'writable',
  primary: 'writable',
  'read-only': 'read-only',
  standby: 'read-only',
} as const;

type Sessions = (typeof SESSIONS)[keyof typeof SESSIONS];

/** Where PostgreSQL is and how it is reached, of a URL as libpq takes it. */
export interface DatabaseAddress {
  /** One URL for each host, without the parameters that are ours to carry out. */
  urls: [string, ...string[]];
  sessions: Sessions;
  /** `undefined`: as pg has it, which is plain text unless the URL says otherwise. */
  ssl: ConnectionOptions | false | undefined;
  /** Settings of the session (`-c name=value`). In the URL they would replace those that we give. */
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
    urls: urls.map(withoutOurs) as [string, ...string[]],
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

/** Hosts and ports, for people: neither login nor parameters. */
export const hostsOf = (url: string): string => PARTS.exec(url)?.[3] || 'localhost';

const OURS = ['options', 'target_session_attrs', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

function withoutOurs(url: string): string {
  const changed = new URL(url);
  // as it was given, where nothing of it is ours: writing parameters encodes them anew
  if (!OURS.some((name) => changed.searchParams.has(name))) return url;
  for (const name of OURS) changed.searchParams.delete(name);
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
 * `require` verifies as `verify-full` does, which is more than libpq asks: encrypted for an unknown server is for whoever
 * stands between. `prefer` and `allow` are refused, as they go on in plain text when somebody asks them to.
 */
function sslOf(setting: string, parameters: URLSearchParams): DatabaseAddress['ssl'] {
  const files = fileParameters(setting, parameters);
  const mode = parameters.get('sslmode') ?? (files ? 'verify-full' : undefined);
  if (mode === undefined) return undefined;
  if (!MODES.includes(mode)) throw new ConfigError(setting, `sslmode '${mode}'`, `sslmode ${MODES.join(', ')}`);
  if (mode === 'disable') return false;
  if (mode === 'no-verify') return { ...files, rejectUnauthorized: false };
  if (mode !== 'verify-ca') return files ?? {};
  if (files?.ca === undefined) throw new ConfigError(setting, 'sslmode verify-ca alone', 'sslrootcert with it');
  return { ...files, checkServerIdentity: () => undefined };
}

function fileParameters(setting: string, parameters: URLSearchParams): ConnectionOptions | undefined {
  const read = (name: string) => fileOf(setting, name, parameters.get(name));
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')];
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
}

function fileOf(setting: string, parameter: string, path: string | null): string | undefined {
  // libpq's word for the authorities that everybody trusts
  if (path === null || (parameter === 'sslrootcert' && path === 'system')) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(setting, `${parameter} '${path}' (${code})`, `a file in ${parameter}`);
  }
}
