import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ApiRequest } from './api-exchange.js';
import { HttpApiClient } from './http-api-client.js';

type Answer = { status: number; headers?: Record<string, string>; body?: string };

describe('HttpApiClient', () => {
  let client: HttpApiClient;
  let server: Server;
  let url: URL;
  let answer: Answer;
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    client = new HttpApiClient();
    server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/charges`);
  });
  afterEach(async () => {
    await client.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const call = (headers: Record<string, string> = { authorization: 'Bearer one' }) => {
    const request: ApiRequest = { method: 'POST', url, headers, body: '{}' };
    return client.call(request, AbortSignal.timeout(60_000));
  };
  const outcome = () =>
    call().then(
      ({ statusCode }) => statusCode,
      ({ sent }: { sent: boolean }) => (sent ? 'unknown' : 'not sent'),
    );

  it.each<[Answer, unknown]>([
    [{ status: 200 }, 'unknown'],
    [{ status: 200, headers: { 'content-length': '0' } }, 'unknown'],
    [{ status: 200, body: '{}' }, 200],
    [{ status: 201 }, 201],
    [{ status: 204 }, 204],
    [{ status: 500 }, 500],
  ])('takes %j for %s', async (next, expected) => {
    answer = next;
    expect(await outcome()).toBe(expected);
    expect(requests).toBe(1);
  });

  it.each<[Answer, unknown]>([
    [{ status: 429, headers: { 'retry-after': '30' } }, 'not sent'],
    [{ status: 503, headers: { 'retry-after': '30' } }, 'not sent'],
    [{ status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' } }, 'not sent'],
    [{ status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' } }, 200],
    [{ status: 503, headers: { 'retry-after': '0' } }, 200],
    [{ status: 503, headers: { 'retry-after': 'soon' } }, 200],
    [{ status: 500, headers: { 'retry-after': '30' } }, 200],
    [{ status: 429 }, 200],
  ])('after %j the next call is %s', async (first, expected) => {
    answer = first;
    expect(await outcome()).toBe(first.status);
    answer = { status: 200, body: '{}' };
    expect(await outcome()).toBe(expected);
    expect(requests).toBe(expected === 200 ? 2 : 1);
  });

  it('keeps Retry-After until its time, for the account that got it', async () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    answer = { status: 429, headers: { 'retry-after': '30' } };
    await call();
    answer = { status: 200, body: '{}' };
    expect(await call({ authorization: 'Bearer two' })).toMatchObject({ statusCode: 200 });
    clock.mockReturnValue(now + 29_500);
    await expect(call()).rejects.toMatchObject({ sent: false, message: 'it asked to wait 1 s longer (Retry-After)' });
    clock.mockReturnValue(now + 30_000);
    expect(await call()).toMatchObject({ statusCode: 200 });
    clock.mockRestore();
  });
});
