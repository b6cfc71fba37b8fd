import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { OperationAnswer } from '../../providers/payment-provider.js';
import type { OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { RefundOutcomes } from '../ledger/refunds/refund-outcomes.service.js';
import { WaitingNotifications } from '../ledger/waiting-notifications.service.js';
import type { RunOutcome } from './operation-runner.service.js';
import { ProviderCallsService } from './provider-calls.service.js';
import { isWithinWindow } from './repeat-window.js';

/**
 * Carries out recorded refunds of payments: calls the provider, and writes its answer, the refund and the payment in one
 * transaction. It may run twice at once: the provider accepts a key once, and a closed operation is not closed again.
 * - A refund that may have been called is looked up by the provider's id first, where the provider can be asked.
 * - A repeat has the same key and body. After the provider's window for keys, a repeat could refund a part twice, so the
 *   refund then stays open for a person, unless the charge shows that all refunds were made.
 * - A definite refusal fails the refund, and a new request makes a new one. An unavailable provider says nothing about
 *   an earlier call under the same key.
 */
@Injectable()
export class RefundRunner {
  constructor(
    private readonly database: Database,
    private readonly calls: ProviderCallsService,
    private readonly operations: OperationRecords,
    private readonly payments: PaymentsService,
    private readonly outcomes: RefundOutcomes,
    private readonly waiting: WaitingNotifications,
  ) {}

  async run(operation: OperationRow): Promise<RunOutcome> {
    const known = wasCalled(operation) ? await this.outcomeOfEarlierCalls(operation) : 'callable';
    if (known !== 'callable') return known;
    const call = await this.calls.refund(operation);
    return call.known ? this.record(operation, call.answer) : this.recordUnknownOutcome(operation, 'no_answer');
  }

  private async outcomeOfEarlierCalls(operation: OperationRow): Promise<RunOutcome | 'callable'> {
    const isPending = operation.state === 'pending';
    const looked = await this.calls.lookupRefund(operation);
    if (looked?.known) {
      const { answer } = looked;
      if (answer.outcome !== 'not_found') return this.record(operation, answer);
      return isPending ? { outcome: 'pending' } : 'callable';
    }
    const isTooOld = !isPending && (await this.isTooOldToRepeat(operation));
    if (!isPending && !isTooOld) return 'callable';
    if (await this.areAllRefunded(operation)) return this.record(operation, { outcome: 'confirmed' });
    return isPending ? { outcome: 'pending' } : this.recordUnknownOutcome(operation, 'no_answer');
  }

  /** The provider would treat the key as a new one. */
  private async isTooOldToRepeat(operation: OperationRow): Promise<boolean> {
    const { idempotencyWindowMs } = await this.calls.recoveryOf(operation);
    return !isWithinWindow(operation, idempotencyWindowMs);
  }

  /** Whether the provider has refunded the sum of all refunds of the payment, this one included. */
  private async areAllRefunded(operation: OperationRow): Promise<boolean> {
    const looked = await this.calls.lookup(operation);
    if (!looked.known || looked.answer.status === 'not_found') return false;
    const { status, refundedAmount } = looked.answer;
    const payment = await this.payments.find(operation.merchant_id, operation.payment_id);
    const returned = status === 'refunded' ? payment.amount_captured : (refundedAmount ?? '0');
    return (
      Number(returned) >=
      Number(payment.amount_refunded) + (operation.refund_id === null ? Number(operation.amount) : 0)
    );
  }

  private async record(operation: OperationRow, answer: OperationAnswer): Promise<RunOutcome> {
    switch (answer.outcome) {
      case 'confirmed':
        return this.confirm(operation, answer.operationId);
      case 'pending':
        return this.pending(operation, answer.operationId);
      case 'refused':
        return this.refuse(operation, answer);
    }
  }

  private async confirm(operation: OperationRow, providerOperationId: string | undefined): Promise<RunOutcome> {
    const record = { state: 'confirmed', lastAnswer: 'confirmed', providerOperationId } as const;
    await this.write(operation, record, (transaction, payment) =>
      this.outcomes.confirmed(transaction, payment, operation, {
        cause: 'refund_requested',
        providerRefundId: providerOperationId,
      }),
    );
    return { outcome: 'confirmed' };
  }

  private async pending(operation: OperationRow, providerOperationId: string): Promise<RunOutcome> {
    const isKnown = operation.state === 'pending' && operation.provider_operation_id === providerOperationId;
    if (isKnown) return { outcome: 'pending' };
    const record = { state: 'pending', lastAnswer: 'pending', providerOperationId } as const;
    await this.write(operation, record, (transaction, payment) =>
      this.outcomes.accepted(transaction, payment, operation, providerOperationId),
    );
    return { outcome: 'pending' };
  }

  private async refuse(
    operation: OperationRow,
    { reason, isUnavailable = false, operationId: providerOperationId }: OperationAnswer & { outcome: 'refused' },
  ): Promise<RunOutcome> {
    const record = { state: 'refused', lastAnswer: 'refused', reason, isUnavailable, providerOperationId } as const;
    const isRecorded = await this.write(operation, record, (transaction, payment) =>
      this.outcomes.refused(transaction, payment, operation, reason, providerOperationId),
    );
    return isUnavailable && !isRecorded
      ? this.recordUnknownOutcome(operation, 'unavailable')
      : { outcome: 'refused', reason };
  }

  private async recordUnknownOutcome(operation: OperationRow, lastAnswer: string): Promise<RunOutcome> {
    await this.operations.recordCommitted(operation, { state: 'unknown', lastAnswer });
    return { outcome: 'unknown' };
  }

  /**
   * Closes or identifies the operation and changes the refund, unless it was closed before. Notifications that waited for
   * the refund's id or its outcome are applied after that. Returns whether the operation was open.
   */
  private write(
    operation: OperationRow,
    record: Parameters<OperationRecords['record']>[2],
    change: (transaction: Transaction, payment: PaymentRow) => Promise<PaymentRow>,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, operation.payment_id);
      const isRecorded = await this.operations.record(transaction, operation, record);
      await this.waiting.apply(transaction, isRecorded ? await change(transaction, payment) : payment);
      return isRecorded;
    });
  }
}

/** The provider may have received an earlier call: a repeat would return the first call's answer. */
const wasCalled = ({ state, tries, key_calls: keyCalls }: OperationRow): boolean =>
  state !== 'open' || tries > 1 || keyCalls > 1;
