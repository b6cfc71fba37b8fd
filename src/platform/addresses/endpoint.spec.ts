import { describe, expect, it } from '@jest/globals';
import { BlockList } from 'node:net';
import { endpointProblem, parseEndpoint, type Endpoint } from './endpoint.js';

const none = new BlockList();
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');

describe('parseEndpoint', () => {
  it.each<[string, Endpoint]>([
    [
      'https://shop.example/hook?a=1#part',
      { origin: 'https://shop.example', host: 'shop.example', port: 443, secure: true, path: '/hook?a=1' },
    ],
    [
      'HTTP://Shop.Example.:8080',
      { origin: 'http://shop.example:8080', host: 'shop.example', port: 8080, secure: false, path: '/' },
    ],
    [
      'https://bücher.example:443/ü',
      {
        origin: 'https://xn--bcher-kva.example',
        host: 'xn--bcher-kva.example',
        port: 443,
        secure: true,
        path: '/%C3%BC',
      },
    ],
    ['http://1.1:80/', { origin: 'http://1.0.0.1', host: '1.0.0.1', port: 80, secure: false, path: '/' }],
    [
      'https://[2606:4700:0::1111]:8443/',
      { origin: 'https://[2606:4700::1111]:8443', host: '2606:4700::1111', port: 8443, secure: true, path: '/' },
    ],
  ])('parses %s', (url, endpoint) =>
    expect(parseEndpoint(url, { allowed: none, requireHttps: false })).toEqual(endpoint),
  );
});

describe('endpointProblem', () => {
  it.each([
    ['https://shop.example/hook', null],
    ['https://shop.example:1024/hook', null],
    ['https://shop.example:65535/hook', null],
    [`https://shop.example/${'a'.repeat(2027)}`, null],
    [`https://shop.example/${'a'.repeat(2028)}`, 'must have at most 2048 characters'],
    ['ftp://shop.example/hook', 'must be an absolute http or https URL'],
    ['/hook', 'must be an absolute http or https URL'],
    ['https://', 'must be an absolute http or https URL'],
    ['https://me:secret@shop.example/hook', 'must not contain credentials'],
    ['https://shop.example:22/hook', 'must use port 80, 443 or one from 1024 to 65535'],
    ['https://10.0.0.1/hook', 'must not point to a private, local or reserved address'],
    ['http://127.0.0.1:8080/hook', 'must not point to a private, local or reserved address'],
    ['http://localhost:8080/hook', 'must not point to a private, local or reserved address'],
  ])('returns for %s: %s', (url, problem) => expect(endpointProblem(url, none)?.message ?? null).toBe(problem));

  it.each(['http://127.0.0.1:8080/hook', 'http://localhost:8080/hook', 'http://[::ffff:127.0.0.1]:8080/'])(
    'accepts %s in an allowed network, with or without https',
    (url) => expect(endpointProblem(url, loopback, true)).toBeNull(),
  );

  it.each([
    ['http://shop.example/hook', 'must be an https URL'],
    ['http://1.1.1.1/hook', 'must be an https URL'],
    ['https://shop.example/hook', null],
  ])('returns for %s where https is required: %s', (url, problem) =>
    expect(endpointProblem(url, loopback, true)?.message ?? null).toBe(problem),
  );
});
