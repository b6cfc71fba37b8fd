import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { OutboundErrorCode } from '../../../src/platform/outbound/outbound-result.js';

/** A server that sends raw bytes instead of HTTP, so that a test can send any invalid answer. */
export interface RawReceiver {
  port: number;
  /** Connections accepted so far. */
  connections: number;
  /** Complete requests so far: head and body as text. */
  requests: string[];
  close(): Promise<void>;
}

/** Answers a request, correctly or not. `request`: head and body; `count`: 1 for the connection's first request. */
export type Behaviour = (socket: Socket, request: string, count: number) => void;

export interface RawOptions {
  /** If set, the receiver uses TLS. */
  tls?: TlsOptions;
  /** Called on accept, before any byte is read. */
  onConnect?: (socket: Socket) => void;
}

/** Starts a receiver on a free port of 127.0.0.1 that calls `behave` for every request. */
export async function startRawReceiver(behave: Behaviour, { tls, onConnect }: RawOptions = {}): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const receiver = { connections: 0, requests: [] as string[] };
  const accept = (socket: Socket) => {
    receiver.connections += 1;
    socket.on('error', () => undefined);
    onConnect?.(socket);
    readRequests(socket, receiver.requests, behave);
  };
  const server: Server = tls === undefined ? createTcpServer(accept) : createTlsServer(tls, accept);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(receiver, { port: (server.address() as AddressInfo).port, close });
}

function readRequests(socket: Socket, requests: string[], behave: Behaviour): void {
  let text = '';
  let count = 0;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (let end = requestEnd(text); end > 0; end = requestEnd(text)) {
      const request = text.slice(0, end);
      text = text.slice(end);
      requests.push(request);
      behave(socket, request, (count += 1));
    }
  });
}

/** The end of the first request, or 0 while it is incomplete. */
function requestEnd(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : 0;
}

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
export const answerOk: Behaviour = (socket) => void socket.write(OK);

const CHUNK_64K = Buffer.alloc(64 * 1024, 'x');

/** Writes `piece` repeatedly, as long as the other side reads. */
function flood(socket: Socket, piece: string | Buffer): void {
  const chunk = Buffer.from(
    typeof piece === 'string' ? piece.repeat(Math.ceil(CHUNK_64K.length / piece.length)) : piece,
  );
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
}

/** Writes `piece` every `ms`. */
function sendSlowly(socket: Socket, piece: string, ms: number): void {
  const timer = setInterval(() => socket.write(piece), ms);
  socket.on('close', () => clearInterval(timer));
}

const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
/** 50 MB of zeros, compressed to about 50 KB. */
const gzipBomb = (): Buffer => gzipSync(Buffer.alloc(50 * 1024 * 1024));

/** A misbehaving receiver, and the result that an attempt must have: an error code, or a status. */
export interface MisbehavingReceiver {
  name: string;
  behave: Behaviour;
  result: OutboundErrorCode | number;
  onConnect?: (socket: Socket) => void;
}

