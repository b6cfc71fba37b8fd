import { describe, expect, it } from '@jest/globals';
import { BlockList } from 'node:net';
import { isForbiddenAddress } from './addresses.js';

const none = new BlockList();

describe('isForbiddenAddress', () => {
  it.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...[
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
      '192.169.0.0',
    ],
    ...[
      '198.17.255.255',
      '198.20.0.0',
      '203.0.112.255',
      '203.0.114.0',
      '223.255.255.255',
      '168.63.129.15',
      '168.63.129.17',
    ],
    ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700::1111', '3ffe::1', '2620:4f:8001::1'],
  ])('allows %s', (address) => expect(isForbiddenAddress(address, none)).toBe(false));

  it.each([
    ...[
      '0.0.0.0',
      '0.255.255.255',
      '10.0.0.0',
      '100.64.0.0',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.0',
      '172.31.255.255',
    ],
    ...['192.168.255.255', '198.19.255.255', '224.0.0.0', '255.255.255.255', '168.63.129.16'],
    ...[
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '::8.8.8.8',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
      '100::1',
      'fc00::1',
      'fe80::1',
      'ff02::1',
    ],
    ...[
      '2001::1',
      '2001:1ff:ffff::1',
      '2001:db8::1',
      '2002:808:808::1',
      '3fff:fff::1',
      '4000::1',
      '1fff::1',
      'e000::1',
    ],
    ...['', 'localhost', 'fe80::1%eth0', '127.1', '1.1.1.1 ', '1.1.1.1:80'],
  ])('forbids %j', (address) => expect(isForbiddenAddress(address, none)).toBe(true));

  describe('with allowed networks', () => {
    const allowed = new BlockList();
    allowed.addSubnet('10.1.0.0', 16, 'ipv4');
    allowed.addSubnet('fd00:1::', 32, 'ipv6');

    it.each(['10.1.2.3', 'fd00:1::5', '::ffff:10.1.2.3'])('allows %s', (address) =>
      expect(isForbiddenAddress(address, allowed)).toBe(false),
    );

    it.each(['10.2.0.1', 'fd00:2::5', '::ffff:10.2.0.1', '64:ff9b::a01:203', '2002:a01:203::', '::10.1.2.3'])(
      'still forbids %s',
      (address) => expect(isForbiddenAddress(address, allowed)).toBe(true),
    );
  });
});
