import { Injectable } from '@nestjs/common';
import { Random } from '../../shared/random.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import { INSERT_CAPTURE, INSERT_OPERATION, INSERT_REFUND } from '../ledger/open-operation.queries.js';
import { EXPEDITE_CHARGE, RECORD_OPERATION, REFUSE_REFUND, TRIED_FOR_MS } from '../ledger/operation.queries.js';
import type { OpenedOperation } from '../money/state/effect.js';
import { isOpen, type OperationState } from '../money/state/operation.js';
import { type Of, StaleMoney, type Writing } from './writing.js';

/** Writes the effects on `provider_operations`: a row is committed before its call is made. */
@Injectable()
export class OperationWrites {
  constructor(
    private readonly random: Random,
    private readonly records: OperationRecords,
  ) {}

  async open(writing: Writing, id: number, operation: OpenedOperation): Promise<void> {
    const { attempt, kind, cause, amount, refund_id: refundId, isCalledNow } = operation;
    const { transaction, payment } = writing;
    const key = this.random.uuid();
    const lease = isCalledNow ? this.records.chargeLeaseMs : 0;
    const calls = isCalledNow ? 1 : 0;
    const [row] =
      refundId !== null
        ? await transaction.query<{ id: number }>(INSERT_REFUND, [payment.id, writing.idOf(refundId), key, lease])
        : kind === 'capture'
          ? await transaction.query<{ id: number }>(INSERT_CAPTURE, [payment.id, attempt, key, amount, lease])
          : await transaction.query<{ id: number }>(INSERT_OPERATION, [
              ...[payment.id, attempt, kind, cause, key, null, calls, lease],
              amount ?? null,
            ]);
    if (!row) throw new Error(`a ${kind} of payment ${payment.id} was recorded under its lock`);
    writing.named(id, row.id, key);
  }

  async record(writing: Writing, { operation: id, record }: Of<'record'>): Promise<void> {
    const { transaction, payment, state } = writing;
    const known = state.operations.find((row) => row.id === id)!;
    if (!isOpen(known)) {
      await transaction.query(REFUSE_REFUND, [payment.id, writing.idOf(id), record.reason]);
      return;
    }
    const lastAnswer = record.isSettled ? null : record.lastAnswer;
    await this.recordOperation(writing, id, { ...record, lastAnswer, key: null });
  }

  async repeat(writing: Writing, effect: Of<'repeat'>): Promise<void> {
    const { operation: id, lastAnswer, reason, isUnavailable } = effect;
    const key = this.random.uuid();
    await this.recordOperation(writing, id, { state: 'open', lastAnswer, reason, isUnavailable, key });
    writing.renewed(id, key);
    const { kind, attempt } = writing.state.operations.find((row) => row.id === id)!;
    // where the provider has no look-up, repeating the charge shows whether there is anything to void
    if (kind === 'void') await writing.transaction.query(EXPEDITE_CHARGE, [writing.payment.id, attempt]);
  }

  private async recordOperation(
    writing: Writing,
    id: number,
    record: {
      state: OperationState;
      lastAnswer: string | null;
      reason?: string | undefined;
      providerOperationId?: string | null | undefined;
      isUnavailable?: boolean | undefined;
      key: string | null;
    },
  ): Promise<void> {
    const recorded = await writing.transaction.query(RECORD_OPERATION, [
      ...[writing.payment.id, writing.idOf(id), writing.keyOf(id), record.state],
      record.reason?.slice(0, 500) ?? null,
      record.lastAnswer,
      record.providerOperationId ?? null,
      record.key,
      this.records.delaysMs,
      TRIED_FOR_MS,
      record.isUnavailable === true,
    ]);
    if (recorded.length === 0) throw new StaleMoney(`operation ${id} of payment ${writing.payment.id} was claimed`);
  }
}
