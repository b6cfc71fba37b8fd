import { describe, expect, it } from '@jest/globals';
import { listenSettings } from './listen-command.js';

const options = (given: object = {}) => ({ print: 'text' as const, replayLast: '0', ...given });
const CLIENT = { LISTEN_CLIENT_ID: 'client', LISTEN_CLIENT_SECRET: 'secret' };

describe('listenSettings', () => {
  it('returns the service on this machine by default', () => {
    expect(listenSettings(options(), CLIENT)).toEqual({
      service: { url: 'http://127.0.0.1:3000', credentials: { clientId: 'client', clientSecret: 'secret' } },
      target: undefined,
      shopId: undefined,
      types: undefined,
      print: 'text',
      replayLast: 0,
    });
    expect(listenSettings(options(), { ...CLIENT, PORT: '4444' }).service.url).toBe('http://127.0.0.1:4444');
    const remote = { ...CLIENT, LISTEN_URL: 'https://payments.example/' };
    expect(listenSettings(options(), remote).service.url).toBe('https://payments.example');
  });

  it.each<[string, object, Record<string, string>, object]>([
    ['a token', { token: 't' }, CLIENT, { token: 't' }],
    ['a client', { clientId: 'c' }, { ...CLIENT, LISTEN_TOKEN: 't' }, { clientId: 'c', clientSecret: 'secret' }],
    ['the token of the environment', {}, { ...CLIENT, LISTEN_TOKEN: 't' }, { token: 't' }],
    [
      'the first client of the service here',
      {},
      { BOOTSTRAP_CLIENT_ID: 'b', BOOTSTRAP_CLIENT_SECRET: 's' },
      { clientId: 'b', clientSecret: 's' },
    ],
  ])('uses %s', (_, given, environment, credentials) => {
    expect(listenSettings(options(given), environment).service.credentials).toEqual(credentials);
  });

  it('returns the given secret, otherwise a new one each time', () => {
    const forwardTo = 'http://localhost:4000/webhooks';
    const secretOf = (given: object) => listenSettings(options({ forwardTo, ...given }), CLIENT).target!.secret;
    const own = ['a-secret-of-ones-own-without-base64', `whsec_${Buffer.alloc(32, 7).toString('base64')}`];
    for (const secret of own) expect(secretOf({ secret })).toBe(secret);
    expect(secretOf({})).toMatch(/^whsec_[\w+/]{32}$/);
    expect(secretOf({})).not.toBe(secretOf({}));
  });

  const complete = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
  it.each([
    ['without its final =', complete(32).slice(0, -1), '; = is missing at its end'],
    ['without its final ==', complete(25).slice(0, -2), '; == is missing at its end'],
    ['with nothing after whsec_', 'whsec_', 'base64 of 24 to 64 bytes'],
    ['with too few bytes', complete(23), 'base64 of 24 to 64 bytes'],
    ['that is not base64', 'whsec_this-is-no-base64-at-all-but-long', 'base64 of 24 to 64 bytes'],
    ['that is empty', '', '24 to 200'],
    ['that is short', 'secret', '24 to 200'],
    ['with a newline', `${complete(32)}\n`, 'base64'],
  ])('refuses a --secret %s without showing it', (_, secret, message) => {
    const reading = () => listenSettings(options({ forwardTo: 'http://localhost:4000/', secret }), CLIENT);
    expect(reading).toThrow(new RegExp(`^--secret: must .*${message}`));
    expect(reading).not.toThrow(/[\w+/]{30}/);
  });

  it.each([
    ['--forward-to', { forwardTo: 'localhost:4000' }],
    ['--url', { url: 'payments.example' }],
    ['--shop', { shop: '0' }],
    ['--replay-last', { replayLast: '101' }],
    ['--replay-last', { replayLast: 'all' }],
  ])('names the option %s if its value is invalid: %j', (option, given) => {
    expect(() => listenSettings(options(given), CLIENT)).toThrow(new RegExp(`^${option}: got `));
  });

  it('reports that a client or a token is missing', () => {
    expect(() => listenSettings(options(), {})).toThrow(/LISTEN_CLIENT_ID/);
  });
});
