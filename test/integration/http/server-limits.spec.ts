import { once } from 'node:events';
import { BlockList, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { eventually } from '../../support/eventually.js';
import type { LogLine } from '../../support/app/application.js';
import { startProbeApp } from './probe-app.js';

const proxies = new BlockList();
proxies.addSubnet('127.0.0.0', 8, 'ipv4');
const MAX_CONNECTIONS = 8;

let app: NestFastifyApplication;
let lines: () => LogLine[];
let port: number;
beforeAll(async () => {
  ({ app, lines } = await startProbeApp({ limits: { maxConnections: MAX_CONNECTIONS }, trustedProxies: proxies }));
  port = Number(new URL(await app.getUrl()).port);
});
afterAll(() => app.close());

interface Raw {
  socket: Socket;
  received: () => string;
  isClosed: () => boolean;
}

function open(at = port, from = '127.0.0.1'): Raw {
  const socket = connect({ port: at, host: '127.0.0.1', localAddress: from });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  return { socket, received: () => text, isClosed: () => socket.closed };
}

/** Sends `bytes` and returns the response, up to the close of the connection. */
async function send(bytes: string): Promise<{ status: number; head: string; body: Record<string, unknown> }> {
  const { socket, received } = open();
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = received().split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    head: head.toLowerCase(),
    body: JSON.parse(body || '{}') as Record<string, unknown>,
  };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}connection: close\r\n\r\n`;

const headers = (count: number, length = 1) =>
  Array.from({ length: count }, (_, i) => `x-${i}: ${'v'.repeat(length)}\r\n`).join('');

describe('A too large request', () => {
  it.each([
    ['headers of 16 KiB', () => get('/things/1', headers(1, 16_500)), 431, 'headers_too_large'],
    ['16 KiB in many headers', () => get('/things/1', headers(60, 300)), 431, 'headers_too_large'],
    ['a hundred headers', () => get('/things/1', headers(99)), 431, 'headers_too_large'],
    ['more headers than Node keeps', () => get('/things/1', headers(2_050)), 431, 'headers_too_large'],
    ['a path of 8 kB', () => get(`/things/1?q=${'x'.repeat(8_000)}`), 414, 'uri_too_long'],
    ['an unknown path of 8 kB', () => get(`/${'x'.repeat(8_000)}`), 414, 'uri_too_long'],
    ['a path of 17 kB', () => get(`/things/1?q=${'x'.repeat(17_000)}`), 431, 'headers_too_large'],
    ['a parameter of 501 characters', () => get(`/things/${'1'.repeat(501)}`), 414, 'uri_too_long'],
    [
      'a body with a too large content-length',
      () => `POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 262145\r\n\r\n`,
      413,
      'payload_too_large',
    ],
    [
      'an endless chunked body',
      () =>
        `POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n` +
        `10000\r\n${' '.repeat(0x10000)}\r\n`.repeat(5),
      413,
      'payload_too_large',
    ],
  ])('gets an error: %s', async (_, bytes, status, code) => {
    const answer = await send(bytes());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.head).toContain('content-type: application/problem+json');
  });

  it('succeeds up to the limits', async () => {
    expect((await send(get('/things/1', headers(98)))).status).toBe(200);
    expect((await send(get('/things/1', headers(1, 16_000)))).status).toBe(200);
    expect((await send(get(`/things?limit=1&cursor=${'x'.repeat(7_900)}`))).status).not.toBe(414);
  });
});

describe('A slow client', () => {
  let impatient: NestFastifyApplication;
  let impatientPort: number;
  beforeAll(async () => {
    const limits = {
      ...{ headersTimeout: 200, requestTimeout: 400, keepAliveTimeout: 300, checkInterval: 50 },
      answerTimeout: 200,
    };
    ({ app: impatient } = await startProbeApp({ limits }));
    impatientPort = Number(new URL(await impatient.getUrl()).port);
  });
  afterAll(() => impatient.close());

  /** Sends a byte every 20 ms until the server closes the connection. */
  async function drip(start: string, next: string): Promise<Raw> {
    const raw = open(impatientPort);
    raw.socket.write(start);
    const timer = setInterval(() => raw.socket.writable && raw.socket.write(next), 20);
    await once(raw.socket, 'close');
    clearInterval(timer);
    return raw;
  }

  it.each([
    ['its headers', 'GET /things/1 HTTP/1.1\r\nhost: a\r\nx-slow: ', 'v'],
    ['its request line', 'GET /things/1?', 'v'],
    [
      'its body',
      'POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n{',
      ' ',
    ],
  ])('gets 408 and is disconnected while it sends %s', async (_, start, next) => {
    const raw = await drip(start, next);
    expect(raw.received()).toContain('HTTP/1.1 408 ');
    expect(raw.received()).toContain('"code":"request_timeout"');
  });

  it('loses its connection before its first byte', async () => {
    const raw = open(impatientPort);
    await once(raw.socket, 'close');
  });

  it('loses its connection between two requests', async () => {
    const raw = open(impatientPort);
    raw.socket.write('GET /things/1 HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(raw.socket, 'close');
    expect(raw.received()).toContain('HTTP/1.1 200 ');
  });

  it('loses its connection if it does not read a large response', async () => {
    const accepted = once(impatient.getHttpServer(), 'connection') as Promise<[Socket]>;
    // without a listener for data it reads nothing
    const socket = connect(impatientPort, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /things/large/answer HTTP/1.1\r\nhost: a\r\n\r\n');
    const [serverSide] = await accepted;
    await eventually(() => serverSide.destroyed && serverSide.bytesWritten > 0);
    socket.destroy();
  });

  it('gets a large response completely if it reads', async () => {
    const socket = connect(port, '127.0.0.1');
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    socket.write(get('/things/large/answer'));
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(32 * 1024 * 1024);
  });
});

const countOfConnections = ({ server } = app.getHttpAdapter().getInstance()): Promise<number> =>
  promisify((done: (error: Error | null, count: number) => void) => server.getConnections(done))();

describe('ConnectionBounds', () => {
  const exchange = async ({ socket, received }: Raw): Promise<void> => {
    socket.write('GET /things/1 HTTP/1.1\r\nhost: a\r\n\r\n');
    await eventually(() => received().includes('HTTP/1.1 200 '));
  };
  const startBounded = async (limits: object, trustedProxies?: BlockList) => {
    const bounded = await startProbeApp({ limits, ...(trustedProxies && { trustedProxies }) });
    return { ...bounded, port: Number(new URL(await bounded.app.getUrl()).port) };
  };

  it('closes the connections that were idle longest, and logs it once', async () => {
    await eventually(async () => (await countOfConnections()) === 0);
    const raws = Array.from({ length: 3 * MAX_CONNECTIONS }, () => open());
    await eventually(() => raws.filter((raw) => raw.isClosed()).length === 2 * MAX_CONNECTIONS);
    for (const { socket } of raws) socket.destroy();
    await eventually(async () => (await countOfConnections()) === 0);
    expect((await send(get('/things/1'))).status).toBe(200);
    const said = lines().filter(
      // not those of the tests with other limits below
      (line) => line.msg === 'connections closed: too many are open' && line.maxConnections === MAX_CONNECTIONS,
    );
    expect(said).toMatchObject([{ level: 'warn' }]);
  });

  it('keeps connections in use, and the most recently used ones', async () => {
    const { app: full, port: at } = await startBounded({ maxConnections: 3 });
    const [busy, old, used] = [open(at), open(at), open(at)];
    const body = 'POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
    busy.socket.write(body);
    await exchange(old);
    await exchange(used);
    await exchange(open(at));
    await eventually(() => old.isClosed());
    busy.socket.write('}');
    await eventually(() => busy.received().includes('HTTP/1.1 422 '));
    expect(used.isClosed()).toBe(false);
    await full.close();
  });

  it.each([
    ['that was answered', 'GET /things/1 HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['without a route', 'GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['with a method that the path does not allow', 'DELETE /things HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['with a path that cannot be decoded', 'GET /%zz HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['with a parameter that is too long', `GET /things/${'x'.repeat(600)} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['with a path that is too long', `GET /things/1?${'x'.repeat(9_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['with too many headers', `GET /things/1 HTTP/1.1\r\nhost: a\r\n${'a: b\r\n'.repeat(150)}\r\n`],
    ['without a media type', 'POST /things HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}'],
  ])('counts a connection as idle again after a request %s', async (_kind, request) => {
    const { app: full, port: at } = await startBounded({ maxConnections: 1 });
    const first = open(at);
    first.socket.write(request);
    await eventually(() => first.received().includes('HTTP/1.1 '));
    // the count is also right after a second request; the response may have closed the connection
    if (!first.isClosed()) first.socket.write('GET /things/1 HTTP/1.1\r\nhost: a\r\n\r\n');
    await eventually(() => first.isClosed() || first.received().split('HTTP/1.1 ').length === 3);
    await exchange(open(at));
    await eventually(() => first.isClosed());
    await full.close();
  });

  it('closes new connections while all are in use', async () => {
    const { app: full, port: at } = await startBounded({ maxConnections: 1 });
    const busy = open(at);
    busy.socket.write(
      'POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
    );
    const server = full.getHttpServer();
    await once(server, 'request');
    const late = open(at);
    await eventually(() => late.isClosed());
    busy.socket.write('}');
    await eventually(() => busy.received().includes('HTTP/1.1 422 '));
    await full.close();
  });

  it('closes new connections of an address beyond its limit, and keeps the open ones', async () => {
    const { app: bounded, port: at } = await startBounded({ maxConnectionsPerAddress: 2 });
    const first = [open(at), open(at)];
    for (const raw of first) await exchange(raw);
    const third = open(at);
    await eventually(() => third.isClosed());
    expect(first.map((raw) => raw.isClosed())).toEqual([false, false]);
    first[0]!.socket.destroy();
    await eventually(async () => (await countOfConnections(bounded.getHttpAdapter().getInstance())) === 1);
    await exchange(open(at));
    await bounded.close();
  });

  it('ignores connections of other addresses, of trusted proxies, and all without a limit', async () => {
    const { app: bounded, port: at } = await startBounded({ maxConnectionsPerAddress: 1 });
    await exchange(open(at));
    await exchange(open(at, '127.0.0.2'));
    const { app: trusting, port: behindProxy } = await startBounded({ maxConnectionsPerAddress: 1 }, proxies);
    for (let i = 0; i < 3; i += 1) await exchange(open(behindProxy));
    const { app: unbounded, port: free } = await startBounded({ maxConnectionsPerAddress: 0 });
    for (let i = 0; i < 3; i += 1) await exchange(open(free));
    await Promise.all([bounded.close(), trusting.close(), unbounded.close()]);
  });
});

describe('The address of a client', () => {
  const network = async (forwardedFor: string) =>
    (await send(get('/things/my/address', forwardedFor && `x-forwarded-for: ${forwardedFor}\r\n`))).body.network;

  it('comes from the last trusted proxy', async () => {
    expect(await network('')).toBe('127.0.0.1');
    expect(await network('203.0.113.7')).toBe('203.0.113.7');
    expect(await network('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
    expect(await network('203.0.113.7, 127.0.0.9')).toBe('203.0.113.7');
    expect(await network('2001:db8:1:2:3::4')).toBe('2001:db8:1:2::/64');
    expect(await network('nonsense')).toBe('127.0.0.1');
  });

  it('comes from the connection if no proxy is trusted', async () => {
    const { app: plain } = await startProbeApp();
    const response = await plain.inject({ url: '/things/my/address', headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(response.json()).toEqual({ network: '127.0.0.1' });
    await plain.close();
  });
});
