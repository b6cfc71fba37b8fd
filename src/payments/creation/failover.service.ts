import { Injectable, Logger } from '@nestjs/common';
import { type HeldKey, IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import { LanesService } from '../../webhooks/outbox/lanes.service.js';
import { ShopCountersService } from '../../webhooks/outbox/shop-counters.service.js';
import type { AttemptEnd } from '../money/state/attempt.js';
import { LOCK_PAYMENT, NEXT_ATTEMPT } from '../store/payment.queries.js';
import { OperationRecords } from '../store/operation-records.service.js';
import { PaymentsService } from '../store/payments.service.js';
import { StatusWriter } from '../store/status-writer.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { NewCharges } from '../work/new-charges.service.js';
import type { GivenMethod } from '../../shared/payment-method.js';
import { type GivenCharge, inputAt, type PreparedCharge } from '../methods/given-charge.js';
import { hasOption } from '../methods/method-at.js';
import { mayHaveToken } from '../methods/token-accounts.js';

/** A payment at its next shop, and the charge there. */
interface Moved {
  payment: PaymentRow;
  charge: PreparedCharge;
}

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
    private readonly idempotency: IdempotencyService,
  ) {}

  /**
   * Begins the payment's next attempt; returns the payment and the new charge. `null`: there is no further shop, or the
   * payment was changed meanwhile. `end` must allow it (`canFailOver`). Throws `idempotency_key_in_flight` if another request has
   * taken over the key.
   */
  failOver(payment: PaymentRow, end: AttemptEnd, given: GivenCharge, key: HeldKey | undefined): Promise<Moved | null> {
    const attributes = { 'payment.id': payment.id, 'payment.attempt': end.number };
    return tracing.run('payment.fail_over', { attributes }, async (span) => {
      const shop = await this.nextShop(payment, end, given.method);
      const moved = shop && (await this.moveTo(shop, payment, end, given, key));
      span.set({ 'shop.id': moved?.payment.shop_id });
      if (moved) this.logMove(payment, moved.payment, end);
      return moved;
    });
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

  private async moveTo(
    shop: ShopSummary,
    payment: PaymentRow,
    end: AttemptEnd,
    given: GivenCharge,
    key: HeldKey | undefined,
  ): Promise<Moved | null> {
    const { webhook_endpoint: endpoint, merchant_id: merchantId } = payment;
    const laneId = endpoint === null ? null : await this.lanes.laneFor(shop.id, endpoint);
    const owner = { merchantId, shopId: shop.id };
    const charge = this.charges.make(shop.provider, owner, inputAt(given, shop));
    return this.database.transaction(async (transaction) => {
      const [before] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [payment.id]);
      if (before?.status !== 'pending' || before.attempt !== end.number) return null;
      if (key) await this.idempotency.renew(transaction, key);
      const now = this.clock.now();
      const after: PaymentRow = {
        ...before,
        ...{ shop_id: shop.id, shop_name: shop.name, payment_provider: shop.provider, webhook_lane_id: laneId },
        ...{ provider_transaction_id: charge.transactionId, attempt: end.number + 1 },
        updated_at: new Date(Math.max(now.getTime(), before.updated_at.getTime() + 1)),
      };
      await transaction.query(NEXT_ATTEMPT, [
        ...[before.id, end.number, end.outcome, end.declineCode, now],
        ...[shop.id, shop.provider, charge.transactionId, laneId, after.updated_at],
        ...[charge.reference, charge.idempotencyKey, charge.encryptedInput, this.operations.chargeLeaseMs],
        end.card ?? null,
      ]);
      await this.statuses.countEnd(transaction, before, end);
      await this.counters.movePayment(transaction, before.shop_id, shop.id, before.webhook_endpoint !== null);
      return { payment: after, charge: { ...charge, attemptedAt: now } };
    });
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
