import { ApiEnum } from '../../openapi/api-field.js';
import type { Erasure } from './customer-erasure.service.js';

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

  static from({ customerId, erasedAt, isPending }: Erasure): ErasureDto {
    return {
      customer_id: customerId,
      status: isPending ? 'pending' : 'completed',
      erased_at: erasedAt.toISOString(),
    };
  }
}
