import { Injectable } from '@nestjs/common';
import type { RuleDecline } from '@payment-orchestrator/routing/definition/definition';
import { MoneyService } from '../store/money.service.js';
import type { RoutedPayment } from '../../flows/routing/routing.service.js';
import { Database, type Queryable, type Statement, type Transaction } from '../../platform/database/database.js';
import { GROUPED_WRITES } from '../../platform/database/writes.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Batcher } from '../../shared/batcher.js';
import { Clock } from '../../shared/clock.js';
import { toDecimalText } from '../../shared/money.js';
import { Random } from '../../shared/random.js';
import type { ProviderAccount } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import { LanesService } from '../../webhooks/outbox/lanes.service.js';
import { CUSTOMER_FIELDS } from '../../webhooks/outbox/webhook-body.js';
import type { NewCustomer } from '../store/customer.js';
import type { CustomerRow } from '../money/state/payment.js';
import { type HeldKey, keyInFlight } from '../../platform/idempotency/idempotency.service.js';
import {
  INSERT_PAYMENT,
  INSERT_PAYMENT_WAITING,
  INSERT_PAYMENT_WITHOUT_KEY,
  INSERT_PAYMENTS,
  INSERT_PAYMENTS_WITHOUT_KEYS,
  type InsertedPayment,
  type NewPaymentRecord,
  valuesOfPayment,
} from './new-payments.queries.js';
import { OperationRecords } from '../store/operation-records.service.js';
import { PaymentMetrics } from '../store/payment-metrics.js';
import type { PaymentRow } from '../money/state/payment.js';
import { NOTHING } from '../money/state/status-change.js';
import type { CreatePaymentDto } from './create-payment.dto.js';
import type { Agreement } from '../../shared/agreement.js';
import { factsOf } from '../../shared/payment-method.js';
import { requireUnusedSession } from './unique-sessions.js';
import { type GivenCharge, inputAt, type PreparedCharge } from '../methods/given-charge.js';
import { type ChargeRecord, NewCharges } from '../work/new-charges.service.js';

const DEFAULT_EXPIRES_IN_S = 1_800;

/** A payment to create. */
export interface NewPayment {
  merchantId: number;
  routed: RoutedPayment;
  request: CreatePaymentDto;
  /** The payment method of the request, or the saved one that it names, with the facts for the provider. */
  given: GivenCharge;
  /** The payer's agreement; `null`: none is named. */
  agreement: Agreement | null;
  /** An existing customer; `null`: the request's customer, if any, is stored with the payment. */
  knownCustomer: CustomerRow | null;
  /** The idempotency key that it is created under. */
  key: HeldKey | undefined;
}

export interface RecordedPayment {
  payment: PaymentRow;
  account: ProviderAccount;
  /** Its first attempt's charge, recorded. */
  charge: PreparedCharge;
}

/**
 * Transaction 1: the payment with its first attempt, its customer, its idempotency key and its shop's counters.
 * Concurrent payments are written by one statement (docs/decisions/017-group-commit.md), which waits for no row. A
 * payment that a rule declines has no attempt, and its shop does not count it.
 */
@Injectable()
export class PaymentRecorder {
  private readonly batcher = new Batcher<NewPaymentRecord, InsertedPayment | undefined>(
    (records) => this.writeGroup(records),
    GROUPED_WRITES,
  );

  constructor(
    private readonly database: Database,
    private readonly charges: NewCharges,
    private readonly operations: OperationRecords,
    private readonly shops: ShopsService,
    private readonly lanes: LanesService,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly metrics: PaymentMetrics,
    private readonly money: MoneyService,
  ) {}

  /**
   * The new payment, committed, with its shop's account. It is the same as if it were read, but is not read. Throws
   * `idempotency_key_in_flight` if its key was lost meanwhile, and `payment_session_used`.
   */
  insert(payment: NewPayment): Promise<RecordedPayment> {
    // trace context of the request's span, which the payment belongs to
    const traceparent = tracing.traceparent() ?? null;
    return tracing.run('payment.insert', {}, async (span) => {
      const { merchantId, routed, given } = payment;
      const laneId = await this.laneOf(payment);
      const { shop } = routed;
      const owner = { merchantId, shopId: shop.id };
      const charge = this.charges.make(shop.provider, owner, inputAt(given, shop));
      const record = this.recordOf(payment, charge, laneId, traceparent);
      const inserted = payment.request.unique ? await this.insertUnique(record) : await this.insertGrouped(record);
      if (!inserted) throw keyInFlight();
      span.set({ 'payment.id': inserted.id });
      this.metrics.entered('pending');
      const account = this.shops.decryptAccount(owner, shop.provider, inserted.encrypted_account);
      const row = rowOf(record, inserted, payment);
      return { payment: row, account, charge: { attemptedAt: row.created_at, ...charge } };
    });
  }

