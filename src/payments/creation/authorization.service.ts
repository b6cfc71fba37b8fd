import { Injectable } from '@nestjs/common';
import type { ProviderAccount } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { HeldKey } from '../../platform/idempotency/idempotency.service.js';
import { type AttemptEnd, attemptEnd, canFailOver, type KnownEnd } from '../money/state/attempt.js';
import { factOfAnswer } from '../money/state/call-fact.js';
import { chargeOf, type OperationRow } from '../money/state/operation.js';
import { OperationRecords } from '../store/operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { MoneyService } from '../store/money.service.js';
import { factOfRepeat, NewCharges } from '../work/new-charges.service.js';
import { isWithinWindow } from '../../providers/calls/call-rules.js';
import { ProviderCallsService } from '../work/provider-calls.service.js';
import { type ChargeInput, type GivenCharge, inputAt, type PreparedCharge } from '../methods/given-charge.js';
import { hasOption } from '../methods/method-at.js';
import { FailoverService } from './failover.service.js';

export interface Authorization {
  given: GivenCharge;
  /** Recorded with the payment's present attempt. */
  charge: PreparedCharge;
  /** The present attempt was begun by a process that died, and may have been sent. */
  repeated: boolean;
  /** The idempotency key that this request holds, if any. */
  key: HeldKey | undefined;
  /** Account of the present attempt's shop, if it has just been read. */
  account: ProviderAccount | undefined;
}

/**
 * Authorises a pending payment: at its shop, or at the next shops while it is certain that no shop has charged it
 * (docs/decisions/010-failover.md). Between two provider calls there is always a commit that names the next one.
 */
@Injectable()
export class AuthorizationService {
  constructor(
    private readonly providerCalls: ProviderCallsService,
    private readonly money: MoneyService,
    private readonly failover: FailoverService,
    private readonly operations: OperationRecords,
    private readonly shops: ShopsService,
    private readonly charges: NewCharges,
  ) {}

  /**
   * Returns the payment after the authorisation. A late charge is reversed in the transaction that finds it. Throws
   * `idempotency_key_in_flight` if another request has taken over the key.
   */
  async authorize(
    payment: PaymentRow,
    { given, charge: first, repeated, key, account }: Authorization,
  ): Promise<PaymentRow> {
    let isRepeat = repeated;
    let charge = first;
    for (let current = payment; ; isRepeat = false) {
      const target = targetOf(current, charge);
      const sent = { isRepeat, account: current === payment ? account : undefined };
      const call = await this.providerCalls.charge(current, target, charge.input, sent);
      const answer = call.known ? call.answer : null;
      const end = attemptEnd(current.attempt, answer, isRepeat);
      // it may have been charged: recovery, a notification or a repeat will find the outcome
      if (answer === null || end.outcome === 'unknown') return this.unanswered(current, end);
      const fact = isRepeat
        ? await factOfRepeat(
            this.providerCalls,
            { payment_id: current.id, ...target },
            current,
            end as KnownEnd,
            answer,
          )
        : factOfAnswer(end as KnownEnd, answer);
      if (!fact) return current; // recovery finds the outcome
      const next =
        fact.source === 'answer' && canFailOver(end) ? await this.failover.failOver(current, end, given, key) : null;
      if (!next) return this.money.applyAnswer(current, fact);
      ({ payment: current, charge } = next);
    }
  }

  private async unanswered(payment: PaymentRow, end: AttemptEnd): Promise<PaymentRow> {
    const fact = { about: 'charge', source: 'answer', attempt: end.number, status: 'unknown', end } as const;
    return (await this.money.apply(payment.id, fact)).payment;
  }

  /**
   * The charge of a payment whose request died, to be repeated. `null`: it must not be repeated, because the provider
   * has forgotten its key or it is being voided. Recovery then finds its outcome.
   */
  async repeatable(payment: PaymentRow, given: GivenCharge): Promise<PreparedCharge | null> {
    const operations = (await this.operations.list(payment.id)).filter(({ attempt }) => attempt === payment.attempt);
    const charge = operations.find(({ kind }) => kind === 'charge');
    const isVoided = operations.some(({ kind, state }) => kind === 'void' && state !== 'refused');
    if (!charge || isVoided || charge.next_try_at === null) return null;
    const { idempotencyWindowMs } = await this.providerCalls.capabilitiesOf(charge);
    if (!isWithinWindow(charge, idempotencyWindowMs)) return null;
    const input = await this.inputOf(charge, given);
    return input === null ? null : { ...chargeOf(charge), input };
  }

  /**
   * The input that the charge was sent with. With options it is the stored one, because the account's label may
   * have changed since. `null`: it is not stored, and no option is about the account any longer.
   */
  private async inputOf(charge: OperationRow, given: GivenCharge): Promise<ChargeInput | null> {
    const stored = given.method?.options && this.charges.inputOf(charge);
    if (stored?.paymentMethod) return stored;
    const [shop] = await this.shops.summaries(charge.merchant_id, [charge.shop_id]);
    return hasOption(given.method, shop!) ? inputAt(given, shop!) : null;
  }
}

const targetOf = (payment: PaymentRow, { idempotencyKey, reference, attemptedAt }: PreparedCharge) => ({
  idempotencyKey,
  reference,
  attemptedAt,
  shop_id: payment.shop_id,
  attempt: payment.attempt,
  provider: payment.payment_provider,
  provider_transaction_id: payment.provider_transaction_id,
});
