import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One webhook as it arrived. */
export interface ReceivedWebhook {
  path: string;
  deliveryId: string;
  /** 1 for the first time this delivery arrived. */
  attempt: number;
  isVerified: boolean;
  answeredWith: number;
  bodyHash: string;
  body: { payment: { id: number; status: string }; shop: { id: number; name: string }; original_webhook?: unknown };
}

interface Options {
  /** The webhook secret of a shop, as the merchant keeps it. */
  secretOf: (shopId: number) => string | undefined;
  /** The status to answer a delivery's attempt with. */
  answer: (path: string, attempt: number) => number;
  onWebhook: (webhook: ReceivedWebhook) => void;
}

/** The merchant's side: a local HTTP server that verifies every signature over the raw bytes before it answers. */
export class DemoReceiver {
  readonly received: ReceivedWebhook[] = [];
  private readonly server: Server;

  private constructor(private readonly options: Options) {
    this.server = createServer((request, response) => void this.receive(request, response));
  }

  static async start(options: Options): Promise<DemoReceiver> {
    const receiver = new DemoReceiver(options);
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await buffer(request);
    const webhook = this.read(request, raw);
    this.received.push(webhook);
    response.writeHead(webhook.answeredWith).end();
    this.options.onWebhook(webhook);
  }

  private read(request: IncomingMessage, raw: Buffer): ReceivedWebhook {
    const path = request.url ?? '/';
    const deliveryId = String(request.headers['webhook-id']);
    const attempt = this.received.filter((earlier) => earlier.deliveryId === deliveryId).length + 1;
    const body = JSON.parse(raw.toString('utf8')) as ReceivedWebhook['body'];
    const isVerified = verify(this.options.secretOf(body.shop.id), raw, String(request.headers['signature']));
    const answeredWith = isVerified ? this.options.answer(path, attempt) : 401;
    return {
      path,
      deliveryId,
      attempt,
      isVerified,
      answeredWith,
      body,
      bodyHash: createHash('sha256').update(raw).digest('hex'),
    };
  }
}

function verify(secret: string | undefined, raw: Buffer, signature: string): boolean {
  if (secret === undefined) return false;
  const expected = createHmac('sha256', secret).update(raw).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
