import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { OperationRow } from '../money/state/operation.js';
import {
  LIST_OPEN_OPERATIONS,
  LIST_OPERATIONS,
  RECORD_OPERATION,
  RESCHEDULE_OPERATION,
  TRIED_FOR_MS,
} from './operation.queries.js';
import { FIND_AUTHORIZED, VOID_EXPIRED, VOID_LAPSED } from './open-operation.queries.js';

/**
 * Reads and schedules the rows of `provider_operations`. Invariants: a row is committed before its call is made, with the
 * key that all calls use until a definite refusal; an open row is due at some time, or stays visible for a person. Results are
 * written by `MoneyWriter` under the lock of their payment; schedules wait for no lock and hold none.
 */
@Injectable()
export class OperationRecords {
  /**
   * How long recovery leaves a new call to its first caller: the provider's time-out and the first recovery delay.
   */
  readonly chargeLeaseMs: number;
  /** Delays before a call is made again, by the number of tries; the last one repeats. */
  readonly delaysMs: number[];

  constructor(
    private readonly database: Database,
    @InjectConfig() config: Pick<Config, 'providerTimeoutMs' | 'providerRecoveryDelaysMs'>,
  ) {
    this.delaysMs = config.providerRecoveryDelaysMs;
    this.chargeLeaseMs = config.providerTimeoutMs + this.delaysMs[0]!;
  }

  /** The operations of a payment, in the order of the requests. */
  list(paymentId: number, on: Queryable = this.database): Promise<OperationRow[]> {
    return on.query<OperationRow>(LIST_OPERATIONS, [paymentId]);
  }

  /** The open ones of {@link list}. */
  listOpen(paymentId: number, on: Queryable = this.database): Promise<OperationRow[]> {
    return on.query<OperationRow>(LIST_OPEN_OPERATIONS, [paymentId]);
  }

  /**
   * Records a void, due at once, for an authorisation that has lapsed and is not being captured. Returns whether the payment
   * is still authorised.
   */
  async voidLapsed(paymentId: number): Promise<boolean> {
    await this.database.query(VOID_LAPSED, [paymentId]);
    return (await this.database.query(FIND_AUTHORIZED, [paymentId])).length > 0;
  }

  /** Records voids, due at once, for expired payments that may have been charged. */
  async voidExpired(transaction: Transaction, paymentIds: number[]): Promise<void> {
    if (paymentIds.length > 0) await transaction.query(VOID_EXPIRED, [paymentIds]);
  }

  /** A call had no conclusive answer: the operation is due again, later each time, unless it was closed. */
  async recordUnknown(
    { payment_id: paymentId, id, idempotency_key: key }: OperationRow,
    lastAnswer: string,
  ): Promise<void> {
    const values = [paymentId, id, key, 'unknown', null, lastAnswer, null, null, this.delaysMs, TRIED_FOR_MS, false];
    await this.database.query(RECORD_OPERATION, values);
  }

  /** Schedules the next try after a check without a result. Closed and stopped operations do not change. */
  async reschedule({ payment_id: paymentId, id }: OperationRow, lastAnswer: string): Promise<void> {
    await this.database.query(RESCHEDULE_OPERATION, [paymentId, id, lastAnswer, this.delaysMs, TRIED_FOR_MS]);
  }
}
