import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { isObject } from '../../shared/json.js';
import { parsedUrl } from '../../shared/parsed-url.js';
import { ConfigError } from './config-error.js';

/** Parses the text of a setting. Throws a `ConfigError` of `name`, without any text that may contain a password. */
export type Parse<T> = (text: string, name: string) => T;

export const text: Parse<string> = (value) => value;

export const integer =
  (min: number, max: number): Parse<number> =>
  (value, name) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    throw new ConfigError(name, `'${value}'`, `an integer from ${min} to ${max}`);
  };

/** 0, or an integer from `min` to `max`. */
export const zeroOr =
  (min: number, max: number): Parse<number> =>
  (value, name) => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (number === 0 || (number >= min && number <= max)) return number;
    throw new ConfigError(name, `'${value}'`, `0, or an integer from ${min} to ${max}`);
  };

export const integers =
  (min: number, max: number): Parse<number[]> =>
  (value, name) =>
    value.split(',').map((part) => integer(min, max)(part.trim(), name));

export const oneOf =
  <const T extends string>(...allowed: T[]): Parse<T> =>
  (value, name) => {
    const found = allowed.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    throw new ConfigError(name, `'${value}'`, `one of ${allowed.join(', ')}`);
  };

export const boolean: Parse<boolean> = (value, name) => oneOf('true', 'false')(value, name) === 'true';

/** A number from 0 to 1. */
export const ratio: Parse<number> = (value, name) => {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN;
  if (number <= 1) return number;
  throw new ConfigError(name, `'${value}'`, 'a number from 0 to 1');
};

/** By the name of a claim, the role of each group in it. */
export type GroupRoles = Record<string, Record<string, string>>;

/** JSON. The names of roles are checked by the feature that knows them. */
export const groupRoles: Parse<GroupRoles> = (value, name) => {
  const parsed = parsedJson(value);
  const isMapping = (each: unknown): boolean => isObject(each) && Object.values(each).every(isText);
  if (isObject(parsed) && Object.keys(parsed).length > 0 && Object.values(parsed).every(isMapping))
    return parsed as GroupRoles;
  throw new ConfigError(name, `'${value}'`, 'JSON such as {"groups":{"payments-support":"support"}}');
};

const isText = (value: unknown): boolean => typeof value === 'string';

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An IP address or a host name to listen on. */
export const host: Parse<string> = (value, name) => {
  if (isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) return value;
  throw new ConfigError(name, `'${value}'`, 'an IP address or a host name');
};

/** Space-separated OAuth scopes. */
export const openIdScopes: Parse<string> = (value, name) => {
  if (value.split(' ').includes('openid')) return value;
  throw new ConfigError(name, `'${value}'`, 'scopes separated by spaces, including openid');
};

/** The URL as given. */
export const url =
  (...protocols: string[]): Parse<string> =>
  (value, name) => {
    const takes = `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    const parsed = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? parsedUrl(value) : undefined;
    if (parsed === undefined) throw new ConfigError(name, 'a value that is not a URL', takes);
    const { protocol, hostname } = parsed;
    if (!protocols.includes(protocol)) throw new ConfigError(name, `a URL that starts with ${protocol}//`, takes);
    if (hostname === '' && protocol.startsWith('http')) throw new ConfigError(name, 'a URL without a host', takes);
    return value;
  };

/**
 * An https URL, or an http URL on this machine: otherwise an attacker on the network could read tokens and secret keys,
 * and change everything.
 */
