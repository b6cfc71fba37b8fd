import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { OutboundHttp } from '../../platform/outbound/outbound-http.service.js';
import { OutboundFailure, type OutboundResult } from '../../platform/outbound/outbound-result.js';
import { Clock } from '../../shared/clock.js';
import { USER_AGENT } from './auth/access-token.js';
import { hidingSecrets } from './auth/answer-secrets.js';
import { renderChatMessage } from './chat-message.js';
import type { Receiver } from './secrets/receiver.js';
import { ReceiverAuth } from './auth/receiver-auth.service.js';

const NO_ANSWER = { statusCode: null, retryAfter: null, responseBody: Buffer.alloc(0) };

export interface SignedRequest {
  /** The `webhook-id`: the same on every attempt of a delivery. */
  id: string;
  /** The header `webhook-shop-id`: the receiver selects the secret by it before it trusts the body; `null`: of no shop. */
  shopId: number | null;
  url: string;
  /** The stored text, which is signed and sent exactly, unless the receiver has another format. */
  body: string;
  /** The id of a standing endpoint is in `webhook-endpoint-id`, by which the receiver selects the secret. */
  receiver: Receiver;
  headers?: Record<string, string>;
}

/** Signs a body and posts it once, as the receiver wants it: its format, its headers, its authentication. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly auth: ReceiverAuth,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'webhookTimeoutMs' | 'publicUrl' | 'console'>,
  ) {}

  /** Every behaviour of the receiver and of its token endpoint is a result, without secrets that the answer echoes. The time for a token precedes the time-out. */
  async send(request: SignedRequest): Promise<OutboundResult> {
    const { endpointId, auth } = request.receiver;
    if (endpointId === null || !auth) return hidingSecrets(await this.post(request), request.receiver);
    const [startedAt, startedMs] = [this.clock.now(), performance.now()];
    const authorization = await this.auth.authorization(endpointId, auth);
    if (authorization instanceof OutboundFailure) {
      const durationMs = Math.round(performance.now() - startedMs);
      return { ...NO_ANSWER, error: authorization.code, errorMessage: authorization.message, startedAt, durationMs };
    }
    const result = await this.post(request, { authorization });
    this.auth.answered(endpointId, auth, authorization, result.statusCode);
    return hidingSecrets(result, request.receiver, authorization);
  }

  private post(
    { id, shopId, url, body, receiver, headers }: SignedRequest,
    authorization: Record<string, string> = {},
  ): Promise<OutboundResult> {
    const { endpointId, signer } = receiver;
    const bytes = Buffer.from(this.rendered(receiver, body), 'utf8');
    const timestamp = Math.floor(this.clock.now().getTime() / 1_000);
    return this.outbound.post({
      url,
      body: bytes,
      timeoutMs: this.config.webhookTimeoutMs,
      headers: {
        ...receiver.headers,
        ...authorization,
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        Signature: signer.body(bytes),
        'webhook-id': id,
        ...(shopId !== null && { 'webhook-shop-id': String(shopId) }),
        ...(endpointId !== null && { 'webhook-endpoint-id': String(endpointId) }),
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signer.standard(id, timestamp, bytes),
        ...headers,
      },
    });
  }

  /** The text that is signed and sent: the stored body in the format of its receiver. */
  rendered({ format }: Pick<Receiver, 'format'>, body: string): string {
    const { publicUrl, console } = this.config;
    const consoleUrl = publicUrl !== undefined && console.isServed ? `${publicUrl}/console` : undefined;
    return format === 'slack' ? renderChatMessage(body, consoleUrl) : body;
  }
}
