import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  /** When its head arrived, in ms since 1970. */
  arrivedAt: number;
  /** The body as JSON. */
  json<T = unknown>(): T;
}

/** The answer to one request. A number is a status. */
export interface Reply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Waits before the first byte. */
  delayMs?: number;
  /**
   * `hang`: never a byte. `reset`: a TCP reset instead of an answer. `endless`: a body without end, as fast as it is read.
   * `slow-body`: head at once, then one byte of body every 50 ms without end.
   */
  misbehaviour?: 'hang' | 'reset' | 'endless' | 'slow-body';
}

/** `index` counts the requests from 0. */
export type Behaviour = (request: ReceivedRequest, index: number) => Reply | number | Promise<Reply | number>;

export interface Receiver {
  /** `http://127.0.0.1:<port>` without a trailing slash. */
  url: string;
  port: number;
  /** Complete requests, in order of arrival. */
  requests: ReceivedRequest[];
  /** The highest number of concurrent unanswered requests. */
  maxInFlight(): number;
  /** Connections accepted so far. */
  connections(): number;
  /** The highest number of concurrent connections. */
  maxConnections(): number;
  /** Sets the answer to later requests. */
  respondWith(behaviour: Behaviour | Reply | number): void;
  stop(): Promise<void>;
}

/** A webhook receiver on the loopback interface; answers 200 by default. */
export async function startReceiver(initial: Behaviour | Reply | number = 200): Promise<Receiver> {
  let behaviour = asBehaviour(initial);
  const requests: ReceivedRequest[] = [];
  let [inFlight, maxInFlight, connections, open, maxConnections] = [0, 0, 0, 0, 0];

  const server = createServer((incoming, response) => {
    inFlight += 1;
    maxInFlight = Math.max(maxInFlight, inFlight);
    response.once('close', () => (inFlight -= 1));
    void receive(incoming)
      .then(async (request) => {
        const index = requests.push(request) - 1;
        await answer(response, await behaviour(request, index));
      })
      // the sender aborted, or the test's behaviour threw
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    connections += 1;
    open += 1;
    maxConnections = Math.max(maxConnections, open);
    socket.once('close', () => (open -= 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    maxInFlight: () => maxInFlight,
    connections: () => connections,
    maxConnections: () => maxConnections,
    respondWith: (next) => (behaviour = asBehaviour(next)),
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const asBehaviour = (given: Behaviour | Reply | number): Behaviour =>
  typeof given === 'function' ? given : () => given;

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const arrivedAt = Date.now();
  const body = await buffer(incoming);
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: incoming.headers,
    body,
    arrivedAt,
    json: <T>() => JSON.parse(body.toString('utf8')) as T,
  };
}

async function answer(response: ServerResponse, given: Reply | number): Promise<void> {
  const {
    status = 200,
    headers = {},
    body = '',
    delayMs = 0,
    misbehaviour,
  }: Reply = typeof given === 'number' ? { status: given } : given;
  if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
  if (response.destroyed || misbehaviour === 'hang') return;
  if (misbehaviour === 'reset') return void response.socket?.resetAndDestroy();
  response.writeHead(status, headers);
  if (misbehaviour === 'endless') return pipeline(endlessly, response);
  if (misbehaviour === 'slow-body') return sendSlowly(response);
  response.end(body);
}

function* endlessly(): Generator<Buffer> {
  for (const chunk = Buffer.alloc(16_384, 'x'); ;) yield chunk;
}

async function sendSlowly(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    response.write('x');
    await delay(50, undefined, { ref: false });
  }
}
