import { describe, expect, it } from '@jest/globals';
import { BlockList } from 'node:net';
import type { Problem } from '../../shared/problem.js';
import { EndpointPolicy, laneOrigin, webhookEndpointError } from './endpoint-policy.service.js';

describe('webhookEndpointError', () => {
  it.each([
    'http://example.com',
    'https://example.com/hooks?key=1#part',
    'https://example.com:8443/hooks',
    'http://127.0.0.1:3000/x',
    'http://[::1]/x',
    'https://bücher.example/ü',
    'HTTPS://EXAMPLE.COM/',
    `https://example.com/${'x'.repeat(2_028)}`,
  ])('accepts %s', (endpoint) => {
    expect(webhookEndpointError(endpoint)).toBeUndefined();
  });

  it.each([
    [42, 'must be a string'],
    [null, 'must be a string'],
    [undefined, 'must be a string'],
    ['', 'must be an absolute http or https URL'],
    ['/hooks', 'must be an absolute http or https URL'],
    ['example.com/hooks', 'must be an absolute http or https URL'],
    ['ftp://example.com', 'must be an absolute http or https URL'],
    ['javascript:alert(1)', 'must be an absolute http or https URL'],
    ['http://', 'must be an absolute http or https URL'],
    ['http://exa mple.com', 'must be an absolute http or https URL'],
    ['http://example.com/a\u0000b', 'must be an absolute http or https URL'],
    ['http://example.com/\n', 'must be an absolute http or https URL'],
    ['http://user:pw@example.com', 'must not carry credentials'],
    ['http://user@example.com', 'must not carry credentials'],
    [`https://example.com/${'x'.repeat(2_029)}`, 'must be at most 2048 characters'],
  ])('rejects %p', (endpoint, message) => {
    expect(webhookEndpointError(endpoint)).toBe(message);
  });
});

describe('laneOrigin', () => {
  it.each([
    ['https://Example.com/a?b', 'https://example.com'],
    ['https://example.com:443/a', 'https://example.com'],
    ['http://example.com:8080', 'http://example.com:8080'],
    ['http://[::1]:80/', 'http://[::1]'],
  ])('maps %s to %s', (endpoint, origin) => {
    expect(laneOrigin(endpoint)).toBe(origin);
  });
});

describe('EndpointPolicy', () => {
  const policy = new EndpointPolicy({ webhookAllowedNetworks: new BlockList(), webhookRequireHttps: true });
  const refusal = (endpoint: string): string | undefined => {
    try {
      policy.require(endpoint);
      return undefined;
    } catch (error) {
      return (error as Problem).errors![0]!.message;
    }
  };

  it.each([
    ['http://127.0.0.1:4000/', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['https://10.0.0.1/', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['http://shop.example/', 'WEBHOOK_REQUIRE_HTTPS'],
  ])('rejects %s and names the setting that would allow it', (endpoint, setting) => {
    expect(refusal(endpoint)).toContain(setting);
  });

  it('accepts an https address', () => {
    expect(refusal('https://shop.example/')).toBeUndefined();
  });
});