/** Misbehaving receivers, over plain TCP. */
export function misbehavingReceivers(): MisbehavingReceiver[] {
  const bomb = gzipBomb();
  const receivers: [string, OutboundErrorCode | number, Behaviour][] = [
    ['never answers', 'timeout', () => undefined],
    ['sends its head byte by byte', 'timeout', (s) => (s.write('HTTP/1.1 200 OK\r\nx-slow: '), sendSlowly(s, 'a', 20))],
    [
      'sends one header after another',
      'timeout',
      (s) => (s.write('HTTP/1.1 200 OK\r\n'), sendSlowly(s, 'a: b\r\n', 50)),
    ],
    [
      'sends its body byte by byte',
      'timeout',
      (s) => (s.write(head('content-length: 100000')), sendSlowly(s, 'x', 20)),
    ],
    ['stops in mid-body', 'timeout', (s) => void s.write(`${head('content-length: 100')}half`)],
    [
      'never ends its chunks',
      'timeout',
      (s) => (s.write(head('transfer-encoding: chunked')), sendSlowly(s, '1\r\nx\r\n', 20)),
    ],
    ['sends an endless body', 200, (s) => (s.write(head()), flood(s, CHUNK_64K))],
    ['sends 100 MB', 200, (s) => (s.write(head('content-length: 104857600')), flood(s, CHUNK_64K))],
    [
      'sends a gzip bomb',
      200,
      (s) => (s.write(head('content-encoding: gzip', `content-length: ${bomb.length}`)), void s.write(bomb)),
    ],
    [
      'sends 10,000 headers',
      'headers_too_large',
      (s) => void s.write(head(...Array.from({ length: 10_000 }, (_, i) => `x-${i}: ${i}`), 'content-length: 0')),
    ],
    [
      'sends endless headers',
      'headers_too_large',
      (s) => (s.write('HTTP/1.1 200 OK\r\n'), flood(s, 'x-more: and more\r\n')),
    ],
    ['sends one endless header', 'headers_too_large', (s) => (s.write('HTTP/1.1 200 OK\r\nx-long: '), flood(s, 'a'))],
    [
      'sends endless trailers',
      'invalid_response',
      (s) => (s.write(`${head('transfer-encoding: chunked')}0\r\n`), flood(s, 'x-more: and more\r\n')),
    ],
    [
      'pads a header with endless spaces',
      'headers_too_large',
      (s) => (s.write('HTTP/1.1 200 OK\r\nx-pad:'), flood(s, ' ')),
    ],
    ['sends endless empty lines', 'headers_too_large', (s) => flood(s, '\r\n')],
    [
      'sends an endless chunk extension',
      'invalid_response',
      (s) => (s.write(`${head('transfer-encoding: chunked')}1;`), flood(s, 'x')),
    ],
    [
      'wraps single bytes in long chunk extensions',
      'invalid_response',
      (s) => (s.write(head('transfer-encoding: chunked')), flood(s, `1;${'x'.repeat(8000)}\r\nx\r\n`)),
    ],
    ['floods with 103', 'invalid_response', (s) => flood(s, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
    ['floods with 100', 'invalid_response', (s) => flood(s, 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['floods with 102, slowly', 'invalid_response', (s) => sendSlowly(s, 'HTTP/1.1 102 Processing\r\n\r\n', 5)],
    ['sends an unrequested 100', 200, (s) => void s.write(`HTTP/1.1 100 Continue\r\n\r\n${OK}`)],
    [
      'switches protocols without a request',
      'invalid_response',
      (s) => void s.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ],
    [
      'switches to no protocol',
      'invalid_response',
      (s) => void s.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n${OK}`),
    ],
    ['speaks SSH', 'invalid_response', (s) => void s.write('SSH-2.0-OpenSSH_9.6\r\n')],
    ['sends HTML without HTTP', 'invalid_response', (s) => void s.write('<html>hello</html>')],
    ['sends noise', 'invalid_response', (s) => void s.write(Buffer.from('ff00fe01800a0d', 'hex'))],
    [
      'has the status 000',
      'invalid_response',
      (s) => void s.write('HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n'),
    ],
    ['has the status abc', 'invalid_response', (s) => void s.write('HTTP/1.1 abc Nothing\r\n\r\n')],
    ['has two lengths', 'invalid_response', (s) => void s.write(`${head('content-length: 2', 'content-length: 3')}ok`)],
    ['has a length without end', 'invalid_response', (s) => void s.write(head('content-length: 99999999999999999999'))],
    [
      'has a chunk of negative size',
      'invalid_response',
      (s) => void s.write(`${head('transfer-encoding: chunked')}-1\r\nx\r\n`),
    ],
    ['has a NUL in a header', 'invalid_response', (s) => void s.write(head('x-a: b\u0000c', 'content-length: 0'))],
    ['closes without an answer', 'connection_reset', (s) => void s.end()],
    ['resets without an answer', 'connection_reset', (s) => void s.resetAndDestroy()],
    ['closes in mid-head', 'connection_reset', (s) => void s.end('HTTP/1.1 200 OK\r\nx-a')],
    ['closes in mid-head of a 204', 'connection_reset', (s) => void s.end('HTTP/1.1 204 No Content\r\nx-a: b\r\n')],
    ['closes after a 100', 'connection_reset', (s) => void s.end('HTTP/1.1 100 Continue\r\n\r\n')],
    ['never ends the head of a 100', 'timeout', (s) => void s.write('HTTP/1.1 100 Continue\r\n')],
    [
      'sends one endless header of a 204',
      'headers_too_large',
      (s) => (s.write('HTTP/1.1 204 No Content\r\nx-long: '), flood(s, 'a')),
    ],
    [
      'has a NUL in the head of a 204',
      'invalid_response',
      (s) => void s.write('HTTP/1.1 204 No Content\r\nx-a: b\u0000c\r\n\r\n'),
    ],
    ['has the status 099', 'invalid_response', (s) => void s.write(`HTTP/1.1 099 Nothing\r\n\r\n${OK}`)],
    ['closes in mid-body', 'connection_reset', (s) => void s.end(`${head('content-length: 100')}half`)],
    [
      'closes in mid-body, as announced',
      'connection_reset',
      (s) => void s.end(`${head('content-length: 100', 'connection: close')}half`),
    ],
    [
      'closes between chunks',
      'connection_reset',
      (s) => void s.end(`${head('transfer-encoding: chunked')}4\r\nhalf\r\n`),
    ],
    [
      'resets in mid-body',
      'connection_reset',
      (s) => void s.write(`${head('content-length: 100')}half`, () => s.resetAndDestroy()),
    ],
  ];
  return [
    ...receivers.map(([name, result, behave]) => ({ name, result, behave })),
    { name: 'closes on accept', result: 'connection_reset', behave: () => undefined, onConnect: (s) => void s.end() },
    { name: 'answers before it is asked', result: 200, behave: () => undefined, onConnect: (s) => void s.write(OK) },
  ];
}
