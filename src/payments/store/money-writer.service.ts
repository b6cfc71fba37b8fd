import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { type DisputeRow, toDisputeFields } from './dispute.js';
import { CONFIRM_DISPUTE, STORE_DISPUTE } from './dispute.queries.js';
import { rescheduleErasure } from './customer.js';
import { COUNT_CALL, STOP_OPERATIONS } from './operation.queries.js';
import { KEEP_AUTHORIZATION, KEEP_LATE_ANSWER } from './payment.queries.js';
import { PaymentMetrics } from './payment-metrics.js';
import { StatusWriter } from './status-writer.service.js';
import { LINK_WAITING, MARK_WAITING, RECORD_VERDICT, UNPARK } from './notification.queries.js';
import { toJsonAmount } from '../../shared/money.js';
import { apply } from '../money/state/apply.js';
import type { Effect } from '../money/state/effect.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { NewRefund } from '../money/state/refund.js';
import type { MoneyState } from '../money/state/state.js';
import { statesAfter } from '../money/state/status-change.js';
import { AlarmWrites } from './alarm-writes.service.js';
import { RECORD_EVENT } from './event-sql.js';
import { OperationRecords } from './operation-records.service.js';
import { CREATE_REFUND, END_REFUND, SET_PROVIDER_REFUND_ID } from './refund.queries.js';
import { type Of, Writing } from './writing.js';

/** The payment after the effects, and the ids of the rows that were opened. */
export interface Written {
  payment: PaymentRow;
  idOf: (id: number) => number;
}

/**
 * The only writer of a payment's money: one statement for each effect, in the transaction that holds the payment's lock. Every
 * call is recorded here before it is made.
 */
@Injectable()
export class MoneyWriter {
  private readonly logger = new Logger(MoneyWriter.name);
  constructor(
    private readonly statuses: StatusWriter,
    private readonly clock: Clock,
    private readonly paymentMetrics: PaymentMetrics,
    private readonly operations: OperationRecords,
    private readonly alarms: AlarmWrites,
  ) {}

  /** `state`: as it was read under the lock that the transaction holds. Throws {@link StaleMoney}. */
  async write(transaction: Transaction, state: MoneyState, effects: readonly Effect[]): Promise<Written> {
    const writing = new Writing(transaction, state);
    for (const effect of effects) {
      await this.writeOne(writing, effect);
      writing.state = apply(writing.state, effect);
    }
    await markWaiting(writing);
    return { payment: writing.payment, idOf: (id) => writing.idOf(id) };
  }

  private async writeOne(writing: Writing, effect: Effect): Promise<void> {
    const { transaction, payment } = writing;
    switch (effect.do) {
      case 'status':
        return this.changeStatus(writing, effect);
      case 'end_attempt':
        return this.statuses.endAttempt(transaction, payment, effect.end, effect.transactionId);
      case 'keep_answer':
        return keepAnswer(writing, effect);
      case 'keep_authorization':
        return this.keepAuthorization(writing, effect);
      case 'open':
        return this.operations.open(writing, effect.id, effect.operation);
      case 'call':
        return void (await transaction.query(COUNT_CALL, [payment.id, writing.idOf(effect.operation)]));
      case 'record':
        return this.operations.record(writing, effect);
      case 'repeat':
        return this.operations.repeat(writing, effect);
      case 'stop':
        return void (await transaction.query(STOP_OPERATIONS, [payment.id, effect.attempt, effect.reason]));
      case 'create_refund':
        return createRefund(writing, effect.id, effect.refund, this.clock.now());
      case 'end_refund':
        return endRefund(writing, effect, this.clock.now());
      case 'identify_refund':
        return identifyRefund(writing, effect);
      case 'dispute':
        return this.dispute(writing, effect);
      case 'late_charge':
        return this.alarms.lateCharge(writing, effect);
      case 'late_charge_reversed':
        return this.alarms.note(writing, 'late_charge_reversed');
      case 'capture_failed':
        return captureFailed(writing, effect);
      case 'alarm':
        return this.alarms.alarm(writing, effect);
      case 'amount_mismatch':
        return this.alarms.amountMismatch(writing, effect);
      case 'link':
        return link(writing, effect);
      case 'unpark':
        return void (await transaction.query(UNPARK, [payment.id]));
      case 'settle_waiting':
        return this.settleWaiting(writing, effect);
    }
  }

  /** The states follow from the row as it is: earlier effects of the decision may have made it newer. */
  private async changeStatus(writing: Writing, { change }: Of<'status'>): Promise<void> {
    const states = statesAfter(writing.payment, change, this.clock.now());
    if (typeof states === 'string') throw new Error(`payment ${writing.payment.id} was changed under its lock`);
    const { transaction, payment } = writing;
    writing.payment = await this.statuses.writeLocked(transaction, payment, states, change);
    const repeated = change.providerMetadata?.['repeated_transaction_id'];
    if (repeated === undefined) return;
    const msg =
      'a provider gave the transaction id of another payment; only the reference identifies this payment there';
    this.logger.error({ msg, paymentId: payment.id, providerTransactionId: repeated });
  }

  private async keepAuthorization(writing: Writing, { after }: Of<'keep_authorization'>): Promise<void> {
    const { transaction, payment } = writing;
    const { amount_authorized: amount, capture_before: captureBefore } = after;
    const updatedAt = new Date(Math.max(this.clock.now().getTime(), payment.updated_at.getTime() + 1));
    await transaction.query(KEEP_AUTHORIZATION, [payment.id, amount, captureBefore, updatedAt]);
    writing.payment = {
      ...payment,
      ...{ amount_authorized: amount, capture_before: captureBefore, next_action: null, updated_at: updatedAt },
    };
  }

