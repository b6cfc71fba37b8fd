import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { captureOf } from '../ledger/capture.js';
import type { OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { type PaymentStatus, stepsTo } from '../ledger/payment-state.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { StatusChangeResult } from '../ledger/status-change.js';
import { OperationRunner, type RunOutcome } from './operation-runner.service.js';

/** Cancels payments before their outcome. */
@Injectable()
export class PaymentActionsService {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly runner: OperationRunner,
  ) {}

  /**
   * Cancels a pending payment at once, and records a void that is tried until the provider confirms it. A payment in
   * processing is cancelled only when the provider confirms, and not while it is captured. A cancelled payment is returned unchanged. Throws
   * `payment_not_found`, `illegal_status_change`, `provider_unconfirmed`, `dependency_unavailable`.
   */
  async cancel(merchantId: number, paymentId: number): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    if (payment.status === 'cancelled') return payment;
    requireWay(payment, 'cancelled');
    return payment.status === 'processing' ? this.voidProcessing(payment) : this.cancelPending(payment);
  }

  private async cancelPending({ id, merchant_id: merchantId }: PaymentRow): Promise<PaymentRow> {
    const { result, undo } = await this.database.transaction(async (transaction) => {
      const change = { to: 'cancelled', cause: 'cancel_requested', onlyFrom: 'pending' } as const;
      const cancelled = await this.payments.changeStatus(id, change, { in: transaction });
      if (cancelled.outcome !== 'changed') return { result: cancelled };
      const { attempt } = cancelled.payment;
      const operation = { paymentId: id, attempt, kind: 'void', cause: 'cancel_requested' } as const;
      return {
        result: cancelled,
        undo: await this.operations.findOrCreate(transaction, { ...operation, executeNow: true }),
      };
    });
    if (result.outcome !== 'changed') return this.cancelChanged(result, merchantId);
    if (undo) await this.runner.run(undo).catch(() => undefined); // recovery continues
    return result.payment;
  }

  /** Handles a concurrent change that was faster. */
  private cancelChanged({ payment }: StatusChangeResult, merchantId: number): Promise<PaymentRow> {
    if (payment.status !== 'processing' && payment.status !== 'cancelled') throw illegalChange(payment, 'cancelled');
    return this.cancel(merchantId, payment.id);
  }

  private async voidProcessing(payment: PaymentRow): Promise<PaymentRow> {
    const operation = await this.recordVoid(payment);
    return this.execute(payment, operation, 'cancelled');
  }

  /** The new operation, or the one under way, which keeps its key and body. `undefined`: another change was faster. */
  private async recordVoid(payment: PaymentRow): Promise<OperationRow | undefined> {
    return this.database.transaction(async (transaction) => {
      const { id, attempt, status } = await this.payments.lock(transaction, payment.id);
      if (status !== payment.status) return undefined;
      requireNoCapture(payment, await this.operations.list(id, transaction));
      const operation = { paymentId: id, attempt, kind: 'void', cause: 'cancel_requested' } as const;
      return this.operations.findOrCreate(transaction, { ...operation, executeNow: true });
    });
  }

  private async execute(
    payment: PaymentRow,
    operation: OperationRow | undefined,
    to: PaymentStatus,
  ): Promise<PaymentRow> {
    if (operation && operation.state !== 'confirmed') requireNoRefusal(await this.runner.run(operation));
    const now = await this.payments.find(payment.merchant_id, payment.id);
    const mayWait = operation !== undefined && now.status === payment.status;
    if (now.status !== to && !mayWait) throw illegalChange(now, to); // another change won the race
    return now;
  }
}

function requireWay(payment: PaymentRow, to: PaymentStatus): void {
  const steps = stepsTo(payment.status, to);
  if (steps === null || steps.length === 0) throw illegalChange(payment, to);
}

const illegalChange = (payment: PaymentRow, to: PaymentStatus): Problem =>
  new Problem('illegal_status_change', {
    detail: `payment ${payment.id} is ${payment.status} and cannot become ${to}`,
  });

function requireNoCapture(payment: PaymentRow, operations: readonly OperationRow[]): void {
  if (captureOf(operations, payment.attempt) === undefined) return;
  const detail = `payment ${payment.id} is being captured and cannot become cancelled`;
  throw new Problem('illegal_status_change', { detail });
}

export function requireNoRefusal(outcome: RunOutcome): void {
  if (outcome.outcome === 'unknown') {
    throw new Problem('dependency_unavailable', {
      detail: 'the provider gave no answer; it is asked again until it answers, and repeating the request is safe',
      headers: { 'retry-after': '5' },
    });
  }
  if (outcome.outcome === 'refused') throw new Problem('provider_unconfirmed', { detail: outcome.reason });
}
