import { afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutboundHttp } from '../../../src/platform/outbound/outbound-http.service.js';
import type { OutboundResult } from '../../../src/platform/outbound/outbound-result.js';
import { eventually } from '../../support/eventually.js';
import { outboundTo } from '../../support/hostile/hostile-outbound.js';
import { OK, startRawReceiver, type Behaviour, type RawReceiver } from '../../support/hostile/hostile-receivers.js';

/** For posts that must not end by their time-out. */
const LONG_MS = 50_000;

const head = (statusLine: string, ...fields: string[]): string => [statusLine, ...fields, '', ''].join('\r\n');
const interim = (status: number, ...fields: string[]): string => head(`HTTP/1.1 ${status} Interim`, ...fields);

/** A response, the status that counts, and the number of connections that two posts in a row need. */
type Answer = [name: string, answer: string, status: number, connections: 1 | 2];

const AFTER_INTERIM: Answer[] = [
  ['100', interim(100) + OK, 200, 1],
  ['102', interim(102) + OK, 200, 1],
  ['103 with fields', interim(103, 'link: </a>; rel=preload', 'x-a: b') + OK, 200, 1],
  ['an unknown status', interim(199) + OK, 200, 1],
  ['no reason', head('HTTP/1.1 100') + OK, 200, 1],
  ['several in a row', interim(100) + interim(102) + interim(103) + interim(100) + OK, 200, 1],
  ['100 before 204', interim(100) + head('HTTP/1.1 204 No Content'), 204, 1],
  ['100 before 500', interim(100) + head('HTTP/1.1 500 Oh', 'content-length: 0'), 500, 1],
  ['100 and empty lines', `${interim(100)}\r\n\r\n${OK}`, 200, 1],
  ['100 of length 0', interim(100, 'Content-Length: 0') + OK, 200, 1],
  ['100 that announces a close', interim(100, 'Connection: close') + OK, 200, 1],
  ['100 of HTTP/1.0', head('HTTP/1.0 100 Continue') + OK, 200, 1],
  ['100 with a length', interim(100, 'Content-Length: 5') + OK, 200, 2],
  ['100 in chunks', interim(100, 'Transfer-Encoding: chunked') + OK, 200, 2],
  ['100 with both', interim(100, 'Transfer-Encoding: chunked', 'Content-Length: 0') + OK, 200, 2],
];

const WITHOUT_CONTENT: Answer[] = [204, 304].flatMap((status): Answer[] => {
  const line = `HTTP/1.1 ${status} Nothing`;
  return [
    [`${status}`, head(line), status, 1],
    [`${status} without a reason`, head(`HTTP/1.1 ${status}`), status, 1],
    [`${status} that offers another protocol`, head(line, 'Upgrade: h2c', 'Connection: Upgrade'), status, 1],
    [`${status} of length 0`, head(line, 'Content-Length: 0'), status, 1],
    [`${status} of length 0, twice`, head(line, 'Content-Length: 0', 'content-length: 0'), status, 1],
    [`${status} of length 2`, head(line, 'Content-Length: 2'), status, 2],
    [`${status} of lengths 2 and 3`, head(line, 'Content-Length: 2', 'Content-Length: 3'), status, 2],
    [`${status} of a length that is no number`, head(line, 'Content-Length: -1'), status, 2],
    [`${status} in chunks`, head(line, 'Transfer-Encoding: chunked'), status, 2],
    [`${status} in chunks of length 0`, head(line, 'Transfer-Encoding: chunked', 'Content-Length: 0'), status, 2],
    [`${status} with an empty last chunk`, `${head(line, 'Transfer-Encoding: chunked')}0\r\n\r\n`, status, 2],
    [`${status} with the body it announces`, `${head(line, 'Content-Length: 2')}ok`, status, 2],
    [`${status} with a body it does not announce`, `${head(line)}ok`, status, 2],
    [`${status} and a close`, head(line, 'Connection: close', 'Content-Length: 2'), status, 2],
    [`${status} of HTTP/1.0`, head(`HTTP/1.0 ${status} Nothing`), status, 2],
    [`${status} of HTTP/1.0, kept alive`, head(`HTTP/1.0 ${status} Nothing`, 'Connection: keep-alive'), status, 1],
  ];
});

