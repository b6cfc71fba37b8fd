import { Injectable } from '@nestjs/common';
import type { RoutedPayment } from '../flows/flow-routing.service.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { ProviderRegistry } from '../providers/provider-registry.service.js';
import { Clock } from '../shared/clock.js';
import { toDecimalText } from '../shared/money.js';
import { Random } from '../shared/random.js';
import { WebhookLanesService } from '../webhooks/webhook-lanes.service.js';
import { WebhookShopCountersService } from '../webhooks/webhook-shop-counters.service.js';
import { CUSTOMER_FIELDS } from './customer.js';
import { INSERT_CUSTOMER, INSERT_PAYMENT } from './payment.queries.js';
import type { CreatePaymentDto } from './payments.dto.js';

const DEFAULT_EXPIRES_IN_S = 1_800;

/** Transaction 1: the payment with its first attempt, its customer, its shop's counters and whatever must commit with it. */
@Injectable()
export class PaymentRecorder {
  constructor(
    private readonly database: Database,
    private readonly providers: ProviderRegistry,
    private readonly lanes: WebhookLanesService,
    private readonly counters: WebhookShopCountersService,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Answers the new payment's id. `alongside` runs in the same transaction. */
  async insert(
    merchantId: number,
    { flowId, flowVersion, shop, fallbacks, maxAttempts, trace }: RoutedPayment,
    request: CreatePaymentDto,
    alongside: (transaction: Transaction, paymentId: number) => Promise<void>,
  ): Promise<number> {
    const endpoint = request.webhook_endpoint;
    const laneId = endpoint === undefined ? null : await this.lanes.laneFor(shop.id, endpoint);
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + (request.expires_in ?? DEFAULT_EXPIRES_IN_S) * 1_000);
    return this.database.transaction(async (transaction) => {
      const [payment] = await transaction.query<{ id: number }>(INSERT_PAYMENT, [
        merchantId,
        shop.id,
        flowId,
        flowVersion,
        await this.customerId(transaction, merchantId, request),
        request.payment_session_id ?? `ps_${this.random.uuid()}`,
        this.providers.get(shop.provider).newTransactionId(),
        shop.provider,
        toDecimalText(request.amount),
        request.currency,
        request.country ?? null,
        endpoint ?? null,
        laneId,
        request.metadata ?? null,
        createdAt,
        expiresAt,
        maxAttempts,
        maxAttempts > 1 && fallbacks.length > 0 ? fallbacks.map(({ id }) => id) : null,
        trace,
      ]);
      await alongside(transaction, payment!.id);
      // last, so that the lock on the shop's counter is held for the commit alone
      await this.counters.countPayment(transaction, shop.id, endpoint !== undefined);
      return payment!.id;
    });
  }

  private async customerId(
    transaction: Transaction,
    merchantId: number,
    request: CreatePaymentDto,
  ): Promise<number | null> {
    const customer = request.customer;
    if (customer === undefined) return request.customer_id ?? null;
    const values = CUSTOMER_FIELDS.map((field) => customer[field] ?? null);
    const [inserted] = await transaction.query<{ id: number }>(INSERT_CUSTOMER, [merchantId, ...values]);
    return inserted!.id;
  }
}
