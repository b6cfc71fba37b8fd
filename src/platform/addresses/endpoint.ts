import { isIP, type BlockList } from 'node:net';
import { isForbiddenAddress } from './addresses.js';
import { parsedUrl } from '../../shared/parsed-url.js';

/** The parts of a URL that are needed to connect and to send a request. */
export interface Endpoint {
  /** `scheme://host[:port]`, the key of its connection pool. */
  origin: string;
  /** An IP address without brackets, or a name in ASCII without a trailing dot. */
  host: string;
  port: number;
  secure: boolean;
  /** Path and query. */
  path: string;
}

/** The reason why a URL is refused; `message` completes a sentence that begins with the name of a field. */
export class EndpointRefusal {
  constructor(
    readonly code: 'invalid_url' | 'https_required' | 'forbidden_port' | 'forbidden_address',
    readonly message: string,
  ) {}
}

/** Rules for endpoints. */
export interface EndpointPolicy {
  /** Networks exempt from the ban on private addresses, and from `requireHttps`. */
  allowed: BlockList;
  requireHttps: boolean;
}

const MAX_URL_LENGTH = 2048;

/**
 * The reason why `url` cannot be a webhook endpoint, or `null`. For registration: names are not resolved here, so an
 * accepted endpoint can still be refused when it is called.
 */
export function endpointProblem(url: string, allowed: BlockList, requireHttps = false): EndpointRefusal | null {
  const endpoint = parseEndpoint(url, { allowed, requireHttps });
  return endpoint instanceof EndpointRefusal ? endpoint : null;
}

export function parseEndpoint(url: string, policy: EndpointPolicy): Endpoint | EndpointRefusal {
  if (url.length > MAX_URL_LENGTH)
    return new EndpointRefusal('invalid_url', `must have at most ${MAX_URL_LENGTH} characters`);
  // URL parsers accept missing slashes, backslashes, tabs and newlines; other programs may then see another host.
  const authority = /^https?:\/\/([^/?#\\]+)[^\s\\]*$/i.exec(url)?.[1];
  const parsed = parsedUrl(url);
  if (authority === undefined || hasUnprintable(url) || !parsed) {
    return new EndpointRefusal('invalid_url', 'must be an absolute http or https URL');
  }
  if (authority.includes('@')) return new EndpointRefusal('invalid_url', 'must not contain credentials');
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
    return new EndpointRefusal('forbidden_address', 'must not point to a private, local or reserved address');
  }
  if (!policy.requireHttps || secure || (literal !== null && isExempt(literal, policy.allowed))) return null;
  return new EndpointRefusal('https_required', 'must be an https URL');
}

/** The address of a host that needs no resolver. `localhost` and names below it are loopback (RFC 6761, 6.3). */
function literalAddress(host: string): string | null {
  if (isIP(host) !== 0) return host;
  return host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : null;
}

function endpointOf({ protocol, hostname, port, pathname, search }: URL): Endpoint {
  const secure = protocol === 'https:';
  // A name with a trailing dot is the same name, but neither SNI nor certificates accept that form (RFC 6066, 3).
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

/**
 * Whether a URL contains spaces or control characters, which a URL parser drops or escapes silently. No intended URL
 * has them.
 */
// oxlint-disable-next-line no-control-regex -- it looks for control characters
export const hasUnprintable = (text: string): boolean => /[\u0000-\u0020\u007f]/.test(text);

/**
 * The part of an endpoint's URL that may be logged: user, path and query may hold secrets and personal data.
 * `undefined`: not a URL that anything is sent to.
 */
export const originOf = (url: string): string | undefined => parsedUrl(url)?.origin;
