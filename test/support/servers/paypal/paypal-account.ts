import type { FakeAnswer } from '@payment-orchestrator/provider-kit/testing';
import {
  amountIssue,
  type Fate,
  type GivenOrder,
  linkTo,
  minorOf,
  type Money,
  moneyOf,
  newAuthorization,
  newId,
  newPayment,
  NOT_FOUND,
  type Payment,
  refundedOf,
  refusal,
  shownRefund,
  type StoredOrder,
  unprocessable,
} from './paypal-objects.js';
import { PayPalWebhook, type Signer } from './paypal-notifications.js';

/** Saved wallets with known fates, in place of the mock responses of PayPal's sandbox. */
const WALLETS: Readonly<Record<string, Fate>> = {
  wallet_ok: {},
  wallet_restricted: { issue: 'PAYER_ACCOUNT_RESTRICTED' },
  wallet_declined: { issue: 'INSTRUMENT_DECLINED' },
  wallet_review: { pending: 'charge' },
  wallet_capture_review: { pending: 'capture' },
  wallet_refund_review: { pending: 'refund' },
};

/** An account of PayPal with its app and webhook, and books. */
export class PayPalAccount {
  readonly orders: StoredOrder[] = [];
  readonly vault = new Map(Object.entries(WALLETS));
  readonly webhook: PayPalWebhook;

  constructor(
    private readonly pageOf: (id: string) => string,
    signer: () => Signer,
  ) {
    this.webhook = new PayPalWebhook(signer);
  }

  transactions(): StoredOrder[] {
    return this.orders;
  }

  stop(): void {
    this.webhook.stop();
  }

  order(id: string | undefined): StoredOrder {
    const found = this.orders.find((one) => one.id === id);
    if (!found) throw new Error(`no order ${id}`);
    return found;
  }

  /** The payer approves at PayPal's page; the money is taken later, by a call. */
  approve(id: string | undefined, fate: Fate = {}): void {
    const order = this.order(id);
    if (order.status === 'COMPLETED') throw new Error(`the order ${id} is completed`);
    Object.assign(order, { status: 'APPROVED', fate });
    this.webhook.report('CHECKOUT.ORDER.APPROVED', 'checkout-order', this.shown(order));
  }

  /** PayPal forgets an order that its payer did not approve. */
  expire(id: string | undefined): void {
    this.orders.splice(this.orders.indexOf(this.order(id)), 1);
  }

  /** A pending capture is decided. */
  decide(id: string | undefined, status: 'COMPLETED' | 'DECLINED'): void {
    const order = this.order(id);
    const capture = order.captures.find((one) => one.status === 'PENDING');
    if (!capture) throw new Error(`no pending capture of ${id}`);
    capture.status = status;
    if (status === 'DECLINED') capture.status_details = { reason: 'OTHER' };
    if (status === 'COMPLETED') for (const one of order.authorizations) one.status = 'CAPTURED';
    this.reportCapture(order, capture);
  }

  decideRefund(id: string | undefined, status: 'COMPLETED' | 'FAILED'): void {
    const order = this.order(id);
    const refund = order.refunds.find((one) => one.status === 'PENDING');
    if (!refund) throw new Error(`no pending refund of ${id}`);
    refund.status = status;
    this.afterRefund(order, refund);
  }

  /** The authorisation ends uncaptured. */
  lapse(id: string | undefined): void {
    const order = this.order(id);
    const [authorization] = order.authorizations;
    if (authorization?.status !== 'CREATED') throw new Error(`no authorisation of ${id}`);
    const at = new Date().toISOString();
    Object.assign(authorization, { status: 'VOIDED', expiration_time: at, update_time: at });
    this.reportAuthorization(order, authorization);
  }

  /** A dispute about the whole capture, or the next report of it. Returns the dispute's id. */
  dispute(id: string | undefined, fields: object = {}): string {
    const order = this.order(id);
    const capture = order.captures[0]!;
    const at = new Date().toISOString();
    const disputeId = `PP-D-${order.id}`;
    const isFirst = Object.keys(fields).length === 0;
    this.webhook.report(`CUSTOMER.DISPUTE.${isFirst ? 'CREATED' : 'UPDATED'}`, 'dispute', {
      dispute_id: disputeId,
      create_time: at,
      update_time: at,
      disputed_transactions: [{ seller_transaction_id: capture.id, custom: order.custom_id }],
      reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
      status: 'WAITING_FOR_SELLER_RESPONSE',
      dispute_amount: capture.amount,
      dispute_life_cycle_stage: 'CHARGEBACK',
      seller_response_due_date: new Date(Date.now() + 10 * 86_400_000).toISOString(),
      ...fields,
    });
    return disputeId;
  }

