import { type BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Where a request comes from, for limits: an IPv4 address, or the /64 of an IPv6 one, which is what one customer of a
 * network gets. The connection's address, or what a trusted proxy says (`TRUST_PROXY`) when that is an address.
 */
export function clientNetwork({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return networkOf(isIP(ip ?? '') === 0 ? (socket.remoteAddress ?? 'unknown') : ip);
}

export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  // zeros stand for '::', so many that the groups of the tail come after the first four only when they are there
  const behind = tail ? tail.split(':').length + (tail.includes('.') ? 1 : 0) : 0;
  while (tail !== undefined && groups.length + behind < 8) groups.push('0');
  if (tail) groups.push(...tail.split(':'));
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** For Fastify's `trustProxy`. Hop counts cannot be believed: whoever connects directly adds hops at will. */
export const isTrustedProxy =
  (proxies: BlockList) =>
  (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
