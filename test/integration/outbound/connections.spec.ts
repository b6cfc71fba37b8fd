import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { MAX_CONNECTIONS_PER_ORIGIN } from '../../../src/platform/outbound/origin-pool.js';
import type { OutboundHttp } from '../../../src/platform/outbound/outbound-http.service.js';
import type { OutboundResult } from '../../../src/platform/outbound/outbound-result.js';
import { eventually } from '../../support/eventually.js';
import { outboundTo, ScriptedResolver } from '../../support/hostile/hostile-outbound.js';
import {
  answerOk,
  OK,
  startRawReceiver,
  type Behaviour,
  type RawReceiver,
} from '../../support/hostile/hostile-receivers.js';

/** For posts that must not end by their time-out. */
const LONG_MS = 50_000;

describe('OutboundHttp', () => {
  let outbound: OutboundHttp;
  const receivers: RawReceiver[] = [];

  const start = async (behave: Behaviour): Promise<RawReceiver> => {
    const receiver = await startRawReceiver(behave);
    receivers.push(receiver);
    return receiver;
  };
  const post = (receiver: RawReceiver, body = '{}', timeoutMs = LONG_MS, path = '/hook'): Promise<OutboundResult> =>
    outbound.post({ url: `http://127.0.0.1:${receiver.port}${path}`, body, headers: {}, timeoutMs });

  afterEach(async () => {
    outbound.onApplicationShutdown();
    for (const receiver of receivers.splice(0)) await receiver.close();
  });

  it('sends bytes, headers, path and query unchanged', async () => {
    outbound = outboundTo();
    const receiver = await start(answerOk);
    const body = Buffer.from('{"name":"Zoë 💶"}', 'utf8');
    const url = `http://127.0.0.1:${receiver.port}/hooks/ü?shop=1&a=%20b#fragment`;
    const result = await outbound.post({
      url,
      body,
      headers: { Signature: 'abc', 'webhook-id': '7' },
      timeoutMs: 2_000,
    });
    expect(result).toMatchObject({ statusCode: 200, error: null, retryAfter: null });
    expect(result.responseBody.toString()).toBe('ok');
    const [request = ''] = receiver.requests;
    expect(request).toMatch(/^POST \/hooks\/%C3%BC\?shop=1&a=%20b HTTP\/1.1\r\n/);
    expect(request).toContain('\r\nSignature: abc\r\nwebhook-id: 7\r\n');
    expect(Buffer.from(request.slice(request.indexOf('\r\n\r\n') + 4), 'latin1')).toEqual(body);
  });

  it('reports status and Retry-After unchanged', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) =>
      socket.write('HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(await post(receiver)).toMatchObject({ statusCode: 503, error: null, retryAfter: '120' });
  });

  it('reports no Retry-After if there are several', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) =>
      socket.write('HTTP/1.1 503 Busy\r\nretry-after: 120\r\nretry-after: 240\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(await post(receiver)).toMatchObject({ statusCode: 503, error: null, retryAfter: null });
  });

  it('reads a response that ends with its connection', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'));
    const result = await post(receiver);
    expect([result.statusCode, result.responseBody.toString()]).toEqual([200, 'until the end']);
  });

  it('keeps a compressed response compressed', async () => {
    outbound = outboundTo();
    const zipped = gzipSync('hello');
    const receiver = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n\r\n`);
      socket.write(zipped);
    });
    expect((await post(receiver)).responseBody).toEqual(zipped);
    expect(receiver.requests[0]).not.toMatch(/accept-encoding/i);
  });

  it('cuts a response at 64 KiB', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) => {
      socket.write('HTTP/1.1 201 Created\r\ncontent-length: 70000\r\n\r\n');
      socket.write(Buffer.alloc(65_535, 'a'));
      socket.write(Buffer.alloc(4_465, 'b'));
    });
    const result = await post(receiver);
    expect(result).toMatchObject({ statusCode: 201, error: null });
    expect(result.responseBody.toString()).toBe(`${'a'.repeat(65_535)}b`);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    outbound = outboundTo();
    const target = await start(answerOk);
    const receiver = await start((socket) =>
      socket.write(
        `HTTP/1.1 ${status} Over there\r\nlocation: http://127.0.0.1:${target.port}/\r\ncontent-length: 0\r\n\r\n`,
      ),
    );
    expect(await post(receiver)).toMatchObject({ statusCode: status, error: null });
    expect(target.connections).toBe(0);
  });

  it('ignores proxies of the environment', async () => {
    const proxy = await start(answerOk);
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names)
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`;
    try {
      outbound = outboundTo();
      expect(await post(await start(answerOk))).toMatchObject({ statusCode: 200 });
      expect(proxy.connections).toBe(0);
    } finally {
      names.forEach((name, i) =>
        before[i] === undefined ? delete process.env[name] : (process.env[name] = before[i]),
      );
    }
  });

  it('reuses one connection for consecutive posts', async () => {
    outbound = outboundTo();
    const receiver = await start(answerOk);
    for (let i = 0; i < 50; i += 1) expect((await post(receiver)).statusCode).toBe(200);
    expect(receiver.connections).toBe(1);
  });

  it('opens no more connections than there are concurrent posts', async () => {
    outbound = outboundTo();
    const receiver = await start(answerOk);
    const postInARow = async () => {
      for (let i = 0; i < 25; i += 1) expect((await post(receiver)).statusCode).toBe(200);
    };
    await Promise.all(Array.from({ length: 8 }, postInARow));
    expect([receiver.connections, receiver.requests.length]).toEqual([8, 200]);
  });

  it.each([
    ['b', ['a', 'b']],
    ['a', ['b', 'a']],
  ])('posts on the most recently used connection, that of %s', async (last, order) => {
    outbound = outboundTo();
    const sockets = new Map<string, Socket>();
    const receiver = await start((socket, request) => {
      const body = request.at(-1)!;
      sockets.set(body, socket);
      if (!order.includes(body)) socket.write(OK);
    });
    const posts = new Map(order.map((body) => [body, post(receiver, body)]));
    await eventually(() => expect(sockets.size).toBe(2));
    for (const body of order) {
      sockets.get(body)!.write(OK);
      await posts.get(body);
    }
    for (const body of ['c', 'd']) {
      await post(receiver, body);
      expect(sockets.get(body)).toBe(sockets.get(last));
    }
  });

  it('queues a post beyond the limit of its origin, and starts its time limit later', async () => {
    outbound = outboundTo();
    const answers: (() => void)[] = [];
    const receiver = await start((socket, request) => {
      if (request.endsWith('beyond')) socket.write(OK);
      else answers.push(() => socket.write(OK));
    });
    const posts = Array.from({ length: MAX_CONNECTIONS_PER_ORIGIN }, () => post(receiver));
    const beyond = post(receiver, 'beyond', 1_000);
    await eventually(() => expect(answers).toHaveLength(MAX_CONNECTIONS_PER_ORIGIN));
    const freedAt = await new Promise<Date>((resolve) => setTimeout(() => resolve(new Date()), 1_100));
    answers[0]!();
    await eventually(() => expect(receiver.requests.at(-1)).toMatch(/beyond$/));
    answers.slice(1).forEach((answer) => answer());
    expect((await Promise.all([...posts, beyond])).filter((result) => result.statusCode !== 200)).toEqual([]);
    expect((await beyond).startedAt.getTime()).toBeGreaterThanOrEqual(freedAt.getTime() - 1);
    expect(receiver.connections).toBe(MAX_CONNECTIONS_PER_ORIGIN);
  });

  it('delivers a burst of eight times the limit to a receiver that takes 300 ms, each post with its full time limit', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) => void setTimeout(() => socket.write(OK), 300));
    const burst = Array.from({ length: 8 * MAX_CONNECTIONS_PER_ORIGIN }, () => post(receiver, '{}', 2_000));
    expect((await Promise.all(burst)).filter((result) => result.statusCode !== 200)).toEqual([]);
    expect([receiver.connections, receiver.requests.length]).toEqual([MAX_CONNECTIONS_PER_ORIGIN, burst.length]);
  });

  it('ends a post whose connection is not made in time, and never sends it', async () => {
    let answer: (addresses: string[]) => void = () => undefined;
    const names = new ScriptedResolver((_host, time) =>
      time === 1 ? new Promise((resolve) => (answer = resolve)) : ['127.0.0.1'],
    );
    outbound = outboundTo({}, names);
    const receiver = await start(answerOk);
    const to = (body: string, timeoutMs: number) =>
      outbound.post({ url: `http://shop.test:${receiver.port}/`, body, headers: {}, timeoutMs });
    const late = to('late', 100);
    expect(await late).toMatchObject({ statusCode: null, error: 'dns_timeout' });
    const next = to('next', 2_000);
    answer(['127.0.0.1']);
    expect((await next).statusCode).toBe(200);
    expect(receiver.requests.map((request) => request.split('\r\n\r\n')[1])).toEqual(['next']);
  });

  it('continues with the next post after a time-out', async () => {
    outbound = outboundTo();
    const receiver = await start((socket, request) => {
      if (!request.endsWith('hang')) socket.write(OK);
    });
    expect((await post(receiver, 'hang', 1_000)).error).toBe('timeout');
    expect((await post(receiver, 'next')).statusCode).toBe(200);
    expect(receiver.connections).toBe(2);
  });

  it('accepts a response that arrived in time while the process was blocked beyond the time limit', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) => {
      socket.write(OK);
      const end = performance.now() + 1_200; // holds the event loop that both share
      while (performance.now() < end);
    });
    expect(await post(receiver, '{}', 1_000)).toMatchObject({ statusCode: 200, error: null });
  });

  it('sends again, once, when a kept connection has been closed', async () => {
    outbound = outboundTo();
    const receiver = await start((socket, _request, count) => {
      if (count === 1) socket.write(OK);
      else socket.resetAndDestroy(); // as a server does whose keep-alive ended while the request was on the wire
    });
    expect((await post(receiver, 'a')).statusCode).toBe(200);
    expect((await post(receiver, 'b')).statusCode).toBe(200);
    expect(receiver.connections).toBe(2);
    expect(receiver.requests).toHaveLength(3);
  });

  it('delivers a post whose kept connection is reset before any byte is written', async () => {
    outbound = outboundTo();
    const sockets: Socket[] = [];
    const receiver = await start((socket) => {
      sockets.push(socket);
      socket.write(OK);
    });
    for (let i = 0; i < 20; i += 1) {
      expect((await post(receiver)).statusCode).toBe(200);
      // after the reads of this iteration of the loop: the reset is read in the next one, and the post would be written
      // only then
      await new Promise((resolve) => setImmediate(resolve));
      sockets.at(-1)!.resetAndDestroy();
      expect((await post(receiver)).statusCode).toBe(200);
    }
  });

  it.each([
    ['announced', OK.replace('\r\n', '\r\nconnection: close\r\n')],
    ['unannounced', OK], // then a second request is sent before the close is noticed, and is sent again
  ])('delivers every post when the receiver closes after each response, %s', async (_how, answer) => {
    outbound = outboundTo();
    const receiver = await start((socket) => socket.end(answer));
    const results = await Promise.all(Array.from({ length: 100 }, (_, i) => post(receiver, `${i}`)));
    expect(results.filter((result) => result.statusCode !== 200)).toEqual([]);
    expect(receiver.connections).toBe(100);
  });

  it('never sends again after a connection that has not served before', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) => socket.resetAndDestroy());
    expect((await post(receiver)).error).toBe('connection_reset');
    expect(receiver.requests).toHaveLength(1);
  });

  it('never sends again after the first byte of a response', async () => {
    outbound = outboundTo();
    const receiver = await start((socket, _request, count) => {
      if (count === 1) socket.write(OK);
      else socket.write('HTTP/1.1 2', () => socket.resetAndDestroy());
    });
    expect((await post(receiver, 'a')).statusCode).toBe(200);
    expect((await post(receiver, 'b')).error).toBe('connection_reset');
    expect(receiver.requests).toHaveLength(2);
  });

  it('drops an idle connection that the receiver closes', async () => {
    outbound = outboundTo();
    const receiver = await start((socket) => socket.end(OK));
    expect((await post(receiver)).statusCode).toBe(200);
    await eventually(() => expect(outbound.kept).toEqual({ idleConnections: 0, origins: 0 }));
    expect((await post(receiver)).statusCode).toBe(200);
    expect(receiver.connections).toBe(2);
  });

  it('reports connect_failed for a port without a listener', async () => {
    outbound = outboundTo();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const result = await outbound.post({ url: `http://127.0.0.1:${port}/`, body: '{}', headers: {}, timeoutMs: 1_000 });
    expect(result).toMatchObject({ statusCode: null, error: 'connect_failed' });
    expect(outbound.kept.origins).toBe(0);
  });

  it('keeps a limited number of idle connections for any number of origins', async () => {
    outbound = outboundTo({ idleConnections: 50 }, new ScriptedResolver(() => ['127.0.0.1']));
    const receiver = await start(answerOk);
    for (let wave = 0; wave < 5; wave += 1) {
      const hosts = Array.from({ length: 100 }, (_, i) => `shop-${wave}-${i}.test`);
      const posts = hosts.map((host) =>
        outbound.post({ url: `http://${host}:${receiver.port}/`, body: '{}', headers: {}, timeoutMs: LONG_MS }),
      );
      expect((await Promise.all(posts)).every((result) => result.statusCode === 200)).toBe(true);
      expect(outbound.kept.idleConnections).toBeLessThanOrEqual(50);
      expect(outbound.kept.origins).toBeLessThanOrEqual(50);
    }
    expect(receiver.connections).toBe(500);
  });

  it('ends posts in flight and queued posts when the process stops, and accepts no more', async () => {
    outbound = outboundTo();
    const receiver = await start(() => undefined);
    const posts = Array.from({ length: MAX_CONNECTIONS_PER_ORIGIN + 2 }, () => post(receiver, '{}', 60_000));
    await eventually(() => expect(receiver.requests).toHaveLength(MAX_CONNECTIONS_PER_ORIGIN));
    outbound.onApplicationShutdown();
    const errors = (await Promise.all([...posts, post(receiver)])).map((result) => result.error);
    expect(new Set(errors)).toEqual(new Set(['shutting_down']));
    await eventually(() => expect(outbound.kept).toEqual({ idleConnections: 0, origins: 0 }));
    expect(receiver.requests).toHaveLength(MAX_CONNECTIONS_PER_ORIGIN);
  });

  it('rejects a header that HTTP does not allow', async () => {
    outbound = outboundTo();
    const receiver = await start(answerOk);
    const url = `http://127.0.0.1:${receiver.port}/`;
    for (let i = 0; i <= MAX_CONNECTIONS_PER_ORIGIN; i += 1) {
      const refused = outbound.post({ url, body: '{}', headers: { 'x-a': 'b\r\nc: d' }, timeoutMs: 1_000 });
      await expect(refused).rejects.toThrow('x-a');
    }
    expect(outbound.kept.origins).toBe(0);
    expect((await post(receiver)).statusCode).toBe(200);
    expect(receiver.requests).toHaveLength(1);
  });
});
