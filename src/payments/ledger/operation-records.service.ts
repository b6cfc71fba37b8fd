import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Queryable, type Transaction } from '../../platform/database/database.js';
import { Random } from '../../shared/random.js';
import { DAY_MS } from '../../shared/clock.js';
import { captureOf } from './capture.js';
import {
  isOpen,
  mustReverse,
  type OperationCause,
  type OperationKind,
  type OperationRow,
  type OperationState,
  reportedOperation,
} from './operation.js';
import type { PaymentStatus } from './payment-state.js';
import type { RefundRow } from './refunds/refund.js';
import {
  COUNT_CALL,
  EXPEDITE_CHARGE,
  INSERT_CAPTURE,
  INSERT_OPERATION,
  INSERT_REFUND,
  LIST_OPEN_OPERATIONS,
  LIST_OPERATIONS,
  RECORD_OPERATION,
  REFUSE_REFUND,
  RESCHEDULE_OPERATION,
  CLOSE_OPERATION,
  SETTLE_OPERATION,
  STOP_OPERATIONS,
  VOID_EXPIRED,
  VOID_LAPSED,
} from './operation.queries.js';

/** How long an operation is tried; after that it stays open for a person. */
const TRIED_FOR_MS = 3 * DAY_MS;

/** A void or refund to record. */
interface NewOperation {
  paymentId: number;
  attempt: number;
  kind: 'void' | 'refund';
  cause: OperationCause;
  refundReason?: string | undefined;
  /** Decimal text; absent: the payment's amount. */
  amount?: string | undefined;
  /** The caller calls the provider right after its commit; otherwise recovery does. */
  executeNow: boolean;
}

/** The result of one call for an operation. */
export interface OperationRecord {
  state: OperationState;
  /** A code. */
  lastAnswer: string;
  reason?: string | undefined;
  providerOperationId?: string | undefined;
  /** The call was definitely refused; the next call uses another key. */
  isRefused?: boolean;
  /**
   * The provider did not process the call. That says nothing about earlier calls under the same key: if there were any,
   * the answer is not recorded.
   */
  isUnavailable?: boolean;
}

/**
 * The rows of `provider_operations`. Invariants: a row is committed before its call is made, with the key that all
 * calls use until a definite refusal; an open row is due at some time, or stays visible for a person. Rows are written
 * under the lock of their payment, except by `OperationClaims`, which waits for no lock and holds none.
 */
@Injectable()
export class OperationRecords {
  /**
   * How long recovery leaves a new charge to its first caller: the provider's time-out and the first recovery delay.
   */
  readonly chargeLeaseMs: number;
  private readonly delaysMs: number[];

  constructor(
    private readonly database: Database,
    private readonly random: Random,
    @InjectConfig() config: Pick<Config, 'providerTimeoutMs' | 'providerRecoveryDelaysMs'>,
  ) {
    this.delaysMs = config.providerRecoveryDelaysMs;
    this.chargeLeaseMs = config.providerTimeoutMs + this.delaysMs[0]!;
  }

  /** The operations of a payment, in the order of the requests. */
  list(paymentId: number, on: Queryable = this.database): Promise<OperationRow[]> {
    return on.query<OperationRow>(LIST_OPERATIONS, [paymentId]);
  }

  /** The open operations of a payment, which may have many closed ones, in the order of the requests. */
  listOpen(paymentId: number, on: Queryable): Promise<OperationRow[]> {
    return on.query<OperationRow>(LIST_OPEN_OPERATIONS, [paymentId]);
  }

  /**
   * Records the operation. Returns it, or the existing one that is not refused. The caller holds the payment's lock.
   */
  async findOrCreate(transaction: Transaction, operation: NewOperation): Promise<OperationRow | undefined> {
    const { paymentId, attempt, kind, cause, refundReason, amount, executeNow } = operation;
    const inserted = await transaction.query(INSERT_OPERATION, [
      paymentId,
      attempt,
      kind,
      cause,
      this.random.uuid(),
      refundReason ?? null,
      executeNow ? 1 : 0,
      executeNow ? this.chargeLeaseMs : 0,
      amount ?? null,
    ]);
    const all = await this.list(paymentId, transaction);
    const found = all.find((row) => row.attempt === attempt && row.kind === kind && row.state !== 'refused');
    if (found && inserted.length === 0 && executeNow) await transaction.query(COUNT_CALL, [paymentId, found.id]);
    return found;
  }

