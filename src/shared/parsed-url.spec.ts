import { describe, expect, it } from '@jest/globals';
import { parsedUrl } from './parsed-url.js';

describe('parsedUrl', () => {
  it('parses an address with non-ASCII characters any number of times', () => {
    const hosts = new Set<string | undefined>();
    for (let times = 0; times < 50_000; times += 1) hosts.add(parsedUrl('https://bücher.example/ü')?.hostname);
    expect([...hosts]).toEqual(['xn--bcher-kva.example']);
  });

  it.each(['', '/hooks', 'example.com', 'http://', 'https://exa mple.com'])('returns undefined for %j', (text) => {
    expect(parsedUrl(text)).toBeUndefined();
  });
});
