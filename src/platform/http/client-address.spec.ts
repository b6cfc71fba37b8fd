import { BlockList, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { canonicalAddress, clientAddress, clientNetwork, isTrustedProxy, networkOf } from './client-address.js';

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('returns for %s the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('gives way to the network of the connection when a proxy does not name an address', () => {
    const socket = { remoteAddress: '10.0.0.1' } as Socket;
    expect(clientNetwork({ ip: '203.0.113.7', socket })).toBe('203.0.113.7');
    for (const ip of ['unknown', '203.0.113.7:', '_hidden', '', '\0']) {
      expect(clientNetwork({ ip, socket })).toBe('10.0.0.1');
    }
  });
});

describe('canonicalAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['"203.0.113.7:51234"', '203.0.113.7'],
    ['203.0.113.7:_port', '203.0.113.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:DB8::1]:443"', '2001:db8::1'],
    ['"[2001:db8::1]:_port"', '2001:db8::1'],
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ])('returns for %s the address %s', (text, address) => expect(canonicalAddress(text)).toBe(address));

  it.each([
    '',
    '"',
    'unknown',
    'unknown:80',
    '_hidden',
    '_hidden:80',
    '203.0.113',
    '203.0.113.7:123456',
    '203.0.113.7:x',
    '256.0.113.7:80',
    '[2001:db8::1',
    '2001:db8::1]:443',
    '[2001:db8::1]443',
    '[]:443',
    'proxy.example.com',
    '203.0.113.7, 203.0.113.8',
  ])('returns undefined for %j', (text) => expect(canonicalAddress(text)).toBeUndefined());
});

describe('clientAddress', () => {
  const socket = { remoteAddress: '::ffff:10.0.0.1' } as Socket;

  it('returns the nearest known proxy when the address before it is hidden', () => {
    const ips = ['10.0.0.1', '10.0.0.2:8080', '_hidden'];
    expect(clientAddress({ ip: '_hidden', ips, socket })).toBe('10.0.0.2');
  });

  it('returns null when the connection has been closed', () => {
    expect(clientAddress({ ip: undefined as never, socket: {} as Socket })).toBeNull();
  });
});

describe('isTrustedProxy', () => {
  const proxies = new BlockList();
  proxies.addSubnet('10.0.0.0', 8, 'ipv4');
  proxies.addSubnet('fd00::', 8, 'ipv6');

  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['fd00::1', true],
    ['203.0.113.7', false],
    ['fe80::1%eth0', false],
    ['10.1.2.3:80', true],
    ['[fd00::1]:80', true],
    ['_hidden', false],
    ['', false],
  ])('returns for %s: %s', (address, isTrusted) => {
    expect(isTrustedProxy(proxies)(address)).toBe(isTrusted);
  });
});
