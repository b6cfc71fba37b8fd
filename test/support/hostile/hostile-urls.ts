import type { OutboundErrorCode } from '../../../src/platform/outbound/outbound-result.js';

export interface HostileUrl {
  url: string;
  /** The error code of the refusal. */
  code: OutboundErrorCode;
  /** A host name, which can only be refused after its resolution. */
  atConnect?: true;
}

/** Forbidden addresses as hosts of URLs. The notations of `localhost` come first, because a canary listens there. */
const FORBIDDEN_HOSTS = [
  // 127.0.0.1 in every notation of the WHATWG parser
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.00.00.01',
  '0177.0.0.1',
  '0177.0.0.01',
  '0x7f.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '0X7F000001',
  '2130706433',
  '017700000001',
  '127.0.0x1',
  '0x7f.0x0.0x0.0x1',
  '127.255.255.254',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '127。0。0。1',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LoCaLhOsT',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'a.localhost',
  'a.b.localhost.',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::]',
  '[::0.0.0.0]',
  '[::127.0.0.1]', // IPv4-compatible
  '[::7f00:1]',
  '[::ffff:127.0.0.1]', // IPv4-mapped
  '[::ffff:7f00:1]',
  '[::FFFF:7F00:0001]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0:127.0.0.1]', // IPv4-translated (RFC 2765)
  '[64:ff9b::127.0.0.1]', // NAT64
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]', // local-use NAT64
  '[2002:7f00:1::]', // 6to4
  '[2002:7f00:1::1]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]', // Teredo of 127.0.0.1
  // cloud metadata
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[2002:a9fe:a9fe::]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[fe80::a9fe:a9fe]',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  // private, link-local, carrier-grade NAT
  '10.0.0.1',
  '10.255.255.255',
  '012.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '0xac.0x10.1',
  '192.168.0.1',
  '192.168.257',
  '3232235521',
  '169.254.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:192.168.1.1]',
  '[64:ff9b::10.0.0.1]',
  '[2002:c0a8:101::1]',
  '[2002:0a00:0001::]',
  // multicast, broadcast, reserved, documentation, benchmarks
  '224.0.0.1',
  '239.255.255.250',
  '255.255.255.255',
  '240.0.0.1',
  '4294967295',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '198.19.255.255',
  '192.0.0.1',
  '192.88.99.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '[ff02::1]',
  '[ff0e::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[100::1]',
  '[5f00::1]',
  '[4000::1]',
  '[2620:4f:8000::1]',
];

/** URLs that parsers interpret differently, so that all of them are refused. `PORT` is the canary's. */
const INVALID_URLS = [
  '',
  'localhost:PORT',
  '//127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http://\\127.0.0.1:PORT/',
  'http://example.com\\@127.0.0.1:PORT/',
  ' http://127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/ ',
  'ht\ntp://127.0.0.1:PORT/',
  'http://127.0.0.1\t:PORT/',
  'http://127.0.\r\n0.1:PORT/',
  'http://127.0.0.1:PORT/\r\nX-Injected: 1',
  'http://127.0.0.1:PORT/\u0000',
  'http://user@127.0.0.1:PORT/',
  'http://user:secret@127.0.0.1:PORT/',
  'http://@127.0.0.1:PORT/',
  'http://:@127.0.0.1:PORT/',
  'http://example.com@127.0.0.1:PORT/',
  'http://example.com:80@127.0.0.1:PORT/',
  'http://example.com%40127.0.0.1:PORT/',
  'http://[fe80::1%25lo]:PORT/',
  'http://[::1%lo]:PORT/',
  'http://[::1]x:PORT/',
  'http://256.256.256.256:PORT/',
  'http://127.0.0.1.1:PORT/',
  'http://0x100000000:PORT/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:-1/',
  'http://127.0.0.1:PORTx/',
  'http://.:PORT/',
  'http://exa mple.com:PORT/',
  'http://exa<mple.com:PORT/',
  'file:///etc/passwd',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_POST',
  'ws://127.0.0.1:PORT/',
  'unix:/var/run/docker.sock',
  'http+unix://%2fvar%2frun%2fdocker.sock/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  `http://127.0.0.1:PORT/${'a'.repeat(2048)}`,
];

/** Names that resolve to the canary; `resolveHostile` returns their addresses. */
const HOSTILE_NAMES = {
  'loopback.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'loopback6.test': ['::1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'private.test': ['10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mixed6.test': ['2606:2800:220:1::1', '::1'],
  'unspecified.test': ['0.0.0.0'],
  'zone.test': ['fe80::1%lo'],
  'nonsense.test': ['not-an-address'],
  '127.0.0.1.nip.test': ['127.0.0.1'],
  'xn--bcher-kva.test': ['127.0.0.1'],
} satisfies Record<string, string[]>;

/** The answers of the hostile name servers; all other names of the list would reach the canary, too. */
export const resolveHostile = (host: string): string[] =>
  (HOSTILE_NAMES as Record<string, string[]>)[host] ?? ['127.0.0.1'];

/** All URLs, with a canary on `port` of every loopback address. */
export function hostileUrls(port: number): HostileUrl[] {
  return [
    ...FORBIDDEN_HOSTS.map((host) => ({ url: `http://${host}:${port}/hook`, code: 'forbidden_address' as const })),
    ...['https://127.0.0.1', 'https://[::1]', 'http://169.254.169.254', 'https://localhost'].map((url) => ({
      url: `${url}/latest/meta-data/?token=secret#fragment`,
      code: 'forbidden_address' as const,
    })),
    ...INVALID_URLS.map((url) => ({ url: url.replace('PORT', String(port)), code: 'invalid_url' as const })),
    ...[1, 22, 25, 53, 110, 143, 444, 445, 465, 587, 1023].map((forbidden) => ({
      url: `http://93.184.216.34:${forbidden}/hook`,
      code: 'forbidden_port' as const,
    })),
    { url: 'http://93.184.216.34:0/hook', code: 'forbidden_port' as const },
    { url: 'http://loopback.test:22/', code: 'forbidden_port' as const },
    ...Object.keys(HOSTILE_NAMES).flatMap((name) =>
      [name, `${name}.`].map((host) => ({
        url: `http://${host}:${port}/hook`,
        code: 'forbidden_address' as const,
        atConnect: true as const,
      })),
    ),
    { url: `http://bücher.test:${port}/`, code: 'forbidden_address' as const, atConnect: true as const },
  ];
}
