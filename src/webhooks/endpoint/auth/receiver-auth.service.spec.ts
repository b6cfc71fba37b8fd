import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { answer } from '../../../../test/support/app/dispatcher-harness.js';
import type { OutboundRequest, OutboundResult } from '../../../platform/outbound/outbound-result.js';
import { ReceiverAuth } from './receiver-auth.service.js';

const ENDPOINT = 7;
const AUTH = {
  type: 'oauth2_client_credentials' as const,
  token_url: 'https://issuer.example/token',
  client_id: 'orders',
  client_secret: 'marker',
};

const tokenAnswer = (token: string, expiresIn?: number): OutboundResult =>
  answer({
    responseBody: Buffer.from(JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: expiresIn })),
  });

describe('ReceiverAuth', () => {
  let requests: OutboundRequest[];
  let reply: (index: number) => OutboundResult | Promise<OutboundResult>;
  let auth: ReceiverAuth;
  const authorization = (endpointId = ENDPOINT, of = AUTH) => auth.authorization(endpointId, of);

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    requests = [];
    reply = (index) => tokenAnswer(`token-${index}`, 3_600);
    auth = new ReceiverAuth({ post: async (request) => reply(requests.push(request) - 1) });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('needs no token for basic and bearer authentication', async () => {
    expect(await auth.authorization(1, { type: 'bearer', token: 'abc' })).toBe('Bearer abc');
    expect(await auth.authorization(1, { type: 'basic', username: 'a', password: 'b' })).toBe('Basic YTpi');
    auth.answered(1, { type: 'bearer', token: 'abc' }, 'Bearer abc', 401);
    expect(requests).toEqual([]);
  });

  it('uses one token until shortly before its end', async () => {
    expect(await authorization()).toBe('Bearer token-0');
    jest.advanceTimersByTime(3_569_000);
    expect(await authorization()).toBe('Bearer token-0');
    jest.advanceTimersByTime(1_000);
    expect(await authorization()).toBe('Bearer token-1');
  });

  it('fetches one token for all attempts that begin meanwhile', async () => {
    let end: () => void = () => undefined;
    reply = () => new Promise((resolve) => (end = () => resolve(tokenAnswer('shared', 60))));
    const waiting = Array.from({ length: 50 }, () => authorization());
    end();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['Bearer shared']));
    expect(requests).toHaveLength(1);
  });

  it('keeps a token for each endpoint, and none for changed credentials', async () => {
    await authorization(1);
    await authorization(2);
    await authorization(1, { ...AUTH, client_secret: 'changed' });
    await authorization(1);
    expect(requests).toHaveLength(3);
  });

  it.each([401, 403])('drops the token that the receiver refused with %i, and no later one', async (status) => {
    await authorization();
    for (const other of [200, 400, 404, 500, null]) auth.answered(ENDPOINT, AUTH, 'Bearer token-0', other);
    jest.advanceTimersByTime(1_000);
    expect(await authorization()).toBe('Bearer token-0');
    jest.advanceTimersByTime(1_000);
    auth.answered(ENDPOINT, AUTH, 'Bearer token-0', status);
    expect(await authorization()).toBe('Bearer token-1');
    jest.advanceTimersByTime(1_000);
    auth.answered(ENDPOINT, AUTH, 'Bearer token-0', status);
    expect(await authorization()).toBe('Bearer token-1');
  });

  it('asks at most once a second while the receiver refuses each token', async () => {
    for (let attempt = 0; attempt < 100; attempt++) {
      auth.answered(ENDPOINT, AUTH, (await authorization()) as string, 403);
      jest.advanceTimersByTime(50);
    }
    expect(requests).toHaveLength(5);
  });

  it('asks at most once a second while the token endpoint refuses the client', async () => {
    reply = () => answer({ statusCode: 401, responseBody: Buffer.from('{"error":"invalid_client"}') });
    for (let attempt = 0; attempt < 100; attempt++) {
      expect(await authorization()).toMatchObject({
        code: 'auth_failed',
        message: 'the token endpoint answered 401 (invalid_client)',
      });
      jest.advanceTimersByTime(50);
    }
    expect(requests).toHaveLength(5);
  });

  it('waits two seconds at most, and uses a token that arrives later', async () => {
    let end: () => void = () => undefined;
    reply = () => new Promise((resolve) => (end = () => resolve(tokenAnswer('late', 60))));
    const first = authorization();
    await jest.advanceTimersByTimeAsync(2_100);
    expect(await first).toMatchObject({ code: 'auth_failed' });
    end();
    expect(await authorization()).toBe('Bearer late');
    expect(requests).toHaveLength(1);
  });

  it.each(['shutting_down', 'local_failure'] as const)('blames not the endpoint for %s', async (error) => {
    reply = () => answer({ statusCode: null, error });
    expect(await authorization()).toMatchObject({ code: error });
  });

  it('puts no secret and no text of the token endpoint into a failure', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    reply = () => answer({ statusCode: 400, responseBody: Buffer.from('{"error":"marker","token":"marker"}') });
    expect(JSON.stringify([await authorization(), ...warn.mock.calls])).not.toContain('marker');
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
