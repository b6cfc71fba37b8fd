import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ProviderState } from '@payment-orchestrator/provider-kit';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { WAITING_MS } from '../store/notification.queries.js';
import { OperationRecords } from '../store/operation-records.service.js';
import { factOfState } from '../money/state/call-fact.js';
import type { OperationRow } from '../money/state/operation.js';
import type { PaymentRow } from '../money/state/payment.js';
import { isOutcomePending } from '../money/state/state.js';
import { MoneyService } from '../store/money.service.js';
import { PaymentsService } from '../store/payments.service.js';
import { ActionCompletion } from '../work/action-completion.service.js';
import { ProviderCallsService } from '../work/provider-calls.service.js';
import { pickNext } from '../work/recovery-shares.js';
import { CLAIM_LOOK_UPS, END_LOOK_UP, EXPEDITE_REFUNDS, LIST_DUE_LOOK_UPS } from './asked-attempts.queries.js';

const INTERVAL_MS = 500;
/** The shares keep a shop that is asked about often, or a silent provider, from using all. */
const SHARES = { total: 32, perShop: 8, perProvider: 16 };
const SCAN_LIMIT = 10_000;

/** An attempt whose look-up is claimed. */
type AskedAttempt = Pick<
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

/** The payment with a look-up's answer; `isWaiting`: it is looked up again. */
interface Applied {
  payment: PaymentRow;
  isWaiting: boolean;
}

type HeldState = Exclude<ProviderState, { status: 'not_found' }>;

type DueLookUp = Pick<AskedAttempt, 'payment_id' | 'attempt' | 'shop_id' | 'provider'>;

/**
 * The worker's look-ups of attempts that notifications ask about (`AskedAttempts`). A look-up is due until its answer has
 * been applied. Without an answer, or if the worker dies, it is due again when its claim ends.
 */
@Injectable()
export class AskedLookUps implements OnModuleDestroy {
  readonly job: ScheduledJob = {
    name: 'asked look-ups',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.round(stopping),
  };
  private readonly logger = new Logger(AskedLookUps.name);
  private readonly running = new Map<Promise<void>, AskedAttempt>();

  constructor(
    private readonly database: Database,
    private readonly operations: OperationRecords,
    private readonly calls: ProviderCallsService,
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
    private readonly completion: ActionCompletion,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  /** Makes the due look-ups, within the shares; returns their number. */
  async lookUpDue(): Promise<number> {
    const claimed = await this.claim();
    await Promise.all(claimed.map((asked) => this.lookUp(asked)));
    return claimed.length;
  }

  /** Begins look-ups until the shares are used or nothing is due. */
  private async round(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const claimed = await this.claim();
      if (claimed.length === 0) return;
      for (const asked of claimed) {
        const run = this.lookUp(asked).finally(() => this.running.delete(run));
        this.running.set(run, asked);
      }
    }
  }

  private async claim(): Promise<AskedAttempt[]> {
    const underWay = [...this.running.values()];
    if (underWay.length >= SHARES.total) return [];
    const due = await this.database.query<DueLookUp>(LIST_DUE_LOOK_UPS, [SCAN_LIMIT, SHARES.perShop]);
    const next = pickNext(due, underWay, SHARES);
    if (next.length === 0) return [];
    const ids = [next.map(({ payment_id: id }) => id), next.map(({ attempt }) => attempt)];
    return this.database.query<AskedAttempt>(CLAIM_LOOK_UPS, [...ids, this.operations.claimMs]);
  }

  /** Never rejects: a failed look-up is due again when its claim ends. */
  private async lookUp(asked: AskedAttempt): Promise<void> {
    const { payment_id: paymentId, attempt, look_up_at: dueAt, asked_ms: askedMs } = asked;
    try {
      const looked = await this.calls.lookup(asked);
      const isSettled = looked.known && (await this.apply(asked, looked.answer, looked.capturesLater));
      const isOver = !isSettled && askedMs > WAITING_MS;
      if (isOver) {
        const msg =
          'a provider’s notification asked about a payment, and no look-up settled it; check it at the provider';
        this.logger.error({ msg, paymentId, attempt, isAnswered: looked.known });
      }
      if (isSettled || isOver) await this.database.query(END_LOOK_UP, [paymentId, attempt, dueAt]);
    } catch (error) {
      this.logger.error({ msg: 'failed to look up a payment, will try again', paymentId, attempt, err: error });
    }
  }

  /** Returns whether nothing is left to look up. */
  private async apply(asked: AskedAttempt, state: ProviderState, capturesLater = false): Promise<boolean> {
    // an unsigned notification must not void a payment that the provider does not find
    if (state.status === 'not_found') {
      const { payment_id: paymentId, attempt } = asked;
      this.logger.error({ msg: 'a provider does not find a charge that it has an id for', paymentId, attempt });
      return true;
    }
    const { payment, isWaiting } = await this.database.transaction((transaction) =>
      this.applyIn(transaction, asked, state, capturesLater),
    );
    if (!state.isApproved || !isOutcomePending(payment, asked.attempt)) return !isWaiting;
    return this.completeApproved(asked, payment);
  }

  /** A sum of refunds that waits for one of ours, or a call under way, is looked up again. */
  private async applyIn(
    transaction: Transaction,
    asked: AskedAttempt,
    state: HeldState,
    capturesLater: boolean,
  ): Promise<Applied> {
    const payment = await this.payments.lock(transaction, asked.payment_id);
    const fact = factOfState(state, asked.attempt, payment.capture, asked.amount_refunded, capturesLater);
    const { verdict, payment: after } = await this.money.applyTo(transaction, payment, fact);
    await transaction.query(EXPEDITE_REFUNDS, [asked.payment_id]);
    return { payment: after, isWaiting: verdict.outcome === 'waiting' };
  }

  /** The payer's browser may never return from the provider, which takes the money only after a call. */
  private async completeApproved(asked: AskedAttempt, payment: PaymentRow): Promise<boolean> {
    const { amount, currency, capture, next_action: action } = payment;
    const { outcome } = await this.completion.handIn({ ...asked, amount, currency, capture }, {}, action);
    return outcome === 'completed';
  }
}