  /**
   * A payment that a rule of its flow declines (docs/decisions/085-declines-by-rule.md): created and failed in one transaction, so
   * no other process ever sees it pending. Throws like {@link insert}.
   */
  insertDeclined(payment: NewPayment, { code, message }: RuleDecline): Promise<PaymentRow> {
    return tracing.run('payment.insert', {}, async (span) => {
      const laneId = await this.laneOf(payment);
      // the code is where a provider's decline code would be
      const metadata = { decline_code: code, ...(message !== undefined && { decline_message: message }) };
      const fact = { about: 'end', to: 'failed', cause: 'declined_by_rule', metadata } as const;
      const failed = await this.database.transaction(async (transaction) =>
        this.money.applyTo(transaction, await this.insertWithoutAttempt(transaction, payment, laneId), fact),
      );
      span.set({ 'payment.id': failed.payment.id });
      return failed.payment;
    });
  }

  /** The lane of the payment's webhooks; `null`: it has no address. Reads and may write: call it outside a transaction. */
  private async laneOf({ routed, request: { webhook_endpoint: endpoint } }: NewPayment): Promise<number | null> {
    return endpoint === undefined ? null : this.lanes.laneFor(routed.shop.id, endpoint);
  }

  private async insertWithoutAttempt(
    transaction: Transaction,
    payment: NewPayment,
    laneId: number | null,
  ): Promise<PaymentRow> {
    const record = this.recordOf(payment, null, laneId, tracing.traceparent() ?? null);
    if (payment.request.unique) await requireUnusedSession(transaction, payment.merchantId, record.payment_session_id);
    const inserted = await this.writeOne(INSERT_PAYMENT_WAITING, record, transaction);
    if (!inserted) throw keyInFlight();
    transaction.onCommit(() => this.metrics.entered('pending'));
    return rowOf(record, inserted, payment);
  }

  /** `undefined`: its key was lost. */
  private async insertGrouped(record: NewPaymentRecord): Promise<InsertedPayment | undefined> {
    const inserted = await this.batcher.add(record);
    if (inserted || record.key === null) return inserted;
    return this.writeOne(INSERT_PAYMENT_WAITING, record, this.database);
  }

  /** In a transaction of its own, because requests of the same session wait for it. */
  private insertUnique(record: NewPaymentRecord): Promise<InsertedPayment | undefined> {
    return this.database.transaction(async (transaction) => {
      await requireUnusedSession(transaction, record.merchant_id, record.payment_session_id);
      return this.writeOne(INSERT_PAYMENT_WAITING, record, transaction);
    });
  }

