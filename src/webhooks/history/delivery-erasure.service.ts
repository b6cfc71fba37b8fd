import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { END_PARKED_OF_PAYMENTS } from '../endpoint/parked-deliveries.queries.js';
import { COUNT_BODIES, ERASE_ANSWERS, ERASE_DELIVERIES } from './delivery-erasure.queries.js';

/** Removes personal data from deliveries. */
@Injectable()
export class DeliveryErasureService {
  /**
   * Redacts bodies, addresses and answers of the payments' deliveries. Parked ones end: it is unknown when their endpoint
   * is resumed. Returns how many deliveries still have a body: pending ones, which must be sent unchanged. The order matters: if an attempt ends between two of the statements, its
   * body is counted.
   */
  async erase(transaction: Transaction, paymentIds: number[]): Promise<number> {
    await transaction.query(END_PARKED_OF_PAYMENTS, [paymentIds]);
    await transaction.query(ERASE_DELIVERIES, [paymentIds]);
    await transaction.query(ERASE_ANSWERS, [paymentIds]);
    const [left] = await transaction.query<{ bodies: number }>(COUNT_BODIES, [paymentIds]);
    return left!.bodies;
  }
}
