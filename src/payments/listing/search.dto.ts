import { IsText } from '../../platform/http/validation/field-rules.js';
import { PaymentDto } from '../api/payments.dto.js';
import { RefundDto } from '../api/refunds.dto.js';
import { StoredCustomerDto } from '../customers/customers.dto.js';
import type { Matches } from './search.service.js';

export class SearchQueryDto {
  /** The whole value. @example "A-1001" */
  @IsText(1, 255)
  q: string;
}

/** At most five objects of each kind; the best match first. */
export class SearchDto {
  payments: PaymentDto[];
  customers: StoredCustomerDto[];
  refunds: RefundDto[];

  static from({ payments, customers, refunds, names }: Matches): SearchDto {
    return {
      payments: payments.map((row) => PaymentDto.from(row)),
      customers: customers.map((row) => StoredCustomerDto.of(row)),
      refunds: refunds.map((row) => RefundDto.from(row, names)),
    };
  }
}