  /** `charge`: of the first attempt; `null`: there is none. */
  private recordOf(
    { merchantId, routed, request, given, agreement, knownCustomer, key }: NewPayment,
    charge: ChargeRecord | null,
    laneId: number | null,
    traceparent: string | null,
  ): NewPaymentRecord {
    const { shop, fallbacks, maxAttempts, trace } = routed;
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + (request.expires_in ?? DEFAULT_EXPIRES_IN_S) * 1_000);
    return {
      merchant_id: merchantId,
      shop_id: shop.id,
      flow_id: routed.flowId,
      payment_session_id: request.payment_session_id ?? `ps_${this.random.orderedUuid()}`,
      provider_transaction_id: charge?.transactionId ?? null,
      payment_provider: shop.provider,
      amount: toDecimalText(request.amount),
      currency: request.currency,
      country: request.country ?? null,
      webhook_endpoint: request.webhook_endpoint ?? null,
      webhook_lane_id: laneId,
      metadata: request.metadata ?? null,
      return_url: request.return_url ?? null,
      capture: routed.capture,
      payment_method: factsOf(given.method) ?? null,
      initiator: request.initiator ?? null,
      agreement,
      traceparent,
      attempt: charge ? 1 : 0,
      max_attempts: maxAttempts,
      fallback_shop_ids: maxAttempts > 1 && fallbacks.length > 0 ? fallbacks.map(({ id }) => id) : null,
      flow_version: routed.flowVersion,
      rollout_id: trace.rollout?.id,
      rollout_stage: trace.rollout?.stage,
      known_customer_id: knownCustomer?.id ?? null,
      new_customer_id: routed.newCustomerId,
      customer: knownCustomer ? null : (request.customer ?? null),
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      decision: trace,
      reference: charge?.reference ?? null,
      charge_key: charge?.idempotencyKey ?? null,
      sealed_payment_token: charge?.encryptedInput?.toString('hex') ?? null,
      key_client_id: key?.clientId ?? null,
      key: key?.key ?? null,
      key_lock_version: key?.lockVersion ?? null,
    };
  }

  private async writeGroup(records: NewPaymentRecord[]): Promise<(InsertedPayment | undefined)[]> {
    const [only, ...others] = records;
    if (only && others.length === 0) return [await this.writeOne(INSERT_PAYMENT, only, this.database)];
    const hasKeys = records.some(({ key }) => key !== null);
    const rows = await this.database.query<InsertedPayment>(hasKeys ? INSERT_PAYMENTS : INSERT_PAYMENTS_WITHOUT_KEYS, [
      this.operations.chargeLeaseMs,
      JSON.stringify(records.map((record, position) => ({ position, ...record }))),
    ]);
    const byPosition = new Map(rows.map((row) => [row.position, row]));
    return records.map((_, position) => byPosition.get(position));
  }

  /** `withKey`: the statement if it has an idempotency key. */
  private async writeOne(
    withKey: Statement,
    record: NewPaymentRecord,
    on: Queryable,
  ): Promise<InsertedPayment | undefined> {
    const statement = record.key === null ? INSERT_PAYMENT_WITHOUT_KEY : withKey;
    const values = [this.operations.chargeLeaseMs, ...valuesOfPayment(record)];
    return (await on.query<InsertedPayment>(statement, values))[0];
  }
}

/**
 * The row that `FIND_PAYMENTS` would return for an inserted record. Each field is written out
 * (docs/decisions/093-fields-written-out.md).
 */
function rowOf(record: NewPaymentRecord, inserted: InsertedPayment, payment: NewPayment): PaymentRow {
  const createdAt = new Date(record.created_at);
  return {
    id: inserted.id,
    merchant_id: record.merchant_id,
    shop_id: record.shop_id,
    shop_name: payment.routed.shop.name,
    flow_id: record.flow_id,
    payment_session_id: record.payment_session_id,
    provider_transaction_id: record.provider_transaction_id,
    payment_provider: record.payment_provider,
    amount: inserted.amount,
    currency: record.currency,
    country: record.country,
    status: 'pending',
    webhook_endpoint: record.webhook_endpoint,
    webhook_lane_id: record.webhook_lane_id,
    metadata: record.metadata,
    provider_metadata: {},
    return_url: record.return_url,
    capture: record.capture,
    capture_before: null,
    payment_method: record.payment_method,
    initiator: record.initiator,
    agreement: record.agreement,
    traceparent: record.traceparent,
    attempt: record.attempt,
    max_attempts: record.max_attempts,
    fallback_shop_ids: record.fallback_shop_ids,
    created_at: createdAt,
    updated_at: createdAt,
    expires_at: new Date(record.expires_at),
    amount_authorized: NOTHING,
    amount_captured: NOTHING,
    amount_refunded: NOTHING,
    next_action: null,
    charged_after_end: false,
    has_waiting_notifications: false,
    customer: record.customer === null ? payment.knownCustomer : newCustomerRow(inserted.customer_id!, record.customer),
  };
}

function newCustomerRow(id: number, customer: NewCustomer): CustomerRow {
  const row: Partial<CustomerRow> = { id, erased_at: null, reference: null };
  for (const field of CUSTOMER_FIELDS) row[field] = customer[field] ?? null;
  return row as CustomerRow;
}
