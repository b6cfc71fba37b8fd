import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { AuthorizeAnswer } from '../../providers/provider.js';
import type { ProviderAccount } from '../../shops/shop-summary.js';
import { type AttemptEnd, attemptEnd, canFailOver, STATUS_AFTER } from '../ledger/attempt.js';
import { FailoverService } from './failover.service.js';
import { type HeldKey, IdempotencyService } from '../idempotency/idempotency.service.js';
import { PaymentAttemptsService } from '../ledger/payment-attempts.service.js';
import { LOCK_PAYMENT, type PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { ProviderCallsService } from './provider-calls.service.js';
import type { StatusChange, StatusChangeResult } from '../ledger/status-change.js';

export interface Authorization {
  paymentMethodToken: string | undefined;
  /** The payment's present attempt was begun by a process that died, and may have been sent. */
  repeated: boolean;
  /** The idempotency key that this request holds, if any. */
  key: HeldKey | undefined;
  /** Of the shop of the present attempt, when it has just been read. */
  account: ProviderAccount | undefined;
}

/**
 * Gets a pending payment authorised: by its shop, or by the shops after it for as long as it is certain that nobody
 * has charged it (docs/decisions/010-failover.md). Between two provider calls there is always a commit that says which
 * one comes next.
 */
@Injectable()
export class AuthorizationService {
  private readonly logger = new Logger(AuthorizationService.name);

  constructor(
    private readonly database: Database,
    private readonly providerCalls: ProviderCallsService,
    private readonly payments: PaymentsService,
    private readonly attempts: PaymentAttemptsService,
    private readonly failover: FailoverService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** The payment as it is afterwards. Throws `idempotency_key_in_flight` when another request has taken the key over. */
  async authorize(
    payment: PaymentRow,
    { paymentMethodToken, repeated, key, account }: Authorization,
  ): Promise<PaymentRow> {
    let isRepeat = repeated;
    for (let current = payment; ; isRepeat = false) {
      const call = await this.providerCalls.authorize(
        current,
        paymentMethodToken,
        current === payment ? account : undefined,
      );
      const answer = call.known ? call.answer : null;
      const end = attemptEnd(current.attempt, answer, isRepeat);
      if (answer === null || end.outcome === 'unknown') return this.leaveOpen(current, end);
      const next = canFailOver(end) ? await this.failOver(current, end, key) : null;
      if (!next) return this.settle(current, end, answer);
      current = next;
    }
  }

  private failOver(payment: PaymentRow, end: AttemptEnd, key: HeldKey | undefined): Promise<PaymentRow | null> {
    return this.failover.failOver(payment, end, (transaction) =>
      key ? this.idempotency.renew(transaction, key) : Promise.resolve(),
    );
  }

  /** Nobody knows whether it was charged: a notification, a repeat or expiry decides. */
  private async leaveOpen(payment: PaymentRow, end: AttemptEnd): Promise<PaymentRow> {
    const current = await this.database.transaction(async (transaction) => {
      // an attempt is only ever locked under its payment: whoever has the payment never waits for the attempt
      const [locked] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [payment.id]);
      await this.attempts.end(transaction, payment, end);
      return locked;
    });
    return current ?? payment;
  }

  private async settle(payment: PaymentRow, end: AttemptEnd, answer: AuthorizeAnswer): Promise<PaymentRow> {
    const result = await this.payments.changeStatus(payment.id, changeBy(end, answer), payment);
    if (end.outcome === 'approved' || end.outcome === 'processing') {
      await this.voidAtProvider(payment, result, answer.providerTransactionId);
    }
    return result.payment;
  }

  /** The payment was ended, or went elsewhere, while its provider took it: the provider has to let go of it. */
  private async voidAtProvider(
    payment: PaymentRow,
    { outcome, payment: { status } }: StatusChangeResult,
    providerTransactionId: string | undefined,
  ): Promise<void> {
    const isOver = outcome === 'refused' && (status === 'cancelled' || status === 'failed');
    if (outcome !== 'superseded' && !isOver) return;
    const taken = {
      ...payment,
      ...(providerTransactionId !== undefined && { provider_transaction_id: providerTransactionId }),
    };
    const undone = await this.providerCalls.undo(taken);
    if (undone.known && undone.answer.outcome === 'confirmed') return;
    this.logger.error({
      msg: 'a provider took a payment that is over or went to another shop; cancel it there',
      paymentId: payment.id,
      attempt: payment.attempt,
      shopId: payment.shop_id,
    });
  }
}

function changeBy(end: AttemptEnd, { providerMetadata, providerTransactionId }: AuthorizeAnswer): StatusChange {
  const isUnavailable = end.outcome === 'unavailable';
  return {
    to: STATUS_AFTER[end.outcome]!,
    // what no provider has taken never was in processing
    ...(!isUnavailable && { via: 'processing' }),
    cause: isUnavailable ? 'provider_unavailable' : 'provider_answer',
    providerMetadata: { ...providerMetadata, ...(end.declineCode !== null && { decline_code: end.declineCode }) },
    ...(providerTransactionId !== undefined && { providerTransactionId }),
    attempt: end.number,
    end,
  };
}