  /**
   * Records a capture, which the caller calls at once. Returns it, or the existing one that is not refused. The caller
   * holds the payment's lock.
   */
  async findOrCreateCapture(
    transaction: Transaction,
    { paymentId, attempt, amount }: { paymentId: number; attempt: number; amount: string },
  ): Promise<OperationRow> {
    const values = [paymentId, attempt, this.random.uuid(), amount, this.chargeLeaseMs];
    const inserted = await transaction.query(INSERT_CAPTURE, values);
    const capture = captureOf(await this.list(paymentId, transaction), attempt);
    if (!capture) throw new Error(`payment ${paymentId} has no attempt ${attempt} to capture`);
    if (inserted.length > 0) return capture;
    await transaction.query(COUNT_CALL, [paymentId, capture.id]);
    return { ...capture, key_calls: capture.key_calls + 1 };
  }

  /** Records voids, due at once, for authorisations that have lapsed, one batch; returns their number. */
  async voidLapsed(now: Date, limit: number): Promise<number> {
    return (await this.database.query(VOID_LAPSED, [now, limit])).length;
  }

  /** Records the operation of a new refund, which the caller calls right after its commit. */
  async createRefund(transaction: Transaction, refund: RefundRow): Promise<OperationRow> {
    const { id, payment_id: paymentId } = refund;
    await transaction.query(INSERT_REFUND, [paymentId, id, this.random.uuid(), this.chargeLeaseMs]);
    const open = await this.listOpen(paymentId, transaction);
    return open.find((row) => row.refund_id === id)!;
  }

  /** Counts one more call of an open operation, which the caller makes right after its commit. */
  async callAgain(transaction: Transaction, { payment_id: paymentId, id }: OperationRow): Promise<void> {
    await transaction.query(COUNT_CALL, [paymentId, id]);
  }

  /** A refund has failed; its operation may have been confirmed. */
  async refuseRefund(transaction: Transaction, operation: OperationRow, reason: string): Promise<void> {
    await transaction.query(REFUSE_REFUND, [operation.payment_id, operation.id, reason]);
  }

  /** Records voids, due at once, for expired payments that may have been charged. */
  async voidExpired(transaction: Transaction, paymentIds: number[]): Promise<void> {
    if (paymentIds.length > 0) await transaction.query(VOID_EXPIRED, [paymentIds]);
  }

  /**
   * Returns whether the operation was still open, under the same key. An operation that stays open is due again, later
   * each time.
   */
  async record(on: Queryable, operation: OperationRow, record: OperationRecord): Promise<boolean> {
    const recorded = await on.query(RECORD_OPERATION, [
      operation.payment_id,
      operation.id,
      operation.idempotency_key,
      record.state,
      record.reason?.slice(0, 500) ?? null,
      record.lastAnswer,
      record.providerOperationId ?? null,
      record.isRefused === true && record.state === 'open' ? this.random.uuid() : null,
      this.delaysMs,
      TRIED_FOR_MS,
      record.isUnavailable === true,
    ]);
    return recorded.length > 0;
  }

  /** Same as {@link record}, committed at once. */
  recordCommitted(operation: OperationRow, record: OperationRecord): Promise<boolean> {
    return this.record(this.database, operation, record);
  }

  /** Schedules the next try after a check without a result. Closed and stopped operations do not change. */
  async reschedule({ payment_id: paymentId, id }: OperationRow, lastAnswer: string): Promise<void> {
    await this.database.query(RESCHEDULE_OPERATION, [paymentId, id, lastAnswer, this.delaysMs, TRIED_FOR_MS]);
  }

