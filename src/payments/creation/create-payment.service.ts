import { Injectable } from '@nestjs/common';
import { type Principal, requireScopes } from '../../access/access.js';
import { FlowRoutingService } from '../../flows/routing/routing.service.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { AuthorizationService } from './authorization.service.js';
import { type HeldKey, IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentDto } from '../api/payments.dto.js';
import type { CreatePaymentDto } from './create-payment.dto.js';
import { factsOf } from '../../shared/payment-method.js';
import { invalidField, Problem } from '../../shared/problem.js';
import type { GivenCharge } from '../methods/given-charge.js';
import { type SavedCharge, SavedMethods } from '../methods/saved-methods.service.js';
import { requireUsable } from '../methods/method-errors.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { PayerDto } from './payer.dto.js';
import { PaymentCustomers } from './payment-customers.service.js';
import { PaymentRecorder, type RecordedPayment } from './payment-recorder.service.js';
import { PaymentsService } from '../store/payments.service.js';

/** The rendered answer, so that a replay returns exactly the same bytes. */
export interface CreateAnswer {
  body: string;
  replayed: boolean;
  /** `undefined` for a replay. */
  paymentId: number | undefined;
}

/**
 * The path of a new payment: find its customer → route → transaction 1 inserts it (pending) with its first attempt →
 * provider call → transaction 2 changes its status, or begins the attempt with the next shop, and so on. A payment that a
 * rule declines ends in transaction 1. A crash before
 * transaction 1 leaves a gap in the flow's counter. A crash after it leaves a pending payment with a recorded charge:
 * an idempotent repeat resumes it (the provider knows a repeated call by its key), or a notification or recovery finds
 * its outcome.
 */
@Injectable()
export class CreatePaymentService {
  constructor(
    private readonly customers: PaymentCustomers,
    private readonly flows: FlowRoutingService,
    private readonly authorization: AuthorizationService,
    private readonly payments: PaymentsService,
    private readonly idempotency: IdempotencyService,
    private readonly records: PaymentRecorder,
    private readonly providers: ProviderRegistry,
    private readonly savedMethods: SavedMethods,
  ) {}

  /**
   * Throws `flow_not_found`, `no_available_shop`, `customer_not_found`, `customer_erased`, `payment_method_not_found`,
   * `idempotency_key_in_flight`, `idempotency_key_reused` and `payment_session_used`; `insufficient_scope` if the webhook would show a known customer to a client that may
   * not read it.
   */
  async create(principal: Principal, request: CreatePaymentDto, idempotencyKey?: string): Promise<CreateAnswer> {
    const mayRead = principal.scopes.includes('payments:read');
    const namesCustomer = request.customer_id !== undefined || request.customer?.reference !== undefined;
    if (mayRead || !namesCustomer) return this.createAny(principal, request, idempotencyKey);
    // the webhook of each change contains the whole customer
    if (request.webhook_endpoint !== undefined) requireScopes(principal, ['payments:read'], WITH_ENDPOINT);
    const answer = await this.createAny(principal, request, idempotencyKey);
    return { ...answer, body: withSentCustomer(answer.body, request) };
  }

  private async createAny(
    principal: Principal,
    request: CreatePaymentDto,
    idempotencyKey?: string,
  ): Promise<CreateAnswer> {
    if (idempotencyKey === undefined) {
      return answerOf(await this.authorize(await this.insert(principal, request)));
    }
    const claim = await this.idempotency.claim(principal, idempotencyKey, request);
    if (claim.state === 'answered') {
      return { body: claim.responseBody, replayed: true, paymentId: undefined };
    }
    return this.idempotency.holding(claim.key, () => this.createUnder(claim, principal, request));
  }

  private async createUnder(
    { key, subjectId: paymentId }: { key: HeldKey; subjectId: number | null },
    principal: Principal,
    request: CreatePaymentDto,
  ): Promise<CreateAnswer> {
    const payment =
      paymentId === null
        ? await this.createNewUnder(key, principal, request)
        : await this.resume(await this.payments.find(principal.merchantId, paymentId), request, key);
    const answer = answerOf(payment);
    await this.idempotency.complete(key, answer.body);
    return answer;
  }

  private async createNewUnder(key: HeldKey, principal: Principal, request: CreatePaymentDto): Promise<PaymentRow> {
    let recorded: Recorded;
    try {
      recorded = await this.insert(principal, request, key);
    } catch (error) {
      await this.idempotency.release(key).catch(() => undefined); // its lock expires by itself
      throw error;
    }
    return this.authorize(recorded, key);
  }

