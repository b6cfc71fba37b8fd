// A webhook receiver that costs as little as Node allows, so that the two cores are left to what is measured: HTTP/1.1 is
// taken apart by hand on bare sockets, and of a request only its webhook-id and the moment of its arrival are kept.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { receiptNumber } from '../support/receipt-number.js';
import { serve } from '../support/remote.js';

/**
 * `hang`: never an answer. `dead path`: the same below `/dead`, all else is well. `slow`: after `delayMs`. `refuse`: nobody
 * listens there.
 */
export type Manner =
  { kind: 'ok' } | { kind: 'hang' } | { kind: 'dead path' } | { kind: 'slow'; delayMs: number } | { kind: 'refuse' };

export interface Receipts {
  received: number;
  /** Different deliveries among them. */
  unique: number;
  /** Ms since 1970, with fractions; NaN of none. */
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

/** One connection: heads and bodies follow each other in whatever pieces TCP makes of them. */
class Conversation {
  private rest = EMPTY;
  private bodyLeft = 0;
  private isDead = false;

  constructor(
    private readonly socket: Socket,
    private readonly manner: Manner,
  ) {}

  take(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = EMPTY;
    for (let at = 0; at < bytes.length;) {
      if (this.bodyLeft === 0) {
        const end = bytes.indexOf('\r\n\r\n', at);
        if (end < 0) {
          this.rest = bytes.subarray(at);
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
    if (!length) throw new Error(`the receiver takes requests with a length only, got:\n${head}`);
    this.bodyLeft = Number(length[1]);
    this.isDead = this.manner.kind === 'dead path' && head.startsWith('POST /dead');
    if (received >= CAPACITY) throw new Error(`the receiver holds ${CAPACITY} requests only`);
    ids[received] = receiptNumber(/webhook-id: *([^\r\n]*)/i.exec(head)?.[1] ?? '');
    arrivals[received] = performance.timeOrigin + performance.now();
    received += 1;
  }

  private answer(): void {
    const { manner } = this;
    if (manner.kind === 'slow') setTimeout(() => this.socket.write(OK, 'latin1'), manner.delayMs);
    else if (manner.kind !== 'hang' && !this.isDead) this.socket.write(OK, 'latin1');
  }
}

/** Listens on every loopback address, so that each of them is an origin of its own. Answers the port. */
async function listen(manner: Manner): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    const conversation = new Conversation(socket, manner);
    socket.on('data', (chunk) => conversation.take(chunk));
    socket.on('error', () => socket.destroy());
  });
  server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (manner.kind === 'refuse') server.close();
  else servers.push(server);
  return port;
}

/** Counts from zero. */
function reset(): void {
  received = 0;
}

/** Resolves when `count` different deliveries have arrived, rejects after `timeoutMs`. */
async function waitFor(count: number, timeoutMs: number): Promise<Receipts> {
  const deadline = Date.now() + timeoutMs;
  for (let enough = count; ;) {
    if (received >= enough) {
      const receipts = report();
      if (receipts.unique >= count) return receipts;
      enough = received + count - receipts.unique; // some came twice
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

/** The number of each request's webhook-id (`receiptNumber`) and the moment of its arrival (ms since 1970), in order of arrival. */
const receipts = (): { ids: Float64Array; arrivals: Float64Array } => ({
  ids: ids.slice(0, received),
  arrivals: arrivals.slice(0, received),
});

const offer = { listen, reset, waitFor, report, receipts };
export type ReceiverOffer = typeof offer;

serve(offer);