  create(
    { intent, purchase_units: units = [], payment_source: source }: GivenOrder,
    key: string | undefined,
  ): FakeAnswer {
    const [unit] = units;
    const wallet = source?.paypal;
    if ((intent !== 'CAPTURE' && intent !== 'AUTHORIZE') || !unit) return refusal(400, 'MISSING_REQUIRED_PARAMETER');
    if (wallet && key === undefined) return refusal(400, 'PAYPAL_REQUEST_ID_REQUIRED');
    const issue = amountIssue(unit.amount);
    if (issue !== undefined) return unprocessable(issue);
    const saved = wallet?.vault_id === undefined ? undefined : this.vault.get(wallet.vault_id);
    if (wallet?.vault_id !== undefined && !saved) return unprocessable('TOKEN_ID_NOT_FOUND');
    if (saved?.issue !== undefined) return unprocessable(saved.issue);
    const order: StoredOrder = {
      id: newId(),
      intent,
      status: 'PAYER_ACTION_REQUIRED',
      amount: unit.amount!,
      custom_id: unit.custom_id,
      wallet: wallet ?? {},
      fate: saved ?? {},
      vaultId: undefined,
      authorizations: [],
      captures: [],
      refunds: [],
    };
    this.orders.push(order);
    if (saved) this.takeMoney(order);
    return { status: 201, body: this.shown(order) };
  }