  /** Closes the open charge, capture, void or refund of an attempt. Returns whether there was one. */
  async close(
    transaction: Transaction,
    { paymentId, attempt, kind }: { paymentId: number; attempt: number; kind: OperationKind },
    { state, lastAnswer, reason }: OperationRecord & { state: 'confirmed' | 'refused' },
  ): Promise<boolean> {
    const values = [paymentId, attempt, kind, state, reason ?? null, lastAnswer];
    return (await transaction.query(CLOSE_OPERATION, values)).length > 0;
  }

  /** Closes an operation as a person found it at the provider. Returns whether it was open. */
  async settle(
    transaction: Transaction,
    { payment_id: paymentId, id }: OperationRow,
    settled: { state: 'confirmed' | 'refused'; reason: string; providerOperationId?: string | undefined },
  ): Promise<boolean> {
    const values = [paymentId, id, settled.state, settled.reason, settled.providerOperationId ?? null];
    return (await transaction.query(SETTLE_OPERATION, values)).length > 0;
  }

  /**
   * Closes our capture of the attempt after a look-up or a notification showed a capture: confirmed if it may be this
   * one, refused if another amount was captured at the provider. `captured`: decimal text; absent: unknown.
   */
  async closeCapture(
    transaction: Transaction,
    { paymentId, attempt, captured }: { paymentId: number; attempt: number; captured: string | undefined },
  ): Promise<void> {
    const capture = captureOf(await this.list(paymentId, transaction), attempt);
    if (!capture || !isOpen(capture)) return;
    const isOurs = captured === undefined || Number(captured) === Number(capture.amount);
    const reason = isOurs ? undefined : 'another amount was captured at the provider';
    const record = { state: isOurs ? 'confirmed' : 'refused', lastAnswer: 'captured', reason } as const;
    await this.close(transaction, { paymentId, attempt, kind: 'capture' }, record);
  }

  /**
   * The provider reports that an accepted void or refund of the attempt failed. A necessary reversal is requested again
   * under another key; a merchant's request is refused. `payment`: locked in `transaction`. Returns whether there was
   * an open operation: `failure` names the provider's id of the operation, if the provider gives it. A confirmed
   * operation stays confirmed: a person must act.
   */
  async fail(
    transaction: Transaction,
    payment: { id: number; status: PaymentStatus },
    { attempt, kind }: { attempt: number; kind: 'void' | 'refund' },
    failure: { reason: string; providerOperationId?: string | null },
  ): Promise<boolean> {
    const { reason, providerOperationId = null } = failure;
    const operations = await this.list(payment.id, transaction);
    const operation = reportedOperation(operations, { attempt, kind }, providerOperationId);
    if (operation === 'undetermined' || operation === 'none' || !isOpen(operation)) return false;
    if (mustReverse(operation, payment.status))
      return this.retryUnderNewKey(transaction, operation, { lastAnswer: reason, reason });
    return this.record(transaction, operation, { state: 'refused', lastAnswer: reason, reason });
  }

  /**
   * Requests the operation again under another key, later. Where the provider has no look-up, repeating the charge
   * shows whether there is anything to void. Returns whether the operation was still open, under the same key.
   */
  async retryUnderNewKey(
    on: Queryable,
    operation: OperationRow,
    record: Pick<OperationRecord, 'lastAnswer' | 'reason' | 'isUnavailable'>,
  ): Promise<boolean> {
    const isRecorded = await this.record(on, operation, { ...record, state: 'open', isRefused: true });
    if (isRecorded && operation.kind === 'void') {
      await on.query(EXPEDITE_CHARGE, [operation.payment_id, operation.attempt]);
    }
    return isRecorded;
  }

  /** Stops all tries for the attempt. Open operations stay open and visible until a person acts. */
  async stop(on: Queryable, paymentId: number, attempt: number, reason: string): Promise<void> {
    await on.query(STOP_OPERATIONS, [paymentId, attempt, reason]);
  }
}
