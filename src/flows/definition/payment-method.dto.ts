import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, Matches, ValidateNested } from 'class-validator';
import { ACCOUNT, MAX_PROVIDER_LENGTH } from '@payment-orchestrator/routing/definition/shape-errors';
import { IsOneOf } from '../../openapi/api-field.js';
import {
  IsCountry,
  IsIntegerIn,
  IsListOf,
  IsMetadata,
  IsObjectOf,
  IsText,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import {
  CARD_FUNDINGS,
  type CardFacts,
  type CardFunding,
  MAX_OPTIONS,
  NEXT_ACTION_TYPES,
  type NextActionType,
} from '../../shared/payment-method.js';

/** Facts about the card, for conditions of flows and for reports. Never a full number. */
export class CardFactsDto implements CardFacts {
  /** The card network, in lower case. @example "visa" */
  @Optional()
  @Matches(/^[a-z0-9_-]{1,32}$/)
  scheme?: string;

  /** The first 6 to 8 digits. @example "411111" */
  @Optional()
  @Matches(/^\d{6,8}$/)
  bin?: string;

  /** @example "1111" */
  @Optional()
  @Matches(/^\d{4}$/)
  last4?: string;

  /** @example "credit" */
  @Optional()
  @IsOneOf('CardFunding', CARD_FUNDINGS)
  funding?: CardFunding;

  /** ISO 3166-1 alpha-2. @example "DE" */
  @Optional()
  @IsCountry()
  issuer_country?: string;

  /** @example 12 */
  @Optional()
  @IsIntegerIn(1, 12)
  expiry_month?: number;

  /** @example 2030 */
  @Optional()
  @IsIntegerIn(2000, 2099)
  expiry_year?: number;
}

/** An account at a provider. */
export class ProviderAccountDto {
  /** The provider of the account. @example "sandbox" */
  @IsText(1, MAX_PROVIDER_LENGTH)
  provider: string;

  /** The label of the account (`provider_account` of a shop). If omitted: any account at the provider. @example "eu" */
  @Optional()
  @Matches(ACCOUNT)
  @ApiProperty({ pattern: ACCOUNT.source })
  account?: string;
}

/** The payment method in one account at a provider: `token` or `data`. */
export class PaymentMethodOptionDto extends ProviderAccountDto {
  /** The payment method's token in the account. @example "tok_success@eu" */
  @Optional()
  @IsText(1, 255)
  token?: string;

  /**
   * The data that the provider's page components collected, in its own format, at most 16 KiB as JSON. It is encrypted
   * while it is needed.
   */
  @Optional()
  @IsMetadata()
  data?: Record<string, unknown>;
}

/** The accounts that have the payment method of a payment. */
export class NamedAccountsDto {
  /** Like the options of a payment, without tokens. */
  @IsListOf(() => ProviderAccountDto, MAX_OPTIONS)
  @ArrayMinSize(1)
  options: ProviderAccountDto[];
}

export class PaymentMethodDto {
  /**
   * The kind of payment method, for conditions and reports; only shops whose provider takes it get the payment. Without
   * `token` and `options`: the payer gives the rest at the provider, such as the bank of `ideal`. @example "card"
   */
  @Optional()
  @IsText(1, 32)
  type?: string;

  /**
   * One token whose account is not named. Other accounts are tried only while the providers say that they do not have
   * it. The sandbox accepts tok_success, tok_decline, tok_soft_decline, tok_async_success, tok_requires_action and
   * others: docs/start/sandbox.md. Not together with `options`. @example "tok_success"
   */
  @Optional()
  @IsText(1, 255)
  token?: string;

  /** The payment method by account. Only shops of these accounts take the payment. */
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_OPTIONS)
  @ValidateNested({ each: true })
  @Type(() => PaymentMethodOptionDto)
  options?: PaymentMethodOptionDto[];

  /**
   * The kind of `next_action` that your page can carry out. `provider_action`: it has the script of each provider, such as
   * Stripe.js. Stripe then needs no redirect and no `return_url`. If omitted: `redirect`; for `data` of Adyen with
   * `browserInfo` and `origin`: `provider_action`. @example "redirect"
   */
  @Optional()
  @IsOneOf('NextActionType', NEXT_ACTION_TYPES)
  next_action_type?: NextActionType;

  @Optional()
  @IsObjectOf(() => CardFactsDto)
  card?: CardFactsDto;

  /**
   * Save it for later payments of the customer, if the provider can: it is then listed by
   * `GET /customers/{id}/payment-methods`. Not with `initiator: merchant`. @example false
   */
  @Optional()
  @IsBoolean()
  save?: boolean;
}
