import type { Scope } from '../../access/scopes.js';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ApiDecimal, ApiEnum, ApiUrl } from '../../openapi/api-field.js';
import { CardFactsDto } from '../../flows/definition/payment-method.dto.js';
import { CAPTURE_MODES, type CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import { AGREEMENTS, type Agreement } from '../../shared/agreement.js';
import { INITIATORS, type Initiator } from '../../shared/initiator.js';
import { toJsonAmount } from '../../shared/money.js';
import type { NextAction, ProviderAction, RedirectAction } from '@payment-orchestrator/provider-kit';
import type { WebhookPayment } from '../../webhooks/outbox/webhook-body.js';
import { toCustomerAnswer } from '../store/customer.js';
import { CustomerDto } from '../customers/customer.dto.js';
import { PaymentMethodAccountDto } from '../methods/saved-methods.dto.js';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../money/state/attempt.js';
import { CHANGE_CAUSES, type ChangeCause, PAYMENT_STATUSES, type PaymentStatus } from '../money/state/payment-state.js';
import { toPaymentFields } from '../store/status-bodies.service.js';
import type { AttemptRow, StatusChangeRow } from '../store/payment.queries.js';
import type { PaymentRow } from '../money/state/payment.js';

export class ShopReferenceDto {
  /** @example 3 */
  id: number;
  /** @example "Berlin" */
  name: string;
}

/** The payer's browser must go to `url`. */
class RedirectActionDto implements RedirectAction {
  /** @example "redirect" */
  type: 'redirect';
  /** Where to send the payer. @example "https://provider.example/authenticate/4711" */
  @ApiUrl()
  url: string;
  /** @example "GET" */
  method: 'GET' | 'POST';
}

/** The provider's script must act in the payer's page; its answer goes to `POST /payments/{id}/next-action`. */
class ProviderActionDto implements ProviderAction {
  /** @example "provider_action" */
  type: 'provider_action';
  /** @example "sandbox" */
  provider: string;
  /** The input of the script, in the provider's own format. @example { "challenge": "3f6c2d" } */
  data: Record<string, unknown>;
}

export class PaymentMethodFactsDto {
  /** @example "card" */
  type?: string;
  /** The accounts that have the payment method; empty: not named. */
  options: PaymentMethodAccountDto[];
  card?: CardFactsDto;
  /** The provider was asked to save it. @example true */
  save?: boolean;
}

/** A payment that this request has just completed was not read since. */
const capturedAt = ({ captured_at: read, status, updated_at: now }: PaymentRow): Date | null =>
  read ?? (status === 'completed' ? now : null);

/** The specification's Payment with its shop, customer and metadata. */
@ApiExtraModels(RedirectActionDto, ProviderActionDto)
export class PaymentDto implements WebhookPayment {
  /** @example 4711 */
  id: number;
  /** @example "ps_4711" */
  payment_session_id: string;
  /** @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  provider_transaction_id?: string;
  /** @example 49.90 */
  @ApiDecimal()
  amount: number;
  /** @example "EUR" */
  currency: string;
  /** @example "completed" */
  @ApiEnum('PaymentStatus', PAYMENT_STATUSES)
  status: PaymentStatus;
  /** @example "DE" */
  country?: string;
  /** @example "sandbox" */
  payment_provider: string;
  /** @example 12 */
  flow_id: number;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** @example "2026-11-21T01:02:03.789Z" */
  updated_at: string;
  /** @example "2026-11-21T01:32:03.456Z" */
  expires_at: string;
  /** The amount that the provider holds or has charged. @example 49.90 */
  @ApiDecimal()
  amount_authorized: number;
  /** The charged amount. @example 49.90 */
  @ApiDecimal()
  amount_captured: number;
  /** The amount of refunds that are pending or have succeeded. @example 0 */
  @ApiDecimal()
  amount_refunded: number;
  /** `manual`: it is only authorised, and captured by `POST /payments/{id}/capture`. @example "automatic" */
  @ApiEnum('CaptureMode', CAPTURE_MODES)
  capture: CaptureMode;
  /** The request's facts of the payment method, without tokens; `null`: none. */
  payment_method: PaymentMethodFactsDto | null;
  /** The party that begins the payment; absent: the request did not say. @example "customer" */
  @ApiEnum('Initiator', INITIATORS)
  initiator?: Initiator;
  /** The payer's agreement about later charges; absent: the request did not say. @example "subscription" */
  @ApiEnum('Agreement', AGREEMENTS)
  agreement?: Agreement;
  /** When its authorisation ends at the provider; `null`: nothing waits for a capture. @example null */
  capture_before: string | null;
  /** When it was captured, by the charge or later; `null`: it was not. @example "2026-11-21T01:02:03.789Z" */
  captured_at: string | null;
  /**
   * The sum of its chargebacks and pre-arbitrations that are not won, in the payment's currency. Disputes change no
   * status. @example 0
   */
  @ApiDecimal()
  disputed_amount: number;
  shop: ShopReferenceDto;
  /** `null` for a payment without a customer. */
  customer: CustomerDto | null;
  metadata: Record<string, unknown>;
  provider_metadata: Record<string, unknown>;
  /** The address from the request. @example "https://merchant.example/webhooks" */
  webhook_endpoint: string | null;
  /** The step that the payer must take before the payment continues; `null`: none. */
  @ApiProperty({
    oneOf: [RedirectActionDto, ProviderActionDto].map((dto) => ({ $ref: getSchemaPath(dto) })),
    nullable: true,
  })
  next_action: NextAction | null;
  /**
   * A provider charged the payment after it had ended or moved to another shop; the charge is reversed. @example false
   */
  charged_after_end: boolean;
  /**
   * A refund is pending: the provider has not yet reported its outcome. If it fails, this becomes `false` and the
   * payment stays `completed`: `GET /payments/{id}/refunds` shows why. @example false
   */
  refund_pending: boolean;
  /**
   * A capture is pending: the provider has not yet reported its outcome. If it fails, this becomes `false`, and the
   * event `capture.failed` shows why. @example false
   */
  capture_pending: boolean;

  static from(row: PaymentRow): PaymentDto {
    // begins with a field, not with a spread (docs/decisions/093-fields-written-out.md)
    const { id, ...fields } = toPaymentFields(row);
    return {
      id,
      ...fields,
      capture: row.capture,
      payment_method: row.payment_method && { ...row.payment_method, options: [...(row.payment_method.options ?? [])] },
      ...(row.initiator !== null && { initiator: row.initiator }),
      ...(row.agreement !== null && { agreement: row.agreement }),
      capture_before: row.capture_before?.toISOString() ?? null,
      captured_at: capturedAt(row)?.toISOString() ?? null,
      disputed_amount: toJsonAmount(row.disputed_amount ?? '0'),
      shop: { id: row.shop_id, name: row.shop_name },
      customer: row.customer && toCustomerAnswer(row.customer),
      metadata: row.metadata ?? {},
      provider_metadata: row.provider_metadata,
      webhook_endpoint: row.webhook_endpoint,
      next_action: row.next_action,
      charged_after_end: row.charged_after_end,
      refund_pending: row.is_refund_pending ?? false,
      capture_pending: row.is_capture_pending ?? false,
    };
  }

  /** The answer to a change of the payment. Without the scope to read payments it has only data of this caller. */
  static forScopes(row: PaymentRow, scopes: readonly Scope[]): PaymentDto {
    const payment = PaymentDto.from(row);
    if (scopes.includes('payments:read')) return payment;
    const { customer } = payment;
    return {
      ...payment,
      customer: customer && { id: customer.id },
      metadata: {},
      provider_metadata: {},
      webhook_endpoint: null,
      next_action: null,
    };
  }
}

export class StatusChangeDto {
  /** @example "pending" */
  from: PaymentStatus;
  /** @example "processing" */
  to: PaymentStatus;
  /** @example "2026-11-21T01:02:03.789Z" */
  at: string;
  /** @example "provider_answer" */
  @ApiEnum('ChangeCause', CHANGE_CAUSES)
  cause: ChangeCause;

  static from(row: StatusChangeRow): StatusChangeDto {
    return { from: row.from_status, to: row.to_status, at: row.at.toISOString(), cause: row.cause };
  }
}

/** One attempt of a payment with one shop. */
export class PaymentAttemptDto {
  /** From 1. @example 1 */
  number: number;
  shop: ShopReferenceDto;
  /** @example "sandbox" */
  provider: string;
  /** The provider's id of the transaction; `null`: not known. @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  provider_transaction_id: string | null;
  /** `null`: under way, or its process died; `unknown`: no answer in time. @example "soft_declined" */
  @ApiEnum('AttemptOutcome', ATTEMPT_OUTCOMES)
  outcome: AttemptOutcome | null;
  /** Why it was declined; `null`: it was not, or the provider gave no reason. @example "issuer_unavailable" */
  decline_code: string | null;
  /** The provider's facts about the card; `null`: it gave none. */
  card: CardFactsDto | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  started_at: string;
  /** When the outcome became known; `null`: not yet. @example "2026-11-21T01:02:03.789Z" */
  ended_at: string | null;

  static from(row: AttemptRow): PaymentAttemptDto {
    return {
      number: row.number,
      shop: { id: row.shop_id, name: row.shop_name },
      provider: row.provider,
      provider_transaction_id: row.provider_transaction_id,
      outcome: row.outcome,
      decline_code: row.decline_code,
      card: row.card,
      started_at: row.started_at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
    };
  }
}