const RESET_CONTENT: Answer[] = [
  ['205 of length 0', head('HTTP/1.1 205 Reset', 'Content-Length: 0'), 205, 1],
  ['205', head('HTTP/1.1 205 Reset'), 205, 2],
  ['205 of length 2', head('HTTP/1.1 205 Reset', 'Content-Length: 2'), 205, 2],
  ['205 with the body it announces', `${head('HTTP/1.1 205 Reset', 'Content-Length: 2')}ok`, 205, 2],
  ['205 in chunks', `${head('HTTP/1.1 205 Reset', 'Transfer-Encoding: chunked')}0\r\n\r\n`, 205, 2],
];

async function byteByByte(socket: Socket, answer: string): Promise<void> {
  for (const byte of Buffer.from(answer)) {
    if (socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await nextTurn();
  }
}

describe('Responses without a body', () => {
  let outbound: OutboundHttp;
  const receivers: RawReceiver[] = [];

  const start = async (behave: Behaviour): Promise<RawReceiver> => {
    outbound = outboundTo();
    const receiver = await startRawReceiver(behave);
    receivers.push(receiver);
    return receiver;
  };
  const post = (receiver: RawReceiver, timeoutMs = LONG_MS): Promise<OutboundResult> =>
    outbound.post({ url: `http://127.0.0.1:${receiver.port}/hook`, body: '{}', headers: {}, timeoutMs });

  afterEach(async () => {
    outbound.onApplicationShutdown();
    for (const receiver of receivers.splice(0)) await receiver.close();
  });

  describe.each([
    ['in one packet', (socket: Socket, answer: string) => void socket.write(answer)],
    ['byte by byte', (socket: Socket, answer: string) => void byteByByte(socket, answer)],
  ])('%s', (_, write) => {
    it.each([...AFTER_INTERIM, ...WITHOUT_CONTENT, ...RESET_CONTENT])(
      'OutboundHttp reads a response of %s',
      async (_name, answer, statusCode, connections) => {
        const receiver = await start((socket) => write(socket, answer));
        const expectedBody = answer.endsWith(OK) ? 'ok' : '';
        for (const result of [await post(receiver), await post(receiver)]) {
          expect(result).toMatchObject({ statusCode, error: null });
          expect(result.responseBody.toString()).toBe(expectedBody);
        }
        expect([receiver.requests.length, receiver.connections]).toEqual([2, connections]);
      },
    );
  });

  it.each(['HTTP/1.1', 'HTTP/1.0'])(
    'OutboundHttp accepts a response of %s that ends with its connection',
    async (version) => {
      const receiver = await start(
        (socket) => void socket.end(`${interim(100)}${head(`${version} 200 OK`)}until the end`),
      );
      const result = await post(receiver);
      expect([result.statusCode, result.responseBody.toString()]).toEqual([200, 'until the end']);
    },
  );

  it.each([
    ['a 204 with a length', head('HTTP/1.1 204 No Content', `Content-Length: ${OK.length}`), 204],
    ['a 204 in chunks', head('HTTP/1.1 204 No Content', 'Transfer-Encoding: chunked'), 204],
    ['a 205 without a length', head('HTTP/1.1 205 Reset'), 205],
    [
      'a 100 with a length, and a 500',
      interim(100, 'Content-Length: 9') + head('HTTP/1.1 500 Oh', 'content-length: 0'),
      500,
    ],
  ])('OutboundHttp never takes bytes after %s for the response to the next post', async (_, answer, statusCode) => {
    // the late body would be in front of the response to the second request
    const receiver = await start((socket, _request, count) => {
      socket.write(count === 1 ? answer : OK);
    });
    expect((await post(receiver)).statusCode).toBe(statusCode);
    expect((await post(receiver)).statusCode).toBe(statusCode);
    expect(receiver.connections).toBe(2);
    await eventually(() => expect(outbound.kept).toEqual({ idleConnections: 0, origins: 0 }));
  });

  it('OutboundHttp ends a connection with more than one response', async () => {
    const receiver = await start((socket) => void socket.write(OK + interim(100) + OK));
    expect((await post(receiver)).statusCode).toBe(200);
    expect((await post(receiver)).statusCode).toBe(200);
    expect(receiver.connections).toBe(2);
  });

  it.each(['HTTP', 'HTTP/1.1 204 No Content\r\n', interim(100).slice(0, -2)])(
    'OutboundHttp does not send again when %j and a close follow a post on a kept connection',
    async (part) => {
      const receiver = await start((socket, _request, count) => {
        if (count === 1) socket.write(OK);
        else socket.end(part);
      });
      expect((await post(receiver)).statusCode).toBe(200);
      expect((await post(receiver)).error).toBe('connection_reset');
      expect(receiver.requests).toHaveLength(2);
    },
  );
});
