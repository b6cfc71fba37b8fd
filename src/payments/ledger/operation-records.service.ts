import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Queryable, type Transaction } from '../../platform/database/database.js';
import { Random } from '../../shared/random.js';
import {
  type DueOperation,
  isOpen,
  mustReverse,
  type OperationCause,
  type OperationKind,
  type OperationRow,
  type OperationState,
  reportedOperation,
} from './operation.js';
import type { PaymentStatus } from './payment-state.js';
import {
  CLAIM_DUE,
  COUNT_CALL,
  EXPEDITE_CHARGE,
  INSERT_OPERATION,
  LIST_OPERATIONS,
  LIST_DUE,
  RECORD_OPERATION,
  RESCHEDULE_OPERATION,
  CLOSE_OPERATION,
  STOP_OPERATIONS,
  TAKE_OPERATION,
  VOID_EXPIRED,
} from './operation.queries.js';

const DAY_MS = 86_400_000;
/** How long an operation is tried; after that it stays open for a person. */
const TRIED_FOR_MS = 3 * DAY_MS;
/** A look-up, a call, and what is written between them. */
const CALLS_PER_CLAIM = 3;
const CLAIM_MARGIN_MS = 10_000;

/** A void or refund to be put on record. */
interface NewOperation {
  paymentId: number;
  attempt: number;
  kind: Exclude<OperationKind, 'charge'>;
  cause: OperationCause;
  refundReason?: string | undefined;
  /** The caller makes the call right after its commit; otherwise recovery does. */
  executeNow: boolean;
}

/** What became known of an operation by a call. */
export interface OperationRecord {
  state: OperationState;
  /** One word. */
  lastAnswer: string;
  reason?: string | undefined;
  providerOperationId?: string | undefined;
  /** The next call is another one: this one was definitely refused. */
  isRefused?: boolean;
  /** Nobody looked at the call: of earlier ones under the same key it says nothing, and then it is not recorded. */
  isUnavailable?: boolean;
}

/**
 * The rows of `provider_operations`. Invariants: a row is committed before its call is made, with the key of every call
 * until a definite refusal; what is not settled is due at some time, or stays visible for a person. Rows are written under
 * the lock of their payment, but for the claims, which wait for nobody and hold nothing.
 */
@Injectable()
export class OperationRecords {
  /** How long whoever has begun a charge is left alone with it: its answer, and the first of the recovery delays. */
  readonly chargeLeaseMs: number;
  private readonly claimMs: number;
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

  /** Of a payment, in the order in which they were asked for. */
  list(paymentId: number, on: Queryable = this.database): Promise<OperationRow[]> {
    return on.query<OperationRow>(LIST_OPERATIONS, [paymentId]);
  }

  /** The operation as it is on record: the new one, or the one that is there already and not refused. The caller has the payment's lock. */
  async findOrCreate(transaction: Transaction, operation: NewOperation): Promise<OperationRow | undefined> {
    const { paymentId, attempt, kind, cause, refundReason, executeNow } = operation;
    const inserted = await transaction.query(INSERT_OPERATION, [
      paymentId,
      attempt,
      kind,
      cause,
      this.random.uuid(),
      refundReason ?? null,
      executeNow ? 1 : 0,
      executeNow ? this.chargeLeaseMs : 0,
    ]);
    const all = await this.list(paymentId, transaction);
    const found = all.find((row) => row.attempt === attempt && row.kind === kind && row.state !== 'refused');
    if (found && inserted.length === 0 && executeNow) await transaction.query(COUNT_CALL, [paymentId, found.id]);
    return found;
  }

  /** Voids, due at once, of payments that expired while nobody knows whether they were charged. */
  async voidExpired(transaction: Transaction, paymentIds: number[]): Promise<void> {
    if (paymentIds.length > 0) await transaction.query(VOID_EXPIRED, [paymentIds]);
  }

  /** What is due, the longest first. */
  listDue(since: Date, limit: number): Promise<DueOperation[]> {
    return this.database.query<DueOperation>(LIST_DUE, [since, limit]);
  }

  /** What is still due of these, for this caller alone for as long as its calls may take. */
  async claim(due: readonly DueOperation[]): Promise<OperationRow[]> {
    if (due.length === 0) return [];
    const ids = [due.map(({ payment_id: paymentId }) => paymentId), due.map(({ id }) => id)];
    return this.database.query<OperationRow>(CLAIM_DUE, [...ids, this.claimMs]);
  }

  /** An operation for this caller alone, as `claim`, whether it is due or not; `undefined` when it is settled. */
  async take({ payment_id: paymentId, id }: OperationRow): Promise<OperationRow | undefined> {
    return (await this.database.query<OperationRow>(TAKE_OPERATION, [paymentId, id, this.claimMs]))[0];
  }

  /** Whether it was still open, under the same key. What stays open is due again, later with each try. */
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

  /** `record` by itself, committed. */
  recordCommitted(operation: OperationRow, record: OperationRecord): Promise<boolean> {
    return this.record(this.database, operation, record);
  }

  /** A look that settled nothing; no word of what was settled or stopped meanwhile. */
  async reschedule({ payment_id: paymentId, id }: OperationRow, lastAnswer: string): Promise<void> {
    await this.database.query(RESCHEDULE_OPERATION, [paymentId, id, lastAnswer, this.delaysMs, TRIED_FOR_MS]);
  }

  /** What is open of an attempt's charge, void or refund is so now, by whatever word of the provider's. */
  async close(
    transaction: Transaction,
    { paymentId, attempt, kind }: { paymentId: number; attempt: number; kind: OperationKind },
    { state, lastAnswer, reason }: OperationRecord & { state: 'confirmed' | 'refused' },
  ): Promise<boolean> {
    const values = [paymentId, attempt, kind, state, reason ?? null, lastAnswer];
    return (await transaction.query(CLOSE_OPERATION, values)).length > 0;
  }

  /**
   * The provider says that a void or refund of the attempt, which it had taken, came to nothing. What must be reversed is
   * asked for again under another key; what a merchant asked for is refused. `payment`: locked in `transaction`. Whether
   * there was one: `told` names the provider's id of the operation, where the provider says it. One that is confirmed stays
   * so: a person must act.
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
   * Asked for again under another key, later. Where nobody can be asked, repeating the charge tells whether there is anything
   * to void. Whether it was still open, under the same key.
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

  /** Nothing more is tried for the attempt; what is open stays so, visible, until a person acts. */
  async stop(on: Queryable, paymentId: number, attempt: number, reason: string): Promise<void> {
    await on.query(STOP_OPERATIONS, [paymentId, attempt, reason]);
  }
}
