import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches, ValidateNested } from 'class-validator';
import { CardFactsDto, ProviderAccountDto } from '../../flows/definition/payment-method.dto.js';
import { CutBeyond, IsObjectOf, IsText, Optional } from '../../platform/http/validation/field-rules.js';
import { WithoutCardNumbers } from '../../platform/http/validation/without-card-numbers.js';
import { ApiEnum, IsOneOf } from '../../openapi/api-field.js';
import { AGREEMENTS, type Agreement } from '../../shared/agreement.js';
import type { SavedMethodRow } from './saved-methods.queries.js';

const MAX_OPTIONS = 10;

/** The payment method's token in one account at a provider. */
export class SavedMethodOptionDto extends ProviderAccountDto {
  /** @example "tok_success" */
  @IsText(1, 255)
  token: string;
}

export class SaveMethodDto {
  /** The kind of payment method, for conditions and reports. @example "card" */
  @Optional()
  @WithoutCardNumbers()
  @IsText(1, 32)
  type?: string;

  /** The payment method by account. */
  @WithoutCardNumbers()
  @CutBeyond(MAX_OPTIONS)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_OPTIONS)
  @ValidateNested({ each: true })
  @Type(() => SavedMethodOptionDto)
  options: SavedMethodOptionDto[];

  @Optional()
  @WithoutCardNumbers()
  @IsObjectOf(() => CardFactsDto)
  card?: CardFactsDto;

  /** The payer's agreement about charges without them. @example "subscription" */
  @Optional()
  @IsOneOf('Agreement', AGREEMENTS)
  agreement?: Agreement;

  /**
   * The card network's id of the payer's first charge, for example at another provider: charges with `initiator: merchant` refer to it.
   * @example "MCC123456789012"
   */
  @Optional()
  @Matches(/^[\x21-\x7e]{1,255}$/)
  network_transaction_id?: string;
}

export class PaymentMethodAccountDto {
  /** @example "sandbox" */
  provider: string;
  /** The label of the account; absent: any account at the provider. @example "eu" */
  account?: string;
}

/** A saved payment method; its tokens are never returned. */
export class SavedMethodDto {
  /** For `payment_method_id` of a payment. @example 12 */
  id: number;
  /** @example 7 */
  customer_id: number;
  /** @example "card" */
  type: string | null;
  /** The accounts that have the payment method. */
  options: PaymentMethodAccountDto[];
  card: CardFactsDto | null;
  /** The payer's agreement about charges without them; absent: none is known. @example "subscription" */
  @ApiEnum('Agreement', AGREEMENTS)
  agreement?: Agreement;
  /** The card network's id of the payer's first charge; `null`: neither the provider nor the request has it. @example null */
  network_transaction_id: string | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;

  static from({ created_at: createdAt, ...row }: SavedMethodRow): SavedMethodDto {
    const { id, customer_id, type, options, card, agreement, network_transaction_id } = row;
    return {
      ...{ id, customer_id, type, options, card },
      ...(agreement !== null && { agreement }),
      ...{ network_transaction_id, created_at: createdAt.toISOString() },
    };
  }
}
