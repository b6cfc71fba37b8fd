import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';

/** The maximum size that a browser loads for the first page: page, script, style. */
const FIRST_LOAD_BYTES = 200_000;

let api: TestApi;
let http: ApiClient;

beforeAll(async () => {
  api = await sharedApi();
  http = new ApiClient(api.url);
});
afterAll(() => api.stop());

/** The raw answer: `fetch` would decompress it, and normalise the path. */
async function raw(path: string, encoding?: string): Promise<{ answer: IncomingMessage; bytes: Buffer }> {
  const { hostname, port } = new URL(api.url);
  const request = get({ hostname, port, path, headers: encoding ? { 'accept-encoding': encoding } : {} });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return { answer, bytes: Buffer.concat(parts) };
}

async function assets(): Promise<string[]> {
  const { body } = await http.get<string>('/console');
  return [...body.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}

describe('the console’s pages', () => {
  it.each(['/console', '/console/', '/console/payments/7', '/console/flows?version=2'])(
    'return one page for %s',
    async (path) => {
      const { status, headers, body } = await http.get<string>(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'self'; .*frame-ancestors 'none'$/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe/);
      expect(body).not.toMatch(/<style|<script(?! type="module")|\son\w+=/);
    },
  );

  it('load scripts and styles that browsers cache for ever, precompressed', async () => {
    const sizes: number[] = [(await raw('/console')).bytes.length];
    for (const path of await assets()) {
      const plain = await raw(path);
      expect(plain.answer.statusCode).toBe(200);
      expect(plain.answer.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      const gzip = await raw(path, 'gzip');
      const brotli = await raw(path, 'br, gzip');
      expect([gzip, brotli].map(({ answer }) => answer.headers['content-encoding'])).toEqual(['gzip', 'br']);
      // `toEqual` compares each byte, which takes a second
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      sizes.push(gzip.bytes.length);
    }
    const total = sizes.reduce((sum, size) => sum + size, 0);
    process.stdout.write(`first load of the console: ${Math.round(total / 1_000)} kB gzip\n`);
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    expect(total).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  });

  it.each([
    '/console/assets/missing.js',
    '/console/assets/../index.html',
    '/console/assets/..%2findex.html',
    '/console/assets/%2e%2e/%2e%2e/package.json',
    '/console/assets/',
  ])('return only their files: %s', async (path) => {
    const { answer, bytes } = await raw(path);
    expect(answer.statusCode).toBe(404);
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'route_not_found', success: false });
  });

  it('refuse writing methods', async () => {
    expect(await http.post('/console', {})).toMatchObject({ status: 405 });
    expect(await http.delete('/console/payments')).toMatchObject({ status: 405 });
  });
});
