import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decodedBody } from './decoded-body.js';

const TEXT = '{"error":"order 7 is unknown"}';
const LARGE = 'order '.repeat(5_000);
const BOMB = 'x'.repeat(10_000_000);

const decoded = (responseBody: Buffer, contentEncoding: string | null): string | undefined =>
  decodedBody({
    statusCode: 500,
    error: null,
    startedAt: new Date(0),
    durationMs: 5,
    retryAfter: null,
    responseBody,
    contentEncoding,
  })?.toString();

describe('decodedBody', () => {
  it.each<[string | null, Buffer]>([
    [null, Buffer.from(TEXT)],
    ['', Buffer.from(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['deflate, gzip', gzipSync(deflateSync(TEXT))],
    ['identity, gzip', gzipSync(TEXT)],
    [null, gzipSync(TEXT)],
  ])('reads a body with the coding %j', (coding, bytes) => {
    expect(decoded(bytes, coding)).toBe(TEXT);
  });

  it.each<[string, Buffer]>([
    ['zstd', Buffer.from(TEXT)],
    ['toString', Buffer.from(TEXT)],
    ['gzip', Buffer.from(TEXT)],
    ['br', Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ['gzip, gzip, gzip, gzip, gzip', [1, 2, 3, 4, 5].reduce((bytes) => gzipSync(bytes), Buffer.from(TEXT))],
  ])('reads no body with the coding %s that it does not have', (coding, bytes) => {
    expect(decoded(bytes, coding)).toBeUndefined();
  });

  it('reads the beginning of a body that was cut', () => {
    const zipped = gzipSync(LARGE);
    const text = decoded(zipped.subarray(0, zipped.length - 12), 'gzip');
    expect(text!.length).toBeGreaterThan(0);
    expect(LARGE.startsWith(text!)).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['gzip', gzipSync(BOMB)],
    ['deflate', deflateSync(BOMB)],
  ])('reads at most 64 KiB of a bomb with the coding %s', (coding, bytes) => {
    const text = decoded(bytes, coding);
    expect(text!.length).toBeGreaterThan(4_096);
    expect(text!.length).toBeLessThanOrEqual(64 * 1024);
  });

  it('leaves an empty body empty', () => {
    expect(decoded(Buffer.alloc(0), 'gzip')).toBe('');
  });
});
