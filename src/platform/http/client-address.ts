import { type BlockList, isIP, SocketAddress } from 'node:net';
import type { FastifyRequest } from 'fastify';

type Caller = Pick<FastifyRequest, 'ip' | 'ips' | 'socket'>;

/** An address with a port, which may be hidden (RFC 7239 §6), or in brackets. IPv6 without brackets has no port. */
const NODE = /^(?:\[(?<bracketed>[^\]]*)\](?::(?:\d{1,5}|_[\w.-]+))?|(?<named>[^:]*):(?:\d{1,5}|_[\w.-]+))$/;

/**
 * The address that a proxy names, in its one canonical form: without quotes, brackets, port and zone, an IPv4-mapped address
 * as IPv4. `undefined` for what is no address, such as `unknown` or `_hidden`.
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
 * The address that a request comes from: what a trusted proxy says (`TRUST_PROXY`) when that is an address, otherwise that of
 * the nearest proxy which is known, or of the connection. `null` when the connection has gone.
 */
export function clientAddress({ ip, ips, socket }: Caller): string | null {
  for (const told of [...(ips ?? [ip])].reverse()) {
    const address = told && canonicalAddress(told);
    if (address) return address;
  }
  return canonicalAddress(socket.remoteAddress ?? '') ?? null;
}

/** For limits: `clientAddress`, or of IPv6 its /64, which is what one customer of a network gets. */
export const clientNetwork = (caller: Caller): string => networkOf(clientAddress(caller) ?? 'unknown');

export function networkOf(address: string): string {
  const canonical = canonicalAddress(address) ?? address;
  if (isIP(canonical) !== 6) return canonical;
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  // zeros stand for '::', so many that the groups of the tail come after the first four only when they are there
  const behind = tail ? tail.split(':').length + (tail.includes('.') ? 1 : 0) : 0;
  while (tail !== undefined && groups.length + behind < 8) groups.push('0');
  if (tail) groups.push(...tail.split(':'));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** For Fastify's `trustProxy`. Hop counts cannot be believed: whoever connects directly adds hops at will. */
export const isTrustedProxy =
  (proxies: BlockList) =>
  (told: string): boolean => {
    const address = canonicalAddress(told);
    return address !== undefined && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