  /** `kind`: the call, which has to fit the order's intent. */
  complete(order: StoredOrder, kind: 'capture' | 'authorize'): FakeAnswer {
    if ((order.intent === 'CAPTURE') !== (kind === 'capture')) return unprocessable('ACTION_DOES_NOT_MATCH_INTENT');
    if (order.status === 'COMPLETED')
      return unprocessable(kind === 'capture' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED');
    if (order.status !== 'APPROVED') return unprocessable('ORDER_NOT_APPROVED');
    const { issue } = order.fate;
    const redirect = { href: this.pageOf(order.id), rel: 'redirect', method: 'GET' };
    if (issue !== undefined) return refusal(422, issue, issue === 'INSTRUMENT_DECLINED' ? [redirect] : []);
    this.takeMoney(order);
    return { status: 201, body: this.shown(order) };
  }

  capture(id: string, { amount }: { amount?: Money }): FakeAnswer {
    const order = this.orders.find(({ authorizations }) => authorizations.some((one) => one.id === id));
    const authorization = order?.authorizations[0];
    if (!order || !authorization) return NOT_FOUND;
    if (authorization.status === 'VOIDED') return unprocessable('AUTHORIZATION_VOIDED');
    if (authorization.status !== 'CREATED') return unprocessable('AUTHORIZATION_ALREADY_CAPTURED');
    const wanted = amount ?? authorization.amount;
    const issue = amountIssue(wanted);
    if (issue !== undefined) return unprocessable(issue);
    if (minorOf(wanted) > minorOf(authorization.amount)) return unprocessable('MAX_CAPTURE_AMOUNT_EXCEEDED');
    const isPending = order.fate.pending === 'capture';
    const capture = newPayment(isPending ? 'PENDING' : 'COMPLETED', wanted, order.custom_id);
    order.captures.push(capture);
    if (!isPending)
      authorization.status = minorOf(wanted) < minorOf(authorization.amount) ? 'PARTIALLY_CAPTURED' : 'CAPTURED';
    this.reportCapture(order, capture);
    return { status: 201, body: this.shownCapture(order, capture) };
  }

  void(id: string): FakeAnswer {
    const order = this.orders.find(({ authorizations }) => authorizations.some((one) => one.id === id));
    const authorization = order?.authorizations[0];
    if (!order || !authorization) return NOT_FOUND;
    if (authorization.status === 'VOIDED') return unprocessable('PREVIOUSLY_VOIDED');
    if (authorization.status !== 'CREATED') return unprocessable('PREVIOUSLY_CAPTURED');
    Object.assign(authorization, { status: 'VOIDED', update_time: new Date().toISOString() });
    this.reportAuthorization(order, authorization);
    return { status: 200, body: this.shownAuthorization(order, authorization) };
  }

  findCapture(id: string): { order: StoredOrder; capture: Payment } | undefined {
    for (const order of this.orders)
      for (const capture of order.captures) if (capture.id === id) return { order, capture };
    return undefined;
  }

  /** Without an amount, the rest is refunded. */
  refund(id: string, { amount, custom_id: custom }: { amount?: Money; custom_id?: string }): FakeAnswer {
    const { order, capture } = this.findCapture(id) ?? {};
    if (!order || !capture) return NOT_FOUND;
    if (capture.status === 'PENDING') return unprocessable('PENDING_CAPTURE');
    const left = minorOf(capture.amount) - refundedOf(order, ['COMPLETED', 'PENDING']);
    if (left === 0) return unprocessable('CAPTURE_FULLY_REFUNDED');
    const wanted = amount ?? moneyOf(left, capture.amount.currency_code);
    const issue = amountIssue(wanted);
    if (issue !== undefined) return unprocessable(issue);
    if (minorOf(wanted) > left) return unprocessable('REFUND_AMOUNT_EXCEEDED');
    const refund = newPayment(
      order.fate.pending === 'refund' ? 'PENDING' : 'COMPLETED',
      wanted,
      custom ?? order.custom_id,
    );
    order.refunds.push(refund);
    this.afterRefund(order, refund);
    return { status: 201, body: shownRefund(order, refund) };
  }

  forget(token: string): FakeAnswer {
    return this.vault.delete(token) ? { status: 204, body: {} } : NOT_FOUND;
  }

  shown(order: StoredOrder): object {
    const { id, intent, status, amount, custom_id: custom, wallet, vaultId } = order;
    const self = `/v2/checkout/orders/${id}`;
    const page = { href: this.pageOf(id), rel: 'payer-action', method: 'GET' };
    const payments = {
      ...(order.authorizations.length > 0 && { authorizations: order.authorizations }),
      ...(order.captures.length > 0 && { captures: order.captures.map((one) => ({ ...one, final_capture: true })) }),
      ...(order.refunds.length > 0 && { refunds: order.refunds.map((one) => shownRefund(order, one)) }),
    };
    const vault = vaultId === undefined ? {} : { attributes: { vault: { id: vaultId, status: 'VAULTED' } } };
    const isPaid = Object.keys(payments).length > 0;
    return structuredClone({
      id,
      intent,
      status,
      payment_source: { paypal: { ...(wallet.email_address && { email_address: wallet.email_address }), ...vault } },
      purchase_units: [{ reference_id: 'default', amount, custom_id: custom, ...(isPaid && { payments }) }],
      links: [linkTo(self), ...(status === 'PAYER_ACTION_REQUIRED' ? [page] : [])],
    });
  }

  private takeMoney(order: StoredOrder): void {
    const { amount, custom_id: custom, fate, wallet } = order;
    order.status = 'COMPLETED';
    if (wallet.attributes?.vault?.store_in_vault === 'ON_SUCCESS') {
      order.vaultId = newId().toLowerCase();
      this.vault.set(order.vaultId, {});
    }
    if (order.intent === 'AUTHORIZE') {
      const authorization = newAuthorization(amount, custom);
      order.authorizations.push(authorization);
      this.reportAuthorization(order, authorization);
    } else {
      const capture = newPayment(fate.pending === 'charge' ? 'PENDING' : 'COMPLETED', amount, custom);
      if (capture.status === 'PENDING') capture.status_details = { reason: 'PENDING_REVIEW' };
      order.captures.push(capture);
      this.reportCapture(order, capture);
    }
  }

  private afterRefund(order: StoredOrder, refund: Payment): void {
    if (refund.status === 'PENDING') return;
    const [capture] = order.captures;
    const whole = capture && refundedOf(order, ['COMPLETED']) === minorOf(capture.amount);
    if (capture && refund.status === 'COMPLETED') capture.status = whole ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    const kind = refund.status === 'COMPLETED' ? 'PAYMENT.CAPTURE.REFUNDED' : 'PAYMENT.REFUND.FAILED';
    this.webhook.report(kind, 'refund', shownRefund(order, refund));
  }

  private reportCapture(order: StoredOrder, capture: Payment): void {
    this.webhook.report(`PAYMENT.CAPTURE.${capture.status}`, 'capture', this.shownCapture(order, capture));
  }

  private reportAuthorization(order: StoredOrder, authorization: Payment): void {
    const kind = `PAYMENT.AUTHORIZATION.${authorization.status}`;
    this.webhook.report(kind, 'authorization', this.shownAuthorization(order, authorization));
  }

  shownCapture(order: StoredOrder, capture: Payment): object {
    const [authorization] = order.authorizations;
    const related = { order_id: order.id, ...(authorization && { authorization_id: authorization.id }) };
    const links = [linkTo(`/v2/payments/captures/${capture.id}`)];
    return { ...capture, final_capture: true, supplementary_data: { related_ids: related }, links };
  }

  private shownAuthorization(order: StoredOrder, authorization: Payment): object {
    const links = [linkTo(`/v2/payments/authorizations/${authorization.id}`)];
    return { ...authorization, supplementary_data: { related_ids: { order_id: order.id } }, links };
  }
}
