import { ApiEnum } from '../../openapi/api-field.js';
import { IsString, Length } from 'class-validator';
import { Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { toCustomerAnswer } from '../store/customer.js';
import { CustomerDto } from './customer.dto.js';
import type { StoredCustomerRow } from './customer-lists.queries.js';

export class ListCustomersQueryDto extends PageQueryDto {
  /** Your own id of the customer. @example "user-4711" */
  @Optional()
  @IsString()
  @Length(1, 255)
  reference?: string;

  /** The whole address; upper and lower case count as the same. @example "ada@example.com" */
  @Optional()
  @IsString()
  @Length(3, 254)
  email?: string;
}

/** A customer with the fields that are known; none after an erasure. */
export class StoredCustomerDto extends CustomerDto {
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** When the erasure was requested; `null`: not erased. @example null */
  erased_at: string | null;
  /** The path of its payments. @example "/payments?customer_id=7" */
  payments_url: string;

  static of(row: StoredCustomerRow): StoredCustomerDto {
    return {
      ...toCustomerAnswer(row),
      created_at: row.created_at.toISOString(),
      erased_at: row.erased_at?.toISOString() ?? null,
      payments_url: `/payments?customer_id=${row.id}`,
    };
  }
}

export class ErasureDto {
  /** @example 7 */
  customer_id: number;
  /**
   * `pending`: webhooks of the customer are still pending, or the last pass is still to come; the worker redacts the
   * remaining data. Repeat the call for the present state.
   * @example 'pending'
   */
  @ApiEnum('ErasureStatus', ['pending', 'completed'])
  status: 'pending' | 'completed';
  /** Time of the first request. @example '2026-11-21T01:02:03.456Z' */
  erased_at: string;
}
