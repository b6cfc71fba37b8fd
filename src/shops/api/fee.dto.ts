import { Matches } from 'class-validator';
import {
  IsAmountBound,
  IsCurrency,
  IsListOf,
  IsPercent,
  IsText,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import { type FeeEntry, feeErrors, MAX_FEES, SCHEME, withFixed } from '@payment-orchestrator/routing/facts/fees';
import { Problem } from '../../shared/problem.js';

/**
 * The fee that the provider charges for a payment: `percent` of the amount, and `fixed`. The most specific entry is used: one
 * for a scheme before one for a type of payment method, then for a currency, then for all payments.
 */
export class FeeDto {
  /** The share of the amount, 0 to 100, at most four decimals. @example 1.4 */
  @IsPercent(4)
  percent: number;

  /** In major units of `currency`, which is then required; at most four decimals. @example 0.25 */
  @Optional()
  @IsAmountBound()
  fixed?: number = 0;

  /** Only payments in this currency. @example "EUR" */
  @Optional()
  @IsCurrency()
  currency?: string;

  /** Only payments with such a card, as `card.scheme` in rules. @example "maestro" */
  @Optional()
  @Matches(SCHEME)
  scheme?: string;

  /** Only payments with this `payment_method.type`. @example "ideal" */
  @Optional()
  @IsText(1, 32)
  payment_method_type?: string;

  /** Throws `validation_failed` if two entries are for the same payments, or a fixed fee has no currency. */
  static toFees(given: readonly FeeDto[]): FeeEntry[] {
    const fees = given.map(withFixed);
    const errors = feeErrors(fees, 'fees');
    if (errors.length > 0) throw new Problem('validation_failed', { errors });
    return fees;
  }
}

/** A list of fees, without a check of the entries against each other. */
export const AreFees = (): PropertyDecorator => IsListOf(() => FeeDto, MAX_FEES);