  private async dispute(writing: Writing, { attempt, provider, report, decision }: Of<'dispute'>): Promise<void> {
    const { transaction, payment, state } = writing;
    const { state: after, event } = decision;
    const { id } = report.dispute;
    if (event === null) {
      const known = state.disputes.find((row) => row.attempt === attempt && row.provider_dispute_id === id);
      await transaction.query(CONFIRM_DISPUTE, [known!.id, after.reported_at, after.opened_at]);
      return;
    }
    const [stored] = await transaction.query<DisputeRow>(STORE_DISPUTE, [
      ...[payment.id, attempt, provider, id, after.kind, after.status, after.amount],
      ...[after.currency, after.reason_code, after.network_reason_code],
      ...[after.evidence_due_by, after.opened_at, after.reported_at, this.clock.now()],
    ]);
    const data = JSON.stringify(toDisputeFields(stored!));
    await transaction.query(RECORD_EVENT, [payment.id, attempt, event, data]);
    transaction.onCommit(() => this.paymentMetrics.disputed(provider, after.status));
  }

  private async settleWaiting(writing: Writing, { id, verdict }: Of<'settle_waiting'>): Promise<void> {
    const { outcome, reason } = verdict;
    await writing.transaction.query(RECORD_VERDICT, [id, outcome, reason]);
    const msg = 'a waiting notification has its outcome';
    this.logger.log({ msg, paymentId: writing.payment.id, notificationId: id, outcome, reason });
  }
}

async function keepAnswer(writing: Writing, effect: Of<'keep_answer'>): Promise<void> {
  const { transaction, payment } = writing;
  const { attempt, transactionId, after, card } = effect;
  const texts = [after.provider_metadata, after.next_action, card ?? null].map(
    (value) => value && JSON.stringify(value),
  );
  await transaction.query(KEEP_LATE_ANSWER, [payment.id, attempt, transactionId ?? null, ...texts]);
  await rescheduleErasure(transaction, payment.customer);
  const { provider_transaction_id: id, provider_metadata: metadata, next_action: action } = after;
  writing.payment = { ...payment, provider_transaction_id: id, provider_metadata: metadata, next_action: action };
}

/** The note of a person who settled the operation is free text, which no event has. */
async function captureFailed(writing: Writing, { operation: id }: Of<'capture_failed'>): Promise<void> {
  const { transaction, payment } = writing;
  const { attempt, amount, currency, reason } = writing.operation(id);
  const data = {
    ...{ payment_id: payment.id, operation_id: writing.idOf(id), attempt, provider: writing.providerOf(attempt) },
    ...{ amount: toJsonAmount(amount), currency },
    reason: reason?.startsWith('settled as ') ? 'settled_by_operator' : reason,
  };
  await transaction.query(RECORD_EVENT, [payment.id, attempt, 'capture.failed', JSON.stringify(data)]);
}

interface WrittenRefund {
  id: number;
  payment_amount_refunded: string;
  payment_updated_at: Date;
}

async function createRefund(writing: Writing, id: number, refund: NewRefund, now: Date): Promise<void> {
  const {
    amount,
    status,
    reason,
    metadata,
    origin,
    providerRefundId,
    key,
    uncounted = amount,
    attempt,
    requestedBy,
  } = refund;
  const [row] = await writing.transaction.query<WrittenRefund>(CREATE_REFUND, [
    ...[writing.payment.id, amount, status, reason ?? null, metadata ? JSON.stringify(metadata) : null, origin],
    ...[providerRefundId ?? null, requestedBy ?? null, key?.key ?? null, key?.hash ?? null],
    ...[now, uncounted, attempt],
  ]);
  writing.named(id, row!.id);
  await counted(writing, row!);
}

async function endRefund(writing: Writing, effect: Of<'end_refund'>, now: Date): Promise<void> {
  const { refund, status, failureCode, providerRefundId } = effect;
  const values = [writing.payment.id, writing.idOf(refund), status, failureCode?.slice(0, 500) ?? null];
  const [row] = await writing.transaction.query<WrittenRefund>(END_REFUND, [
    ...[...values, providerRefundId ?? null],
    now,
  ]);
  if (row) await counted(writing, row);
}

async function identifyRefund(writing: Writing, { refund, providerRefundId }: Of<'identify_refund'>): Promise<void> {
  const { transaction, payment } = writing;
  await transaction.query(SET_PROVIDER_REFUND_ID, [payment.id, writing.idOf(refund), providerRefundId]);
}

/** The payment counts its refunds, and is newer after that. */
async function counted(writing: Writing, row: WrittenRefund): Promise<void> {
  const { transaction, payment } = writing;
  await rescheduleErasure(transaction, payment.customer);
  const { payment_amount_refunded: refunded, payment_updated_at: updatedAt } = row;
  writing.payment = { ...payment, amount_refunded: refunded, updated_at: updatedAt };
}

async function link({ transaction, payment }: Writing, { attempt, transactionId }: Of<'link'>): Promise<void> {
  await transaction.query(LINK_WAITING, [payment.id, attempt, payment.shop_id, transactionId]);
}

/** Keeps whether facts wait: then every later change of the payment is decided under its lock. */
async function markWaiting(writing: Writing): Promise<void> {
  const { transaction, payment, state } = writing;
  const isWaiting = state.waiting.some((each) => each.state === 'waits');
  if (isWaiting === payment.has_waiting_notifications) return;
  await transaction.query(MARK_WAITING, [payment.id, isWaiting]);
  writing.payment = { ...payment, has_waiting_notifications: isWaiting };
}
