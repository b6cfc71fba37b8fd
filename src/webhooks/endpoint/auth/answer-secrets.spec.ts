import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { OutboundResult } from '../../../platform/outbound/outbound-result.js';
import { hidingSecrets, sentSecrets, withoutSecrets } from './answer-secrets.js';

const BASIC = { type: 'basic', username: 'orders', password: 'päss "word"' } as const;
const BEARER = { type: 'bearer', token: 'a-token-0123' } as const;

describe('withoutSecrets', () => {
  it.each<[string, Parameters<typeof sentSecrets>[0], string | undefined, string, string]>([
    [
      'a header',
      { headers: { 'X-Key': 'k.*y-0123' }, auth: null },
      undefined,
      '{"x-key":"k.*y-0123"}',
      '{"x-key":"***"}',
    ],
    [
      'a bearer token',
      { headers: {}, auth: BEARER },
      'Bearer a-token-0123',
      'Bearer a-token-0123, a-token-0123',
      '***, ***',
    ],
    [
      'a scheme of its own',
      { headers: { Authorization: 'Token t0ken-0123' }, auth: null },
      undefined,
      'got t0ken-0123',
      'got ***',
    ],
    ['a password', { headers: {}, auth: BASIC }, 'Basic b3JkZXJz', 'b3JkZXJz orders:päss "word"', '*** orders:***'],
    ['a password in JSON', { headers: {}, auth: BASIC }, undefined, '"päss \\"word\\""', '"***"'],
    [
      'a header in a URL',
      { headers: { 'X-Key': 'a b+c/0123' }, auth: null },
      undefined,
      '?k=a%20b%2Bc%2F0123',
      '?k=***',
    ],
    [
      'a short value as a word',
      { headers: { 'X-A': '1' }, auth: null },
      undefined,
      'x-a: 1, 12 items',
      'x-a: ***, 12 items',
    ],
    [
      'the longer of two',
      { headers: { a: 'secret-01', b: 'secret-01-2' }, auth: null },
      undefined,
      'secret-01-2',
      '***',
    ],
    ['nothing else', { headers: {}, auth: null }, undefined, 'ok €', 'ok €'],
  ])('hides %s', (_, destination, authorization, answer, expected) => {
    const hidden = withoutSecrets(Buffer.from(answer), sentSecrets(destination, authorization));
    expect(hidden.toString()).toBe(expected);
  });

  it('hides what a compressed answer echoes', () => {
    const result = { responseBody: gzipSync('x-a: secret-01'), contentEncoding: 'gzip' } as OutboundResult;
    const shown = hidingSecrets(result, { headers: { 'X-A': 'secret-01' }, auth: null });
    expect([shown.responseBody.toString(), shown.contentEncoding]).toEqual(['x-a: ***', null]);
  });

  it('keeps bytes that are not UTF-8', () => {
    const answer = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('secret-01')]);
    expect(withoutSecrets(answer, ['secret-01'])).toEqual(
      Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('***')]),
    );
  });
});
