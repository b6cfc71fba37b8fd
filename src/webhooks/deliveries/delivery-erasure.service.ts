import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { COUNT_BODIES, ERASE_ANSWERS, ERASE_DELIVERIES } from './delivery-erasure.queries.js';

/** Takes personal data out of what was delivered. */
@Injectable()
export class DeliveryErasureService {
  /**
   * Blanks bodies, addresses and answers of these payments' deliveries, and answers how many deliveries still hold a
   * body: those that are pending, which must be sent byte by byte as they are. In this order: an attempt that ends
   * between two of the statements leaves a body that is counted.
   */
  async erase(transaction: Transaction, paymentIds: number[]): Promise<number> {
    await transaction.query(ERASE_DELIVERIES, [paymentIds]);
    await transaction.query(ERASE_ANSWERS, [paymentIds]);
    const [left] = await transaction.query<{ bodies: number }>(COUNT_BODIES, [paymentIds]);
    return left!.bodies;
  }
}
