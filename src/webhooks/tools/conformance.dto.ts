import { IsString } from 'class-validator';
import { IsId, IsMetadata, Optional } from '../../platform/http/validation/field-rules.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import type { CaseResult } from './conformance-verdict.js';
import { type Explanation, SIGNATURE_FAULTS, type SignatureFault } from './signature-explanation.js';
import type { VerificationRequest } from './verification.service.js';
import { ApiProperty } from '@nestjs/swagger';

export class ConformanceRequest {
  /** An absolute http(s) URL of at most 2048 characters. @example 'https://merchant.example/webhooks' */
  @IsWebhookEndpoint()
  webhook_endpoint: string;
}

export class ConformanceCaseResult implements CaseResult {
  /** @example 'stale_timestamp' */
  name: string;
  /** @example false */
  passed: boolean;
  /** @example 'a genuine request that was signed an hour ago' */
  sent: string;
  /** The answer of a correct receiver. @example 'a 4xx, such as 401' */
  expected: string;
  /** @example '200 in 12 ms' */
  got: string;
  /** Advice for the receiver; `null` if the case passed.
   * @example 'Refuse requests that are older than five minutes.' */
  advice: string | null;
  /** Behaviour that the answers to a passed case do not show, and where to check it; `null` if they show everything. A receiver can answer with 208 to show that it dropped a repetition or an older event.
   * @example null */
  unproven: string | null;
}

export class ConformanceRun {
  /** Whether every case passed. `unproven` of a case says what its answers do not show. @example false */
  passed: boolean;
  cases: ConformanceCaseResult[];
}

export class WebhookToVerify {
  /** The shop of the webhook. Optional if a standing endpoint sent it. @example 1 */
  @Optional()
  @IsId()
  shop_id?: number;

  /** The standing endpoint that sent it. If absent: the one that `webhook-endpoint-id` in `headers` names. */
  @Optional()
  @IsId()
  endpoint_id?: number;

  /** The body as the receiver got it. @example '{"event":"payment.status_changed"}' */
  @IsString()
  body: string;

  /** The headers as the receiver got them. Names may have any case; other headers are ignored.
   * @example { "Signature": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" } */
  @IsMetadata()
  headers: Record<string, unknown>;

  /** The address of the webhook, if several addresses get the webhooks of the payment.
   * @example 'https://merchant.example/webhooks' */
  @Optional()
  @IsWebhookEndpoint()
  webhook_endpoint?: string;

  static toRequest(dto: WebhookToVerify): VerificationRequest {
    const headers = Object.entries(dto.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    );
    const { shop_id: shopId, endpoint_id: endpointId, body, webhook_endpoint: endpoint } = dto;
    return { shopId, endpointId, body, headers: new Map(headers), endpoint };
  }
}

export class WebhookVerification implements Explanation {
  /** Whether a receiver should accept the webhook. @example false */
  valid: boolean;
  /** `null` if the webhook is valid. @example 'reserialized_body' */
  @ApiProperty({ enum: SIGNATURE_FAULTS, enumName: 'SignatureFault', nullable: true })
  reason: SignatureFault | null;
  /** @example 'The body was parsed and serialized again. Verify the received bytes before a JSON parser changes them.' */
  advice: string | null;
}
