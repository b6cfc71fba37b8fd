import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { ApiEnum } from '../../openapi/api-field.js';
import { answerText } from '../../platform/outbound/decoded-body.js';
import { Optional } from '../../platform/http/validation/field-rules.js';
import { EVENT_TYPES, type EventType } from '../event-types/event-catalogue.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import { DELIVERY_ERRORS } from './parked-deliveries.queries.js';
import type { TestResult } from './endpoint-test.service.js';

export class TestWebhookDto {
  /** An absolute http(s) URL of at most 2048 characters. @example 'https://merchant.example/webhooks' */
  @IsWebhookEndpoint()
  webhook_endpoint: string;
}

export class WebhookTestResultDto {
  /** Whether the receiver answered with 2xx in time. */
  delivered: boolean;
  /** Status code of the receiver's answer; `null` if there was none. @example 200 */
  status_code: number | null;
  /** @example 42 */
  duration_ms: number;
  /** Why there was no answer, such as `timeout`, `connect_failed` or `forbidden_address` (the tag webhooks lists all codes); `null` if there was one.
   */
  @ApiEnum('DeliveryError', DELIVERY_ERRORS)
  error: string | null;
  /** A sentence about `error`, such as the token endpoint's status and error of `auth_failed`; `null`: nothing more is known. @example 'the token endpoint answered 401 (invalid_client)' */
  error_message: string | null;
  /** The `Signature` header that was sent.
   * @example '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' */
  signature: string;
  /** The exact body that was sent. */
  @ApiProperty({ example: '{"event":"payment.status_changed"}' })
  request_body: string;
  /** The first 4 KiB of the answer; `null` if there was none. @example 'ok' */
  response_body: string | null;

  static from({ result, signature, requestBody }: TestResult): WebhookTestResultDto {
    const { statusCode } = result;
    return {
      delivered: statusCode !== null && statusCode >= 200 && statusCode < 300,
      status_code: statusCode,
      duration_ms: Math.round(result.durationMs),
      error: result.error,
      error_message: result.errorMessage ?? null,
      signature,
      request_body: requestBody,
      response_body: statusCode === null ? null : answerText(result),
    };
  }
}

export class TestEndpointDto {
  /** The type of the sample. If absent: the first type that the endpoint chose. @example 'payment.status_changed' */
  @Optional()
  @IsIn(EVENT_TYPES)
  event_type?: EventType;
}
