import { Injectable, Logger } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import { LanesService } from '../../webhooks/outbox/lanes.service.js';
import { ShopCountersService } from '../../webhooks/outbox/shop-counters.service.js';
import type { AttemptEnd } from '../money/state/attempt.js';
import type { PreparedCharge } from '../money/state/operation.js';
import { LOCK_PAYMENT, NEXT_ATTEMPT } from '../store/payment.queries.js';
import { OperationRecords } from '../store/operation-records.service.js';
import { PaymentsService } from '../store/payments.service.js';
import { StatusWriter } from '../store/status-writer.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { type ChargeRecord, NewCharges } from '../work/new-charges.service.js';
import type { GivenMethod } from '../../shared/payment-method.js';
import { hasOption, methodAt } from '../methods/method-at.js';
import { mayHaveToken } from '../methods/token-accounts.js';

/** The fields that the payment takes over from its next shop. */
type NextShop = Pick<
  PaymentRow,
  'shop_id' | 'shop_name' | 'payment_provider' | 'provider_transaction_id' | 'webhook_lane_id'
>;

/**
 * The step from one shop to the next, in one transaction under the payment's row lock: the attempt ends, the next one
 * begins, and the payment with its counters and its webhook's lane follows. A crash before it repeats the old attempt,
 * a crash after it the new attempt. So a payment never has two attempts with an unknown outcome.
 */
@Injectable()
export class FailoverService {
  private readonly logger = new Logger(FailoverService.name);

  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly charges: NewCharges,
    private readonly operations: OperationRecords,
    private readonly lanes: LanesService,
    private readonly counters: ShopCountersService,
    private readonly payments: PaymentsService,
    private readonly statuses: StatusWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins the payment's next attempt; returns the payment and the new charge. `null`: there is no further shop, or the
   * payment was changed meanwhile. `end` must allow it (`canFailOver`). `inSameTransaction` runs in the same
   * transaction.
   */
  async failOver(
    payment: PaymentRow,
    end: AttemptEnd,
    method: GivenMethod | undefined,
    inSameTransaction: (transaction: Transaction) => Promise<void>,
  ): Promise<{ payment: PaymentRow; charge: PreparedCharge } | null> {
    const shop = await this.nextShop(payment, end, method);
    if (!shop) return null;
    const next = await this.nextAttempt(payment, shop);
    const charge = this.charges.make(
      next.payment_provider,
      { merchantId: payment.merchant_id, shopId: next.shop_id },
      methodAt(method, shop),
    );
    const moved = await this.database.transaction(async (transaction) => {
      const [before] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [payment.id]);
      if (before?.status !== 'pending' || before.attempt !== end.number) return null;
      await inSameTransaction(transaction);
      return this.move(transaction, before, end, { ...next, provider_transaction_id: charge.transactionId }, charge);
    });
    if (!moved) return null;
    this.logMove(payment, moved.payment, end);
    return { payment: moved.payment, charge: { ...charge, attemptedAt: moved.attemptedAt } };
  }

  /** The next shop in the order of the decision that is enabled now and may have the payment method. */
  private async nextShop(
    payment: PaymentRow,
    end: AttemptEnd,
    method: GivenMethod | undefined,
  ): Promise<ShopSummary | null> {
    const order = payment.fallback_shop_ids ?? [];
    const rest = order.slice(order.indexOf(payment.shop_id) + 1);
    if (payment.attempt >= payment.max_attempts || rest.length === 0) return null;
    const attempts = method?.token === undefined ? [] : await this.payments.attempts(payment.id);
    const tried = attempts.map(({ shop_id: id }) => id);
    const summaries = await this.shops.summaries(payment.merchant_id, [...tried, ...rest]);
    const byId = new Map(summaries.map((shop) => [shop.id, shop]));
    const withShops = attempts.map(({ number, shop_id: id, outcome, decline_code: declineCode }) =>
      number === end.number ? { shop: byId.get(id)!, ...end } : { shop: byId.get(id)!, outcome, declineCode },
    );
    const mayTake = (shop: ShopSummary | undefined): shop is ShopSummary =>
      shop !== undefined && shop.enabled && hasOption(method, shop) && mayHaveToken(shop, withShops);
    return rest.map((id) => byId.get(id)).find(mayTake) ?? null;
  }

  private async nextAttempt({ webhook_endpoint: endpoint }: PaymentRow, shop: ShopSummary) {
    return {
      shop_id: shop.id,
      shop_name: shop.name,
      payment_provider: shop.provider,
      webhook_lane_id: endpoint === null ? null : await this.lanes.laneFor(shop.id, endpoint),
    };
  }

  private async move(
    transaction: Transaction,
    before: PaymentRow,
    end: AttemptEnd,
    next: NextShop,
    charge: ChargeRecord,
  ): Promise<{ payment: PaymentRow; attemptedAt: Date }> {
    const now = this.clock.now();
    const updatedAt = new Date(Math.max(now.getTime(), before.updated_at.getTime() + 1));
    await transaction.query(NEXT_ATTEMPT, [
      before.id,
      end.number,
      end.outcome,
      end.declineCode,
      now,
      next.shop_id,
      next.payment_provider,
      next.provider_transaction_id,
      next.webhook_lane_id,
      updatedAt,
      charge.reference,
      charge.idempotencyKey,
      charge.encryptedMethod,
      this.operations.chargeLeaseMs,
      end.card ?? null,
    ]);
    await this.statuses.countEnd(transaction, before, end);
    await this.counters.movePayment(transaction, before.shop_id, next.shop_id, before.webhook_endpoint !== null);
    return { payment: { ...before, ...next, attempt: end.number + 1, updated_at: updatedAt }, attemptedAt: now };
  }

  private logMove(from: PaymentRow, to: PaymentRow, { number, outcome, declineCode }: AttemptEnd): void {
    this.logger.log({
      msg: 'payment continues with the next shop',
      paymentId: from.id,
      attempt: number,
      outcome,
      ...(declineCode !== null && { declineCode }),
      fromShopId: from.shop_id,
      toShopId: to.shop_id,
    });
  }
}
