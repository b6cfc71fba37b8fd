import { Injectable, Logger } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { ProviderState } from '../../providers/payment-provider.js';
import type { ProviderEvent } from '@payment-orchestrator/provider-kit';
import { Clock } from '../../shared/clock.js';
import { subtractAmounts } from '../../shared/money.js';
import type { ReportedStatus } from '../ledger/notification.js';
import { isOpen, type OperationRow } from '../ledger/operation.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { RefundRecords } from '../ledger/refunds/refund-records.service.js';
import { ChargeStates, isOutcomePending } from '../operations/charge-states.service.js';
import { EXPEDITE_REFUNDS } from './asked-attempts.queries.js';
import { NotificationInbox } from './notification-inbox.service.js';

/** An attempt whose look-up is claimed. */
export type AskedAttempt = Pick<
  OperationRow,
  'payment_id' | 'attempt' | 'shop_id' | 'provider' | 'provider_transaction_id' | 'reference'
> & {
  /** When it is due again if this look-up has no result. */
  look_up_at: Date;
  /** How long ago a notification asked, in ms. */
  asked_ms: number;
  /** The payment's refunded amount before the look-up, decimal text. */
  amount_refunded: string;
};

type HeldState = Exclude<ProviderState, { status: 'not_found' }>;
type RefundReport = ProviderEvent & { status: ReportedStatus };

/** Applies the state of an attempt that a notification asked about, as if the provider had reported it. */
@Injectable()
export class AskedStates {
  private readonly logger = new Logger(AskedStates.name);

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly refunds: RefundRecords,
    private readonly states: ChargeStates,
    private readonly inbox: NotificationInbox,
    private readonly clock: Clock,
  ) {}

  /** Returns whether nothing is left to look up. */
  async apply(asked: AskedAttempt, state: ProviderState): Promise<boolean> {
    // an unsigned notification must not void a payment that the provider does not find
    if (state.status === 'not_found') {
      const { payment_id: paymentId, attempt } = asked;
      this.logger.error({ msg: 'a provider does not find a charge that it has an id for', paymentId, attempt });
      return true;
    }
    const found = await this.database.transaction((transaction) => this.applyCharge(transaction, asked, state));
    if (found === 'unsettled') return false;
    if (found) await this.report(asked, found);
    return true;
  }

  /** Returns what the sum of the refunds shows, if it is news; `unsettled`: to be looked up again. */
  private async applyCharge(
    transaction: Transaction,
    asked: AskedAttempt,
    state: HeldState,
  ): Promise<RefundReport | 'unsettled' | null> {
    const { payment_id: paymentId, attempt } = asked;
    const before = await this.payments.lock(transaction, paymentId);
    const operations = await this.operations.list(paymentId, transaction);
    // only the answer of a call under way says whether another shop may be asked
    if (isOutcomePending(before, attempt) && operations.some((row) => this.isCallUnderWay(row, attempt))) {
      return 'unsettled';
    }
    await this.states.apply(transaction, before, attempt, state);
    const payment = await this.payments.lock(transaction, paymentId);
    const refunds = await this.refunds.list(paymentId, transaction);
    const isRefunding =
      refunds.some(({ status }) => status === 'pending') ||
      operations.some((row) => row.kind === 'refund' && row.attempt === attempt && isOpen(row));
    await transaction.query(EXPEDITE_REFUNDS, [paymentId]);
    // a sum says nothing about other refunds while one of ours has no outcome, or if ours was made during the look-up
    const isCertain = !isRefunding && Number(before.amount_refunded) === Number(asked.amount_refunded);
    return isCertain ? refundReport(payment, asked, state) : 'unsettled';
  }

  private isCallUnderWay({ kind, state, attempt, age_ms: age }: OperationRow, asked: number): boolean {
    return kind === 'charge' && attempt === asked && state === 'open' && age < this.operations.chargeLeaseMs;
  }

  private async report({ provider, shop_id: shopId }: AskedAttempt, event: RefundReport): Promise<void> {
    const dataJson = JSON.stringify(event.data);
    await this.inbox.store({
      event,
      provider,
      isAccountShared: false,
      shopId,
      dataJson,
      receivedAt: this.clock.now(),
    });
  }
}

/**
 * The difference between the provider's sum of refunds and ours: a refund that was made at the provider, or a refund of
 * ours that failed after its success. `null`: none. The same difference has the same id, so it counts once.
 */
function refundReport(payment: PaymentRow, asked: AskedAttempt, state: HeldState): RefundReport | null {
  const isCharged = payment.status === 'completed' || payment.status === 'refunded';
  if (!isCharged || payment.attempt !== asked.attempt) return null;
  const all = state.status === 'refunded' ? payment.amount_captured : undefined;
  const refunded = state.refundedAmount ?? all;
  if (refunded === undefined) return null;
  const counted = payment.amount_refunded;
  const difference = Number(refunded) - Number(counted);
  if (difference === 0) return null;
  const isMore = difference > 0;
  return {
    id: `lookup_${asked.reference}_${Number(counted)}_${Number(refunded)}`,
    match: { reference: asked.reference },
    status: isMore ? 'refunded' : 'refund_failed',
    amount: isMore ? subtractAmounts(refunded, counted) : subtractAmounts(counted, refunded),
    currency: state.currency,
    data: { refunded_amount: refunded },
  };
}
