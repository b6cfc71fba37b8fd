import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../../shared/problem.js';
import { MAX_ENDPOINT_HEADERS, requireEndpointHeaders } from './endpoint-headers.js';

function errorsOf(headers: Record<string, unknown>, hasAuth = false): string[] {
  try {
    requireEndpointHeaders(headers as Record<string, string>, hasAuth);
    return [];
  } catch (error) {
    const { code, errors } = error as Problem;
    expect([code, ...new Set(errors!.map(({ field }) => field))]).toEqual(['validation_failed', 'headers']);
    return errors!.map(({ message }) => message);
  }
}

describe('requireEndpointHeaders', () => {
  it.each([
    [{}],
    [{ 'X-Api-Key': 'abc 123' }],
    [{ authorization: 'Bearer abc' }],
    [{ "!#$%&'*+-.^_`|~": '~' }],
    [Object.fromEntries(Array.from({ length: MAX_ENDPOINT_HEADERS }, (_, at) => [`x-${at}`, 'value']))],
    [{ 'x-large': 'v'.repeat(4_096) }],
  ])('accepts %j', (headers) => {
    expect(errorsOf(headers)).toEqual([]);
  });

  it.each([
    'Host',
    'Content-Type',
    'content-length',
    'CONTENT-ENCODING',
    'Signature',
    'webhook-id',
    'Webhook-Anything',
    'User-Agent',
    'traceparent',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
  ])('rejects %s, and names it', (name) => {
    expect(errorsOf({ 'x-fine': 'value', [name]: 'value' })).toEqual([
      `header "${name}" is set by the service or by the connection`,
    ]);
  });

  it('rejects Authorization only together with auth', () => {
    expect(errorsOf({ Authorization: 'Bearer abc' }, true)).toEqual([
      'header "Authorization" must not be given together with auth',
    ]);
  });

  it.each(['', 'with space', 'with:colon', 'line\r\nbreak', 'ümlaut', ':path', 'x'.repeat(129)])(
    'rejects the name %j',
    (name) => {
      expect(errorsOf({ [name]: 'value' })[0]).toContain('has a name that HTTP does not allow');
    },
  );

  it.each([
    '',
    ' ',
    ' value',
    'value ',
    'marker\r\nlines',
    'tab\there',
    'nul\u0000',
    'schlüssel',
    'v'.repeat(4_097),
    42,
    null,
    { toString: 1 },
  ])('rejects the value %j without repeating it', (value) => {
    const [error, ...others] = errorsOf({ 'x-key': value });
    expect(error).toMatch(/^header "x-key" must have a/);
    expect(others).toEqual([]);
    expect(error).not.toContain('marker');
  });

  it('rejects a name that is given twice in another case', () => {
    expect(errorsOf({ 'X-Key': 'one', 'x-key': 'two' })).toEqual(['header "x-key" is given twice']);
  });

  it('rejects too many headers, and too many characters in all', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_ENDPOINT_HEADERS + 1 }, (_, at) => [`x-${at}`, 'value']));
    expect(errorsOf(many)).toEqual(['must have at most 20 headers']);
    expect(errorsOf({ 'x-one': 'v'.repeat(3_500), 'x-two': 'v'.repeat(3_500) })).toEqual([
      'must have at most 6144 characters in all names and values',
    ]);
  });
});
