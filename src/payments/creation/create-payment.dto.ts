import { IsString, Length, Matches } from 'class-validator';
import {
  IsAmount,
  IsCountry,
  IsCurrency,
  IsId,
  IsIntegerIn,
  IsMetadata,
  IsObjectOf,
  IsText,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import { IsReturnUrl } from '../../platform/http/validation/is-return-url.js';
import { WithoutCardNumbers } from '../../platform/http/validation/without-card-numbers.js';
import { PaymentMethodDto } from '../../flows/definition/payment-method.dto.js';
import { IsOneOf } from '../../openapi/api-field.js';
import { CAPTURE_MODES, type CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import { AGREEMENTS, type Agreement } from '../../shared/agreement.js';
import { INITIATORS, type Initiator } from '../../shared/initiator.js';
import { IsWebhookEndpoint } from '../../webhooks/outbox/is-webhook-endpoint.js';
import { CreateCustomerDto } from '../customers/customer.dto.js';
import { PayerDto } from './payer.dto.js';
import { UNIQUE_FIELDS, type UniqueField } from './unique-sessions.js';

export class CreatePaymentDto {
  /** The flow that chooses the shop. @example "checkout" */
  @IsString()
  @Length(1, 100)
  flow_name: string;

  /** Greater than 0, with at most as many decimals as the currency has. @example 49.90 */
  @IsAmount()
  amount: number;

  /**
   * ISO 4217 code of a currency that can be paid in: no metals, funds, test codes or withdrawn currencies.
   * @example "EUR"
   */
  @IsCurrency()
  currency: string;

  /** ISO 3166-1 alpha-2, or `XK`. @example "DE" */
  @Optional()
  @IsCountry()
  country?: string;

  /** A new customer, or the one with this `reference`; for a known customer use `customer_id` instead. */
  @Optional()
  @IsObjectOf(() => CreateCustomerDto)
  customer?: CreateCustomerDto;

  /** A customer of an earlier payment; not together with `customer`. @example 7 */
  @Optional()
  @IsId()
  customer_id?: number;

  /**
   * Address for a signed webhook at each change of status: an absolute http(s) URL.
   * @example "https://merchant.example/webhooks"
   */
  @Optional()
  @IsWebhookEndpoint()
  webhook_endpoint?: string;

  /** Free-form, at most 16 KiB as JSON. @example { "order_id": "A-1001" } */
  @Optional()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  /**
   * Address to which the payer returns after a redirect (`next_action`): https, or http on a loopback host.
   * @example "https://merchant.example/checkout/A-1001"
   */
  @Optional()
  @IsReturnUrl()
  return_url?: string;

  @Optional()
  @WithoutCardNumbers()
  @IsObjectOf(() => PaymentMethodDto)
  payment_method?: PaymentMethodDto;

  /** A saved payment method of the customer; not together with `payment_method`. @example 12 */
  @Optional()
  @IsId()
  payment_method_id?: number;

  /**
   * `merchant`: a charge of a saved payment method without the payer, such as for a subscription. @example "customer"
   */
  @Optional()
  @IsOneOf('Initiator', INITIATORS)
  initiator?: Initiator;

  /**
   * The payer's agreement about later charges: of this `save`, or the one that a charge with `initiator: merchant` is based on. If
   * omitted there: that of the saved payment method. @example "subscription"
   */
  @Optional()
  @IsOneOf('Agreement', AGREEMENTS)
  agreement?: Agreement;

  /**
   * The payer's device and billing address, for the provider's risk checks. Stored only encrypted, while the charge may have to be
   * repeated, and never shown.
   */
  @Optional()
  @WithoutCardNumbers()
  @IsObjectOf(() => PayerDto)
  payer?: PayerDto;

  /** The text on the payer's statement, in ASCII. Providers show as much of it as they can. @example "EXAMPLE ORDER 1001" */
  @Optional()
  @WithoutCardNumbers()
  @Matches(/^[\x20-\x7e]{1,22}$/)
  statement_descriptor?: string;

  /**
   * `manual`: the payment is only authorised and stays `processing` until `POST /payments/{id}/capture`. If omitted: the
   * flow's default. Shops whose provider cannot capture later get no such payment. @example "automatic"
   */
  @Optional()
  @IsOneOf('CaptureMode', CAPTURE_MODES)
  capture?: CaptureMode;

  /** Generated when absent. @example "ps_4711" */
  @Optional()
  @IsText(1, 255)
  payment_session_id?: string;

  /**
   * Refuses the payment with 409 `payment_session_used` if another one of the merchant has the `payment_session_id` and
   * has neither failed nor been cancelled: one session is paid once, also without an `Idempotency-Key`.
   */
  @Optional()
  @IsOneOf('UniqueField', UNIQUE_FIELDS)
  unique?: UniqueField;

  /** Seconds until a payment that is still pending is cancelled. @example 1800 */
  @Optional()
  @IsIntegerIn(60, 604_800)
  expires_in?: number;
}