  private async insert(principal: Principal, request: CreatePaymentDto, key?: HeldKey): Promise<Recorded> {
    const { merchantId } = principal;
    if (request.unique && request.payment_session_id === undefined) {
      throw invalidField('payment_session_id', 'is needed with unique: payment_session_id');
    }
    if (request.payment_method) requireUsable(request.payment_method, this.providers);
    const knownCustomer = await this.customers.find(merchantId, request);
    const saved = await this.savedMethodOf(merchantId, knownCustomer?.id, request);
    const given = givenIn(request, saved);
    const { method } = given;
    if (method?.save && !knownCustomer && !request.customer) {
      throw invalidField('payment_method.save', 'needs the customer: give customer or customer_id');
    }
    if (method?.save && request.initiator === 'merchant') {
      throw invalidField('payment_method.save', 'needs the payer: it cannot be used with initiator: merchant');
    }
    const isNewCustomer = request.customer !== undefined && knownCustomer === null;
    const routed = await this.flows.route(
      merchantId,
      request.flow_name,
      {
        amount: request.amount,
        currency: request.currency,
        country: request.country,
        customerId: knownCustomer?.id,
        metadata: request.metadata,
        capture: request.capture,
        paymentMethod: factsOf(method),
        hasBareToken: method?.token !== undefined,
      },
      isNewCustomer ? () => this.customers.takeId() : undefined,
    );
    const agreement = request.agreement ?? (request.initiator === 'merchant' ? saved?.agreement : undefined) ?? null;
    const payment = { merchantId, routed, request, given, agreement, knownCustomer, key };
    if (routed.declined) return { payment: await this.records.insertDeclined(payment, routed.declined) };
    return { given, ...(await this.records.insert(payment)) };
  }

  /** The saved payment method that the request names. */
  private async savedMethodOf(
    merchantId: number,
    customerId: number | undefined,
    { payment_method: method, payment_method_id: id }: CreatePaymentDto,
  ): Promise<SavedCharge | undefined> {
    if (id === undefined) return undefined;
    if (method !== undefined) throw invalidField('payment_method_id', 'cannot be given together with payment_method');
    const saved = customerId === undefined ? undefined : await this.savedMethods.given(merchantId, customerId, id);
    if (saved) return saved;
    throw new Problem('payment_method_not_found', {
      detail: `payment_method_id: the customer of the payment has no payment method ${id}`,
    });
  }

  /** Authorises a new payment, unless a rule declined it, and returns it. */
  private async authorize(recorded: Recorded, key?: HeldKey): Promise<PaymentRow> {
    const { payment } = recorded;
    tracing.annotate({ 'payment.id': payment.id });
    if (!('charge' in recorded)) return payment;
    const { given, charge, account } = recorded;
    return this.authorization.authorize(payment, { given, charge, repeated: false, key, account });
  }

  /** Continues the payment of a request that died, if that is safe. */
  private async resume(payment: PaymentRow, request: CreatePaymentDto, key: HeldKey): Promise<PaymentRow> {
    const { payment_method_id: methodId } = request;
    const saved =
      methodId === undefined
        ? undefined
        : await this.savedMethods.given(payment.merchant_id, payment.customer?.id ?? 0, methodId);
    if (methodId !== undefined && saved === undefined) return payment; // removed meanwhile: recovery finds the outcome
    const given = givenIn(request, saved);
    const charge = payment.status === 'pending' ? await this.authorization.repeatable(payment, given) : null;
    if (!charge) return payment;
    const authorization = { given, charge, repeated: true, key, account: undefined };
    return this.authorization.authorize(payment, authorization);
  }
}

/** A new payment, recorded: with its first charge, or declined. */
type Recorded = (RecordedPayment & { given: GivenCharge }) | { payment: PaymentRow };

const givenIn = (
  { payment_method: method, payer, statement_descriptor: statementDescriptor }: CreatePaymentDto,
  saved: SavedCharge | undefined,
): GivenCharge => ({
  method: saved?.method ?? method,
  facts: {
    ...(payer && { payer: PayerDto.toPayer(payer) }),
    ...(statementDescriptor !== undefined && { statementDescriptor }),
    ...(saved?.firstCharge && { firstCharge: saved.firstCharge }),
  },
});

const WITH_ENDPOINT = 'a webhook_endpoint with customer_id or customer.reference';

/** The answer, also under an idempotency key, with only the customer fields of this request. */
function withSentCustomer(body: string, { customer: sent = {} }: CreatePaymentDto): string {
  const answer = JSON.parse(body) as { data: PaymentDto };
  const { customer } = answer.data;
  if (customer === null) return body;
  const known = Object.entries(customer).filter(
    ([field]) => field === 'id' || sent[field as keyof typeof sent] !== undefined,
  );
  return JSON.stringify({ ...answer, data: { ...answer.data, customer: Object.fromEntries(known) } });
}

const answerOf = (payment: PaymentRow): CreateAnswer => ({
  body: JSON.stringify({ success: true, data: PaymentDto.from(payment) }),
  replayed: false,
  paymentId: payment.id,
});
