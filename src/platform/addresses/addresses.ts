import { BlockList, isIP } from 'node:net';

// IANA's special-purpose registries (RFC 6890 and its updates), and addresses that clouds use for their own services.
// Why not ipaddr.js: its ranges lack metadata services at public addresses, and networks that IANA has added since.
const FORBIDDEN_IPV4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT; Alibaba's metadata 100.100.100.200
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's host agent, a public address that only its virtual machines see
  ['169.254.0.0', 16], // link-local; cloud metadata 169.254.169.254
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // IETF protocol assignments; Oracle's metadata 192.0.0.192
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const;

// Only global unicast (2000::/3) is allowed. That excludes loopback, IPv4-mapped (::ffff:0:0/96) and IPv4-compatible
// (::/96) addresses, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), unique local (fc00::/7; metadata fd00:ec2::254), link-local
// (fe80::/10), site-local (fec0::/10), multicast (ff00::/8) and discard-only (100::/64). Inside it, these are not
// public:
const FORBIDDEN_IPV6 = [
  ['2001::', 23], // IETF protocol assignments: Teredo (it embeds an IPv4 address), benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4 (it embeds an IPv4 address)
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const;

const forbiddenIPv4 = new BlockList();
for (const [network, bits] of FORBIDDEN_IPV4) forbiddenIPv4.addSubnet(network, bits, 'ipv4');
const forbiddenIPv6 = new BlockList();
for (const [network, bits] of FORBIDDEN_IPV6) forbiddenIPv6.addSubnet(network, bits, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether a socket must not be opened to `address`: any address that is not public unicast and not in `allowed`. A text
 * that is not an IP address (with a zone id, for example) is forbidden.
 */
export function isForbiddenAddress(address: string, allowed: BlockList): boolean {
  const version = isIP(address);
  if (version === 4) return forbiddenIPv4.check(address, 'ipv4') && !allowed.check(address, 'ipv4');
  if (version !== 6) return true;
  if (allowed.check(address, 'ipv6')) return false;
  return !globalUnicast.check(address, 'ipv6') || forbiddenIPv6.check(address, 'ipv6');
}
