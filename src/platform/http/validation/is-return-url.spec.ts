import { describe, expect, it } from '@jest/globals';
import { returnUrlError } from './is-return-url.js';

describe('the address of a return', () => {
  it.each(['http://localhost:3000/back', 'http://127.0.0.1/', 'http://[::1]:8080/x', 'https://merchant.example'])(
    'returnUrlError accepts %s',
    (url) => expect(returnUrlError(url)).toBeUndefined(),
  );

  it.each([
    'http://merchant.example/back',
    'http://localhost.merchant.example/',
    'ftp://merchant.example/',
    'javascript:alert(1)',
    '//merchant.example/',
    '/back',
    'https://user:pass@merchant.example/',
    `https://merchant.example/${'x'.repeat(2_048)}`,
    'https://',
    '',
    7,
  ])('returnUrlError refuses %j', (url) => expect(returnUrlError(url)).toEqual(expect.any(String)));
});
