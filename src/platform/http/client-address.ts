import { type BlockList, isIP, SocketAddress } from 'node:net';
import type { FastifyRequest } from 'fastify';

type Caller = Pick<FastifyRequest, 'ip' | 'ips' | 'socket'>;

/** An address with a port, which may be obfuscated (RFC 7239 §6), or in brackets. IPv6 without brackets has no port. */
const NODE = /^(?:\[(?<bracketed>[^\]]*)\](?::(?:\d{1,5}|_[\w.-]+))?|(?<named>[^:]*):(?:\d{1,5}|_[\w.-]+))$/;

/**
 * The canonical form of an address from a proxy: without quotes, brackets, port and zone; an IPv4-mapped address as
 * IPv4. `undefined` for anything else, such as `unknown` or `_hidden`.
 */
export function canonicalAddress(text: string): string | undefined {
  const node = text.trim().replace(/^"(.*)"$/, '$1');
  const { bracketed, named } = NODE.exec(node)?.groups ?? {};
  const address = (bracketed ?? named ?? node).trim().replace(/%[\w.-]*$/, '');
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : undefined;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1] ?? canonical;
}

/**
 * The address of the caller: as reported by a trusted proxy (`TRUST_PROXY`) if that is an address, otherwise the
 * address of the nearest known proxy, or of the connection. `null` when the connection has been closed.
 */
export function clientAddress({ ip, ips, socket }: Caller): string | null {
  for (const reported of [...(ips ?? [ip])].reverse()) {
    const address = reported && canonicalAddress(reported);
    if (address) return address;
  }
  return canonicalAddress(socket.remoteAddress ?? '') ?? null;
}

/** The address for rate limits: `clientAddress`, or for IPv6 its /64, the block that one customer of a network gets. */
export const clientNetwork = (caller: Caller): string => networkOf(clientAddress(caller) ?? 'unknown');

export function networkOf(address: string): string {
  const canonical = canonicalAddress(address) ?? address;
  if (isIP(canonical) !== 6) return canonical;
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  // fill '::' with zeros, up to the groups of the tail
  const behind = tail ? tail.split(':').length + (tail.includes('.') ? 1 : 0) : 0;
  while (tail !== undefined && groups.length + behind < 8) groups.push('0');
  if (tail) groups.push(...tail.split(':'));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** For Fastify's `trustProxy`. Hop counts cannot be trusted: a caller that connects directly can add hops. */
export const isTrustedProxy =
  (proxies: BlockList) =>
  (reported: string): boolean => {
    const address = canonicalAddress(reported);
    return address !== undefined && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
