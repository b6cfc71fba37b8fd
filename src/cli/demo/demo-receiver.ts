import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  isPaymentStatusChanged,
  verify,
  type PaymentStatusChanged,
  WebhookVerificationError,
} from '@payment-orchestrator/receiver';

/** One webhook as it arrived. */
export interface ReceivedWebhook {
  path: string;
  deliveryId: string;
  /** 1 for the first time this delivery arrived. */
  attempt: number;
  answeredWith: number;
  bodyHash: string;
  /** `null`: the signature is not valid, so the content is ignored. */
  event: PaymentStatusChanged | null;
}

interface Options {
  /** The webhook secret of a shop, stored by the merchant. */
  secretOf: (shopId: number) => string | undefined;
  /** Returns the status for an attempt of a delivery. */
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
    const webhook = await this.read(request, raw);
    this.received.push(webhook);
    response.writeHead(webhook.answeredWith).end();
    this.options.onWebhook(webhook);
  }

  private async read(request: IncomingMessage, raw: Buffer): Promise<ReceivedWebhook> {
    const path = request.url ?? '/';
    const deliveryId = String(request.headers['webhook-id']);
    const attempt = this.received.filter((earlier) => earlier.deliveryId === deliveryId).length + 1;
    const event = await this.verified(request, raw);
    const answeredWith = event ? this.options.answer(path, attempt) : 401;
    return {
      path,
      deliveryId,
      attempt,
      answeredWith,
      event,
      bodyHash: createHash('sha256').update(raw).digest('hex'),
    };
  }

  /** The header `webhook-shop-id` selects the secret, before the body is read. */
  private async verified(request: IncomingMessage, raw: Buffer): Promise<PaymentStatusChanged | null> {
    try {
      const event = await verify(raw, request.headers, (shopId) => this.options.secretOf(shopId));
      return isPaymentStatusChanged(event) ? event : null;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return null;
      throw error;
    }
  }
}
