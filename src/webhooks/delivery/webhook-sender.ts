import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { OutboundHttp } from '../../platform/outbound/outbound-http.service.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { Clock } from '../../shared/clock.js';
import type { Destination } from '../standing-endpoints/endpoint-secrets.service.js';
import type { WebhookSigner } from './signature.js';

export const USER_AGENT = 'payment-orchestrator-webhooks/1.0';

export interface SignedRequest {
  /** The `webhook-id`: the same on every attempt of a delivery. */
  id: string;
  /** The header `webhook-shop-id`: the receiver selects the secret by it before it trusts the body; `null`: of no shop. */
  shopId: number | null;
  url: string;
  /** The exact text to sign and send. */
  body: string;
  signer: WebhookSigner;
  headers?: Record<string, string>;
  /** A standing endpoint; its id is in `webhook-endpoint-id`, by which the receiver selects the secret. */
  destination?: Destination | undefined;
}

/** Signs a body and posts it once. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'webhookTimeoutMs'>,
  ) {}

  send({ id, shopId, url, body, signer, headers, destination }: SignedRequest): Promise<OutboundResult> {
    const bytes = Buffer.from(body, 'utf8');
    const timestamp = Math.floor(this.clock.now().getTime() / 1_000);
    return this.outbound.post({
      url,
      body: bytes,
      timeoutMs: this.config.webhookTimeoutMs,
      headers: {
        ...destination?.headers,
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        Signature: signer.body(bytes),
        'webhook-id': id,
        ...(shopId !== null && { 'webhook-shop-id': String(shopId) }),
        ...(destination && { 'webhook-endpoint-id': String(destination.endpointId) }),
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signer.standard(id, timestamp, bytes),
        ...headers,
      },
    });
  }
}
