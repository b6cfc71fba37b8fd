import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';

/** A setting that the service cannot start with; `message` is the one line that the operator sees. */
export class ConfigError extends Error {
  constructor(
    readonly setting: string,
    got: string | undefined,
    takes: string,
  ) {
    super(`${setting}: got ${got === undefined ? 'nothing' : onOneLine(got)}, takes ${takes}`);
    this.name = 'ConfigError';
  }
}

const onOneLine = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
};

/** The shortest prefix that a network may have: none is wider. */
export interface WidestNetworks {
  ipv4: number;
  ipv6: number;
}

/** Typed access to environment variables. An empty value counts as absent, as `docker compose` passes it for unset ones. */
export class EnvReader {
  constructor(private readonly env: Record<string, string | undefined>) {}

  optional(name: string): string | undefined {
    const value = this.env[name];
    return value === undefined || value === '' ? undefined : value;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.optional(name);
    return value === undefined ? fallback : this.parseInteger(name, value, min, max);
  }

  integers(name: string, fallback: number[], min: number, max: number): number[] {
    const value = this.optional(name);
    if (value === undefined) return fallback;
    return value.split(',').map((part) => this.parseInteger(name, part.trim(), min, max));
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.text(name, fallback);
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new ConfigError(name, `'${value}'`, `one of ${allowed.join(', ')}`);
    return found;
  }

  /** An IP address or a host name to listen on. */
  host(name: string, fallback: string): string {
    const value = this.text(name, fallback);
    if (isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) return value;
    throw new ConfigError(name, `'${value}'`, 'an IP address or a host name');
  }

  /** The URL as given. Its value is not repeated in the error: it may carry a password. */
  url(name: string, protocols: string[]): string | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    const takes = `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    if (!URL.canParse(value) || !/^[a-z][a-z\d+.-]*:\/\//i.test(value)) {
      throw new ConfigError(name, 'something that is no URL', takes);
    }
    const { protocol, hostname } = new URL(value);
    if (!protocols.includes(protocol)) throw new ConfigError(name, `a URL that starts with ${protocol}//`, takes);
    if (hostname === '' && protocol.startsWith('http')) throw new ConfigError(name, 'a URL without a host', takes);
    return value;
  }

  /**
   * As `url`, of what nobody may listen to: who stands between could read tokens and secret keys, and change everything.
   * https, or http on this machine.
   */
  secureUrl(name: string): string | undefined {
    const url = this.url(name, ['https:', 'http:']);
    if (url === undefined) return undefined;
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return url;
    const got = `a URL that starts with http:// on ${hostname}`;
    throw new ConfigError(name, got, 'https://, or http:// on this machine (localhost, 127.0.0.0/8, ::1)');
  }

  /** The text of the file whose path is the setting. */
  file(name: string, takes: string): string | undefined {
    const path = this.optional(name);
    if (path === undefined) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ConfigError(name, `'${path}', which cannot be read (${code ?? 'no reason given'})`, takes);
    }
  }

  /** Comma-separated CIDRs such as `10.0.0.0/8,::1/128`. */
  networks(name: string, fallback: string, widest: WidestNetworks = { ipv4: 0, ipv6: 0 }): BlockList {
    const list = new BlockList();
    for (const part of this.text(name, fallback).split(',')) {
      const cidr = part.trim();
      if (cidr !== '') this.addNetwork(list, name, cidr, widest);
    }
    return list;
  }

  private addNetwork(list: BlockList, name: string, cidr: string, widest: WidestNetworks): void {
    const [address = '', prefix = '', ...rest] = cidr.split('/');
    // isIP takes zones (fe80::1%eth0), a BlockList does not
    const version = address.includes('%') ? 0 : isIP(address);
    const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
    if (version === 0 || rest.length > 0 || !(bits <= (version === 4 ? 32 : 128))) {
      throw new ConfigError(name, `'${cidr}'`, 'CIDRs such as 10.0.0.0/8,::1/128');
    }
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits < widest[family]) {
      const takes = `networks no wider than /${widest.ipv4}, in IPv6 /${widest.ipv6}`;
      throw new ConfigError(name, `'${cidr}'`, takes);
    }
    list.addSubnet(address, bits, family);
  }

  private parseInteger(name: string, value: string, min: number, max: number): number {
    const number = /^-?\d+$/.test(value) ? Number(value) : NaN;
    if (!(number >= min && number <= max))
      throw new ConfigError(name, `'${value}'`, `an integer from ${min} to ${max}`);
    return number;
  }
}

/** Why the process cannot start, in one line for the operator. */
export class StartError extends Error {}

/** The one line for stderr. Failures that we did not foresee are in the log with their stack. */
export function startFailureLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/\s*\n\s*/g, ' ');
  return error instanceof StartError || error instanceof ConfigError ? line : `cannot start: ${line}`;
}

export const isForeseen = (error: unknown): boolean => error instanceof StartError || error instanceof ConfigError;
