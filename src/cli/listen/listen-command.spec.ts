import { describe, expect, it } from '@jest/globals';
import { listenSettings } from './listen-command.js';

const options = (given: object = {}) => ({ print: 'text' as const, replayLast: '0', ...given });
const CLIENT = { LISTEN_CLIENT_ID: 'client', LISTEN_CLIENT_SECRET: 'secret' };

describe('the settings of listen', () => {
  it('are those of the service on this machine, unless told otherwise', () => {
    expect(listenSettings(options(), CLIENT)).toEqual({
      service: { url: 'http://127.0.0.1:3000', credentials: { clientId: 'client', clientSecret: 'secret' } },
      target: undefined,
      shopId: undefined,
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
  ])('take %s', (_, given, environment, credentials) => {
    expect(listenSettings(options(given), environment).service.credentials).toEqual(credentials);
  });

  it('sign with the secret that was given, else with a new one each time', () => {
    const forwardTo = 'http://localhost:4000/webhooks';
    const secretOf = (given: object) => listenSettings(options({ forwardTo, ...given }), CLIENT).target!.secret;
    expect(secretOf({ secret: 'whsec_mine' })).toBe('whsec_mine');
    expect(secretOf({})).toMatch(/^whsec_[\w+/]{32}$/);
    expect(secretOf({})).not.toBe(secretOf({}));
  });

  it.each([
    ['--forward-to', { forwardTo: 'localhost:4000' }],
    ['--url', { url: 'payments.example' }],
    ['--shop', { shop: '0' }],
    ['--replay-last', { replayLast: '101' }],
    ['--replay-last', { replayLast: 'all' }],
  ])('name %s when it is none of its kind: %j', (option, given) => {
    expect(() => listenSettings(options(given), CLIENT)).toThrow(new RegExp(`^${option}: got `));
  });

  it('say what is missing without a client or a token', () => {
    expect(() => listenSettings(options(), {})).toThrow(/LISTEN_CLIENT_ID/);
  });
});
