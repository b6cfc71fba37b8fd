import { isIP, type BlockList } from 'node:net';
import { isForbiddenAddress } from './addresses.js';
import { parsedUrl } from '../../shared/parsed-url.js';

/** Where a URL leads, as it is dialled and asked for. */
export interface Endpoint {
  /** `scheme://host[:port]`, the key of its connections. */
  origin: string;
  /** An IP address without brackets, or a name in ASCII without a trailing dot. */
  host: string;
  port: number;
  secure: boolean;
  /** Path and query. */
  path: string;
}

/** Why a URL leads to no endpoint; `message` fits behind the name of a field. */
export class EndpointRefusal {
  constructor(
    readonly code: 'invalid_url' | 'https_required' | 'forbidden_port' | 'forbidden_address',
    readonly message: string,
  ) {}
}

/** Who may be called. */
export interface EndpointPolicy {
  /** Networks exempt from the ban on non-public addresses, and from `requireHttps`. */
  allowed: BlockList;
  requireHttps: boolean;
}

const MAX_URL_LENGTH = 2048;

/**
 * Why `url` cannot be a webhook endpoint, or `null`. For registration: names are not resolved
 * here, so an endpoint without a problem can still be refused when it is called.
 */
export function endpointProblem(url: string, allowed: BlockList, requireHttps = false): EndpointRefusal | null {
  const endpoint = parseEndpoint(url, { allowed, requireHttps });
  return endpoint instanceof EndpointRefusal ? endpoint : null;
}

export function parseEndpoint(url: string, policy: EndpointPolicy): Endpoint | EndpointRefusal {
  if (url.length > MAX_URL_LENGTH)
    return new EndpointRefusal('invalid_url', `must have at most ${MAX_URL_LENGTH} characters`);
  // URL parsers forgive missing slashes, backslashes, tabs and newlines; readers of the URL may then see another host.
  const authority = /^https?:\/\/([^/?#\\]+)[^\s\\]*$/i.exec(url)?.[1];
  const parsed = parsedUrl(url);
  if (authority === undefined || hasUnprintable(url) || !parsed) {
    return new EndpointRefusal('invalid_url', 'must be an absolute http or https URL');
  }
  if (authority.includes('@')) return new EndpointRefusal('invalid_url', 'must not carry credentials');
  const endpoint = endpointOf(parsed);
  if (endpoint.host === '') return new EndpointRefusal('invalid_url', 'must be an absolute http or https URL');
  return refusal(endpoint, policy) ?? endpoint;
}

function refusal({ host, port, secure }: Endpoint, policy: EndpointPolicy): EndpointRefusal | null {
  if (port !== 80 && port !== 443 && port < 1024) {
    return new EndpointRefusal('forbidden_port', 'must use port 80, 443 or one from 1024 to 65535');
  }
  const literal = literalAddress(host);
  if (literal !== null && isForbiddenAddress(literal, policy.allowed)) {
    return new EndpointRefusal('forbidden_address', 'must not lead to a private, local or reserved address');
  }
  if (!policy.requireHttps || secure || (literal !== null && isExempt(literal, policy.allowed))) return null;
  return new EndpointRefusal('https_required', 'must be an https URL');
}

/** The address that needs no resolver to be known. `localhost` and names below it are loopback (RFC 6761, 6.3). */
function literalAddress(host: string): string | null {
  if (isIP(host) !== 0) return host;
  return host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : null;
}

function endpointOf({ protocol, hostname, port, pathname, search }: URL): Endpoint {
  const secure = protocol === 'https:';
  // A name with a trailing dot is the same name, but neither SNI nor certificates know it in that form (RFC 6066, 3).
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return {
    origin: `${protocol}//${name}${port === '' ? '' : `:${port}`}`,
    host: name.startsWith('[') ? name.slice(1, -1) : name,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    secure,
    path: pathname + search,
  };
}

const isExempt = (address: string, allowed: BlockList): boolean =>
  allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A URL parser drops or escapes spaces and control characters silently; in an address that somebody means they have no place. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
export const hasUnprintable = (text: string): boolean => /[\u0000-\u0020\u007f]/.test(text);

/**
 * What of an endpoint's URL may be logged: user, path and query hold secrets and personal data. `undefined`: no address that
 * anything is sent to.
 */
export const originOf = (url: string): string | undefined => parsedUrl(url)?.origin;
