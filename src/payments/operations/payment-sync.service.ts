import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import { Problem } from '../../shared/problem.js';
import { isOpen, type OperationRow } from '../money/state/operation.js';
import { OperationClaims } from './operation-claims.service.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { ChargeRecovery } from './charge-recovery.service.js';
import { OperationRunner } from './operation-runner.service.js';

/** Recovery of one payment on request, including stopped operations. */
@Injectable()
export class PaymentSync {
  constructor(
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly claims: OperationClaims,
    private readonly charges: ChargeRecovery,
    private readonly runner: OperationRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * All operations of a payment, in the order of the requests, with their age in seconds. Throws `payment_not_found`.
   */
  async operationsOf(merchantId: number, paymentId: number): Promise<(OperationRow & { age: number })[]> {
    await this.payments.find(merchantId, paymentId);
    const now = this.clock.now().getTime();
    const operations = await this.operations.list(paymentId);
    return operations.map((operation) => ({
      ...operation,
      age: Math.max(0, Math.floor((now - operation.created_at.getTime()) / 1_000)),
    }));
  }

  /**
   * Asks the provider about every open operation of the payment, and returns the payment after that. A charge whose
   * first call is still under way is skipped. Throws `payment_not_found`, and `dependency_unavailable` if the provider
   * does not answer.
   */
  async sync(merchantId: number, paymentId: number): Promise<PaymentRow> {
    let isAnswered = true;
    for (const operation of (await this.operationsOf(merchantId, paymentId)).filter(isOpen)) {
      const taken = this.isUnderWay(operation) ? undefined : await this.claims.take(operation);
      if (taken) isAnswered = (await this.recover(taken)) && isAnswered;
    }
    if (!isAnswered) {
      throw new Problem('dependency_unavailable', {
        detail: 'the provider gave no answer; it is asked again until it answers, and repeating the request is safe',
      });
    }
    return this.payments.find(merchantId, paymentId);
  }

  private isUnderWay({ kind, state, created_at: createdAt }: OperationRow): boolean {
    const isYoung = createdAt.getTime() + this.operations.chargeLeaseMs > this.clock.now().getTime();
    return kind === 'charge' && state === 'open' && isYoung;
  }

  private async recover(operation: OperationRow): Promise<boolean> {
    if (operation.kind === 'charge') return (await this.charges.recover(operation)) !== 'no_answer';
    const { outcome } = await this.runner.run(operation);
    if (outcome === 'pending') await this.operations.reschedule(operation, outcome);
    return outcome !== 'unknown';
  }
}