export const secureUrl: Parse<string> = (value, name) => {
  const { protocol, hostname } = new URL(url('https:', 'http:')(value, name));
  if (protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return value;
  const got = `a URL that starts with http:// on ${hostname}`;
  throw new ConfigError(name, got, 'https://, or http:// on this machine (localhost, 127.0.0.0/8, ::1)');
};

/** An origin to which merchants' secret keys are sent. A path is refused, because the SDK sets its own. */
export const secureOrigin: Parse<string> = (value, name) => {
  const { origin, href } = new URL(secureUrl(value, name));
  if (href === `${origin}/`) return origin;
  throw new ConfigError(name, 'a URL with more than an origin', 'only scheme, host and port');
};

/** A base URL to which payers' browsers return. It may have a path, for a proxy in front. */
export const secureBase: Parse<string> = (value, name) =>
  withoutSlash(withPathOnly(secureUrl(value, name), name, 'only scheme, host, port and path'));

/** Appends the signal's path to the endpoint, as in opentelemetry.io, "OpenTelemetry Protocol Exporter". */
export const tracesUrl: Parse<string> = (value, name) => {
  const takes = 'only scheme, host, port and path; credentials go into OTEL_EXPORTER_OTLP_HEADERS';
  return `${withoutSlash(withPathOnly(url('http:', 'https:')(value, name), name, takes))}/v1/traces`;
};

export const webBase: Parse<string> = (value, name) => withoutSlash(url('http:', 'https:')(value, name));

const MODULE = /^(\.{0,2}\/\S+|(@[\w.-]+\/)?[a-z\d][\w.-]*(\/[\w./-]+)?)$/i;

/** Names of packages, and paths of modules. URLs are refused: code is not loaded over the network. */
export const moduleNames: Parse<string[]> = (value, name) => {
  const names = value.split(',').map((part) => part.trim());
  return names.filter(Boolean).map((part) => {
    if (MODULE.test(part)) return part;
    throw new ConfigError(name, `'${part}'`, 'names of packages, or paths that begin with ./, ../ or /');
  });
};

const withoutSlash = (value: string): string => value.replace(/\/+$/, '');

function withPathOnly(value: string, name: string, takes: string): string {
  const { username, password, search, hash, origin, pathname } = new URL(value);
  if (`${username}${password}${search}${hash}` === '') return `${origin}${pathname}`;
  throw new ConfigError(name, 'a URL with more than a path', takes);
}

const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[a-z\d]([\w.-]*[a-z\d])?):(\d{1,5})$/i;

export interface HostAndPort {
  host: string;
  port: number;
}

export const hostsAndPorts: Parse<HostAndPort[]> = (value, name) =>
  value.split(',').map((part) => {
    const [, host, , port] = HOST_AND_PORT.exec(part.trim()) ?? [];
    if (host !== undefined && Number(port) > 0 && Number(port) < 65_536)
      return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
    // a URL is not repeated, because it may contain a password
    const got = /[/@]/.test(part) ? 'something else' : `'${part}'`;
    throw new ConfigError(name, got, 'host:port, several separated by commas');
  });

/** `key=value,key=value` in OpenTelemetry's format. Not repeated in the error, because headers may contain keys. */
export const pairs: Parse<Record<string, string>> = (value, name) => {
  const parts = value.split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [, key, encoded] = /^\s*([\w.-]{1,100})\s*=([^]*)$/.exec(part) ?? [];
      const decoded = encoded === undefined ? undefined : percentDecoded(encoded.trim());
      if (key !== undefined && decoded !== undefined) return [key, decoded];
      throw new ConfigError(name, 'something else', 'pairs such as key=value,key=value, values percent-encoded');
    }),
  );
};

/** `undefined`: not percent-encoded, or it hides a line break. */
function percentDecoded(encoded: string): string | undefined {
  try {
    const decoded = decodeURIComponent(encoded);
    return /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

export const TAKES_CERTIFICATES = 'the path of a file of certificates in PEM';
export const TAKES_KEY = 'the path of a file of a private key in PEM, without a passphrase';

/** Reads the file whose path is the setting. `check` throws when the text is invalid. */
const file =
  (takes: string, check: (text: string) => unknown): Parse<string> =>
  (path, name) => {
    let content: string;
    try {
      content = readFileSync(path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ConfigError(name, `'${path}', which cannot be read (${code ?? 'no reason given'})`, takes);
    }
    try {
      check(content);
    } catch {
      throw new ConfigError(name, 'a file with other content', takes);
    }
    return content;
  };

export const certificates = file(TAKES_CERTIFICATES, (pem) => new X509Certificate(pem));
export const privateKey = file(TAKES_KEY, createPrivateKey);

/** Comma-separated CIDRs. `widest`: the shortest allowed prefixes. */
export const networks =
  (widest = { ipv4: 0, ipv6: 0 }): Parse<BlockList> =>
  (value, name) => {
    const list = new BlockList();
    for (const part of value.split(',')) {
      const cidr = part.trim();
      if (cidr !== '') addNetwork(list, name, cidr, widest);
    }
    return list;
  };

function addNetwork(list: BlockList, name: string, cidr: string, widest: { ipv4: number; ipv6: number }): void {
  const [address = '', prefix = '', ...rest] = cidr.split('/');
  // isIP accepts zones (fe80::1%eth0), a BlockList does not
  const version = address.includes('%') ? 0 : isIP(address);
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
  if (version === 0 || rest.length > 0 || !(bits <= (version === 4 ? 32 : 128)))
    throw new ConfigError(name, `'${cidr}'`, 'CIDRs such as 10.0.0.0/8,::1/128');
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (bits < widest[family])
    throw new ConfigError(name, `'${cidr}'`, `networks no wider than /${widest.ipv4}, in IPv6 /${widest.ipv6}`);
  list.addSubnet(address, bits, family);
}
