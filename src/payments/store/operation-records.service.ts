import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Queryable, type Transaction } from '../../platform/database/database.js';
import { Random } from '../../shared/random.js';
import type { OpenedOperation } from '../money/state/effect.js';
import { type DueOperation, isOpen, type OperationRow, type OperationState } from '../money/state/operation.js';
import {
  CLAIM_DUE,
  EXPEDITE_CHARGE,
  LIST_DUE,
  LIST_OPERATIONS,
  RECORD_OPERATION,
  REFUSE_REFUND,
  RESCHEDULE_OPERATION,
  TAKE_OPERATION,
  TRIED_FOR_MS,
} from './operation.queries.js';
import {
  FIND_AUTHORIZED,
  INSERT_FOR_CHARGE,
  INSERT_REVERSAL,
  VOID_EXPIRED,
  VOID_LAPSED,
} from './open-operation.queries.js';
import { type Of, StaleMoney, type Writing } from './writing.js';

/** Provider calls per claim: a look-up and a call, and a margin for the writes between them. */
const CALLS_PER_CLAIM = 3;
const CLAIM_MARGIN_MS = 10_000;

/** The result of a call under a key. */
interface OperationResult {
  state: OperationState;
  lastAnswer: string | null;
  reason?: string | undefined;
  providerOperationId?: string | null | undefined;
  isUnavailable?: boolean | undefined;
  /** The key of the next call, if another one takes its place. */
  nextKey?: string;
}

/**
 * The rows of `provider_operations`. Invariants: a row is committed before its call is made, with the key that all calls use
 * until a definite refusal; an open row is due at some time, or stays visible for a person. Effects are written under the lock
 * of their payment; claims and schedules wait for no lock and hold none.
 */
@Injectable()
export class OperationRecords {
  /**
   * How long recovery leaves a new call to its first caller: the provider's time-out and the first recovery delay.
   */
  readonly chargeLeaseMs: number;
  /** How long a claim lasts: the calls of one try, and a margin. */
  readonly claimMs: number;
  /** Delays before a call is made again, by the number of tries; the last one repeats. */
  private readonly delaysMs: number[];

  constructor(
    private readonly database: Database,
    private readonly random: Random,
    @InjectConfig() config: Pick<Config, 'providerTimeoutMs' | 'providerRecoveryDelaysMs'>,
  ) {
    this.delaysMs = config.providerRecoveryDelaysMs;
    this.chargeLeaseMs = config.providerTimeoutMs + this.delaysMs[0]!;
    this.claimMs = config.providerTimeoutMs * CALLS_PER_CLAIM + CLAIM_MARGIN_MS;
  }

  /** The operations of a payment, or those with these ids, in the order of the requests. */
  list(paymentId: number, on: Queryable = this.database, ids: number[] | null = null): Promise<OperationRow[]> {
    return on.query<OperationRow>(LIST_OPERATIONS, [paymentId, ids]);
  }

  /** Due operations, the longest due first. */
  listDue(since: Date, limit: number): Promise<DueOperation[]> {
    return this.database.query<DueOperation>(LIST_DUE, [since, limit]);
  }

  /**
   * Claims those of the operations that are still due, for as long as the caller's calls may take: no other worker gets them until
   * then.
   */
  async claim(due: readonly DueOperation[]): Promise<OperationRow[]> {
    if (due.length === 0) return [];
    const ids = [due.map(({ payment_id: paymentId }) => paymentId), due.map(({ id }) => id)];
    return this.database.query<OperationRow>(CLAIM_DUE, [...ids, this.claimMs]);
  }

  /** Claims one operation, due or not, like {@link claim}; `undefined` if it is closed. */
  async take({ payment_id: paymentId, id }: OperationRow): Promise<OperationRow | undefined> {
    return (await this.database.query<OperationRow>(TAKE_OPERATION, [paymentId, id, this.claimMs]))[0];
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
  async recordUnknown({ payment_id: of, id, idempotency_key: key }: OperationRow, lastAnswer: string): Promise<void> {
    await this.recordResult(this.database, [of, id, key], { state: 'unknown', lastAnswer });
  }

  /** Schedules the next try after a check without a result. Closed and stopped operations do not change. */
  async reschedule({ payment_id: paymentId, id }: OperationRow, lastAnswer: string): Promise<void> {
    await this.database.query(RESCHEDULE_OPERATION, [paymentId, id, lastAnswer, this.delaysMs, TRIED_FOR_MS]);
  }

  /** Writes the effect `open`. */
  async open(writing: Writing, id: number, operation: OpenedOperation): Promise<void> {
    const { attempt, kind, cause, amount, refund_id: refundId, isCalledNow, requestedBy = null } = operation;
    const { transaction, payment } = writing;
    const key = this.random.uuid();
    const statement = kind === 'capture' || refundId !== null ? INSERT_FOR_CHARGE : INSERT_REVERSAL;
    const [row] = await transaction.query<{ id: number }>(statement, [
      ...[payment.id, attempt, kind, cause, key],
      ...(isCalledNow ? [1, this.chargeLeaseMs] : [0, 0]),
      amount ?? null,
      refundId === null ? null : writing.idOf(refundId),
      requestedBy,
    ]);
    if (!row) throw new Error(`a ${kind} of payment ${payment.id} was recorded under its lock`);
    writing.named(id, row.id, key);
  }

  /** Writes the effect `record`. */
  async record(writing: Writing, { operation: id, record }: Of<'record'>): Promise<void> {
    if (!isOpen(writing.operation(id)))
      return void (await writing.transaction.query(REFUSE_REFUND, [
        writing.payment.id,
        writing.idOf(id),
        record.reason,
      ]));
    await this.write(writing, id, { ...record, lastAnswer: record.isSettled ? null : record.lastAnswer });
  }

  /** Writes the effect `repeat`. */
  async repeat(writing: Writing, { operation: id, ...result }: Of<'repeat'>): Promise<void> {
    const nextKey = this.random.uuid();
    await this.write(writing, id, { ...result, state: 'open', nextKey });
    writing.renewed(id, nextKey);
    const { kind, attempt } = writing.operation(id);
    // where the provider has no look-up, repeating the charge shows whether there is anything to void
    if (kind === 'void') await writing.transaction.query(EXPEDITE_CHARGE, [writing.payment.id, attempt]);
  }

  private async write(writing: Writing, id: number, result: OperationResult): Promise<void> {
    const { transaction, payment } = writing;
    const recorded = await this.recordResult(transaction, [payment.id, writing.idOf(id), writing.keyOf(id)], result);
    if (!recorded) throw new StaleMoney(`operation ${id} of payment ${payment.id} was claimed`);
  }

  /** `called`: payment, operation, and the key of the call. Returns whether it was recorded. */
  private async recordResult(
    on: Queryable,
    called: [payment: number, operation: number, key: string],
    { state, lastAnswer, reason, providerOperationId = null, isUnavailable = false, nextKey }: OperationResult,
  ): Promise<boolean> {
    const recorded = await on.query(RECORD_OPERATION, [
      ...[...called, state, reason?.slice(0, 500) ?? null, lastAnswer, providerOperationId, nextKey ?? null],
      ...[this.delaysMs, TRIED_FOR_MS, isUnavailable],
    ]);
    return recorded.length > 0;
  }
}
