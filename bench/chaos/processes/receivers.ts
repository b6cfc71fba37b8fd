// The receivers of a chaos run: each has its port and a behaviour of answering that faults change. They store all
// requests, check the signatures on arrival, and record their answers and the times.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Behaviour, SLOW_HEALTHY_MS } from '../schedule.js';
import { receiptNumber } from '../../support/receipt-number.js';
import { serve } from '../../support/remote.js';
import { verifyWebhook } from '../../support/webhook-verification.js';

/** One complete request. Times are ms since 1970. */
export interface Receipt {
  /** The delivery's row, which `collect` finds by the `webhook-id`; until then its `receiptNumber`. */
  deliveryId: number;
  receiver: number;
  /** When the request's head arrived. */
  arrivedAt: number;
  /** When the answer was sent, or the connection ended without one. */
  endedAt: number;
  /** Status of the complete answer; `null`: no answer, or the sender had closed the connection. */
  answered: number | null;
  /** The `Retry-After` of the answer. */
  retryAfterMs: number;
  /** Hex SHA-256 of the body. */
  bodyHash: string;
  /** The `Signature` header. */
  signature: string;
  /** Index of the shop's secret that signed it, in the order of `trust`; -1: none. */
  secret: number;
  /** Whether all signatures are valid. */
  isGenuine: boolean;
  /** `webhook-timestamp`, s since 1970. */
  signedAt: number;
}

const SLOW_MS = 2_000;
/** A faulty receiver refuses one of 15 requests even without a fault, so that there are always some retries. */
const REFUSES_EVERY = 15;
const receipts: Receipt[] = [];
/** By shop, or by the negative id of a standing endpoint, in the order of `trust`; `undefined`: no longer trusted. */
const secrets = new Map<number, (string | undefined)[]>();
const receivers: Receiver[] = [];

class Receiver {
  behaviour: Behaviour = 'steady';
  /** In a storm: when all refused deliveries fall due, ms since 1970. */
  retryAt = 0;
  private server: Server | undefined;
  private count = 0;

  constructor(
    private readonly index: number,
    private readonly port: number,
  ) {}

  async listen(): Promise<void> {
    const server = createServer(
      { keepAliveTimeout: 60_000 },
      (request, response) => void this.receive(request, response),
    );
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  async behave(behaviour: Behaviour, retryAt: number): Promise<void> {
    this.behaviour = behaviour;
    this.retryAt = retryAt;
    if (behaviour === 'refuse') {
      this.server?.close();
      this.server?.closeAllConnections();
      this.server = undefined;
    } else if (!this.server) {
      await this.listen();
    }
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = Date.now();
    response.on('error', () => undefined);
    const body = await wholeBody(request);
    if (!body) return;
    const receipt = receiptOf(this.index, request, body, arrivedAt);
    receipts.push(receipt);
    response.once('close', () => {
      receipt.endedAt = Date.now();
      receipt.answered = response.writableFinished ? response.statusCode : null;
    });
    this.answer(response, receipt);
  }

  private answer(response: ServerResponse, receipt: Receipt): void {
    const reply = (status: number, retryAfterS?: number): void => {
      if (retryAfterS !== undefined) {
        receipt.retryAfterMs = retryAfterS * 1_000;
        response.setHeader('Retry-After', String(retryAfterS));
      }
      response.writeHead(status, { 'Content-Length': 2 }).end('ok');
    };
    switch (this.behaviour) {
      case 'steady':
      case 'refuse': // accepted just before
        return reply(200);
      case 'good':
        return reply(++this.count % REFUSES_EVERY === 0 ? 500 : 200);
      case 'slow-healthy':
        setTimeout(reply, SLOW_HEALTHY_MS.least + Math.random() * (SLOW_HEALTHY_MS.most - SLOW_HEALTHY_MS.least), 200);
        return;
      case 'hang':
        return;
      case 'reset':
        response.socket?.resetAndDestroy();
        return;
      case 'slow':
        setTimeout(reply, SLOW_MS, 200);
        return;
      case 'flaky':
        return reply(++this.count % 2 === 0 ? 500 : 200);
      case 'error500':
        return reply(500);
      case 'error503':
        return reply(503);
      case 'busy429':
        return reply(429, 2);
      case 'gone410':
        return reply(410);
      case 'storm':
        return reply(503, Math.max(1, Math.round((this.retryAt - Date.now()) / 1_000)));
    }
  }
}

/** `undefined`: the sender aborted the request. */
const wholeBody = (request: IncomingMessage): Promise<Buffer | undefined> => buffer(request).catch(() => undefined);

function receiptOf(receiver: number, { headers }: IncomingMessage, body: Buffer, arrivedAt: number): Receipt {
  const id = String(headers['webhook-id']);
  const signature = String(headers['signature']);
  const timestamp = String(headers['webhook-timestamp']);
  const standard = String(headers['webhook-signature']);
  return {
    deliveryId: receiptNumber(id),
    receiver,
    arrivedAt,
    endedAt: NaN,
    answered: null,
    retryAfterMs: 0,
    bodyHash: createHash('sha256').update(body).digest('hex'),
    signature,
    ...verifyWebhook(secrets.get(signerOf(headers, body)) ?? [], { body, id, timestamp, signature, standard }),
    signedAt: Number(timestamp),
  };
}

/** The key of `secrets` for a request. */
const signerOf = (headers: IncomingHttpHeaders, body: Buffer): number =>
  headers['webhook-endpoint-id'] === undefined ? shopOf(body) : -Number(headers['webhook-endpoint-id']);

const shopOf = (body: Buffer): number => (JSON.parse(body.toString('utf8')) as { shop: { id: number } }).shop.id;

async function open(ports: number[]): Promise<void> {
  for (const port of ports) receivers.push(new Receiver(receivers.length, port));
  await Promise.all(receivers.map((receiver) => receiver.listen()));
}

/** From now on signatures with this secret are valid, too. `shopId`: a key of `secrets`. */
function trust(shopId: number, secret: string): void {
  secrets.set(shopId, [...(secrets.get(shopId) ?? []), secret]);
}

/** From now on only the newest secret of the shop is valid. */
function removeOlderSecrets(shopId: number): void {
  const known = secrets.get(shopId) ?? [];
  secrets.set(
    shopId,
    known.map((secret, index) => (index === known.length - 1 ? secret : undefined)),
  );
}

async function behave(which: number[], behaviour: Behaviour, retryAt = 0): Promise<void> {
  await Promise.all(which.map((index) => receivers[index]!.behave(behaviour, retryAt)));
}

const count = (): number => receipts.length;

/** `limit` receipts from number `from` on. */
const read = (from: number, limit: number): Receipt[] => receipts.slice(from, from + limit);

const methods = { open, trust, removeOlderSecrets, behave, count, read };
export type ReceiversMethods = typeof methods;

serve(methods);
