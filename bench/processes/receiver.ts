// A webhook receiver that costs as little as Node allows, to leave the two cores to the measured processes. It parses
// HTTP/1.1 by hand on bare sockets and stores only the webhook-id and arrival time of a request.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { receiptNumber } from '../support/receipt-number.js';
import { serve } from '../support/remote.js';

/**
 * `hang`: never answers. `dead path`: never answers below `/dead`, else 200. `slow`: answers after `delayMs`. `refuse`:
 * the port is closed.
 */
export type Behaviour =
  { kind: 'ok' } | { kind: 'hang' } | { kind: 'dead path' } | { kind: 'slow'; delayMs: number } | { kind: 'refuse' };

export interface Receipts {
  received: number;
  /** Number of different deliveries among them. */
  unique: number;
  /** Ms since 1970, with fractions; NaN if there are none. */
  firstAt: number;
  lastAt: number;
}

const CAPACITY = 4_000_000;
const POLL_MS = 2;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const EMPTY: Buffer = Buffer.alloc(0);

const ids = new Float64Array(CAPACITY);
const arrivals = new Float64Array(CAPACITY);
let received = 0;
const servers: Server[] = [];

/** One connection: TCP may split heads and bodies anywhere. */
class Conversation {
  private unread = EMPTY;
  private bodyLeft = 0;
  private isDead = false;

  constructor(
    private readonly socket: Socket,
    private readonly behaviour: Behaviour,
  ) {}

  take(chunk: Buffer): void {
    const bytes = this.unread.length === 0 ? chunk : Buffer.concat([this.unread, chunk]);
    this.unread = EMPTY;
    for (let at = 0; at < bytes.length;) {
      if (this.bodyLeft === 0) {
        const end = bytes.indexOf('\r\n\r\n', at);
        if (end < 0) {
          this.unread = bytes.subarray(at);
          return;
        }
        this.readHead(bytes.toString('latin1', at, end));
        at = end + 4;
      }
      const taken = Math.min(this.bodyLeft, bytes.length - at);
      this.bodyLeft -= taken;
      at += taken;
      if (this.bodyLeft === 0) this.answer();
    }
  }

  private readHead(head: string): void {
    const length = /content-length: *(\d+)/i.exec(head);
    if (!length) throw new Error(`the receiver only accepts requests with a Content-Length, got:\n${head}`);
    this.bodyLeft = Number(length[1]);
    this.isDead = this.behaviour.kind === 'dead path' && head.startsWith('POST /dead');
    if (received >= CAPACITY) throw new Error(`the receiver stores only ${CAPACITY} requests`);
    ids[received] = receiptNumber(/webhook-id: *([^\r\n]*)/i.exec(head)?.[1] ?? '');
    arrivals[received] = performance.timeOrigin + performance.now();
    received += 1;
  }

  private answer(): void {
    const { behaviour } = this;
    if (behaviour.kind === 'slow') setTimeout(() => this.socket.write(OK, 'latin1'), behaviour.delayMs);
    else if (behaviour.kind !== 'hang' && !this.isDead) this.socket.write(OK, 'latin1');
  }
}

/** Listens on every loopback address, so that each is a separate origin. Returns the port. */
async function listen(behaviour: Behaviour): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    const conversation = new Conversation(socket, behaviour);
    socket.on('data', (chunk) => conversation.take(chunk));
    socket.on('error', () => socket.destroy());
  });
  server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (behaviour.kind === 'refuse') server.close();
  else servers.push(server);
  return port;
}

/** Forgets all requests. */
function reset(): void {
  received = 0;
}

/** Resolves when `count` different deliveries have arrived; rejects after `timeoutMs`. */
async function waitFor(count: number, timeoutMs: number): Promise<Receipts> {
  const deadline = Date.now() + timeoutMs;
  for (let expected = count; ;) {
    if (received >= expected) {
      const receipts = report();
      if (receipts.unique >= count) return receipts;
      expected = received + count - receipts.unique; // some deliveries arrived twice
    }
    if (Date.now() > deadline) throw new Error(`${report().unique} of ${count} deliveries within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function report(): Receipts {
  return {
    received,
    unique: new Set(ids.subarray(0, received)).size,
    firstAt: received === 0 ? NaN : arrivals[0]!,
    lastAt: received === 0 ? NaN : arrivals[received - 1]!,
  };
}

/**
 * The number of each request's webhook-id (`receiptNumber`) and its arrival time (ms since 1970), in order of arrival.
 */
const receipts = (): { ids: Float64Array; arrivals: Float64Array } => ({
  ids: ids.slice(0, received),
  arrivals: arrivals.slice(0, received),
});

const methods = { listen, reset, waitFor, report, receipts };
export type ReceiverMethods = typeof methods;

serve(methods);
