import { IsString } from 'class-validator';
import { IsId, IsMetadata, Optional } from '../../platform/http/validation/field-rules.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import type { CaseResult } from './conformance-verdict.js';
import { type Explanation, SIGNATURE_FAULTS, type SignatureFault } from './signature-explanation.js';
import type { VerificationRequest } from './verification.service.js';
import { ApiProperty } from '@nestjs/swagger';

export class ConformanceRequest {
  /** An absolute http(s) URL of at most 2048 characters.
   * @example 'https://merchant.example/webhooks' */
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
  /** What a right receiver answers.
   * @example 'a 4xx, such as 401' */
  expected: string;
  /** @example '200 in 12 ms' */
  got: string;
  /** What to change; `null` when it passed.
   * @example 'Refuse what is older than five minutes.' */
  advice: string | null;
  /** What the answers do not show of a case that passed, and where to look for it; `null` where they show all. A receiver that answers 208 to a repetition or an older event shows that it dropped it.
   * @example null */
  unproven: string | null;
}

export class ConformanceRun {
  /** Whether every case passed; `unproven` of a case tells what the answers do not show.
   * @example false */
  passed: boolean;
  cases: ConformanceCaseResult[];
}

export class WebhookToVerify {
  /** The shop that sent it.
   * @example 1 */
  @IsId()
  shop_id: number;

  /** The body as the receiver saw it.
   * @example '{"event":"payment.status_changed"}' */
  @IsString()
  body: string;

  /** The headers as the receiver saw them; names in any case, others than the webhook's are ignored.
   * @example { "Signature": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" } */
  @IsMetadata()
  headers: Record<string, unknown>;

  /** Where it was sent to, when several addresses get the payment's webhooks.
   * @example 'https://merchant.example/webhooks' */
  @Optional()
  @IsWebhookEndpoint()
  webhook_endpoint?: string;

  static toRequest(dto: WebhookToVerify): VerificationRequest {
    const headers = Object.entries(dto.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    );
    return { shopId: dto.shop_id, body: dto.body, headers: new Map(headers), endpoint: dto.webhook_endpoint };
  }
}

export class WebhookVerification implements Explanation {
  /** Whether a receiver should take it.
   * @example false */
  valid: boolean;
  /** `null` for a valid one.
   * @example 'reserialized_body' */
  @ApiProperty({ enum: SIGNATURE_FAULTS, enumName: 'SignatureFault', nullable: true })
  reason: SignatureFault | null;
  /** @example 'The body was parsed and written again. Verify the bytes as received, before a JSON parser has touched them.' */
  advice: string | null;
}
