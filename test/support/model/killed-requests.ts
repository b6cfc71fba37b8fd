import { createHmac, randomUUID } from 'node:crypto';
import { dataOf, type Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../app/merchant.js';
import type { Query } from '../ledger/ledger.js';
import { failRefundInSandbox, refundInSandbox } from '../ledger/sandbox-books.js';
import { stopOperations } from '../operation-work.js';

/** A request that moves money or notifies about it, ready to be sent. */
export interface MoneyRequest {
  path: string;
  body: unknown;
  headers: Record<string, string>;
  /** Its sender repeats it until it is answered: a provider its notification, a person a settlement. */
  isRepeated?: true;
}

type Prepare = (merchant: Merchant, query: Query) => Promise<MoneyRequest>;

/** `null`: the shop has no secret, so the sandbox sends no notification. */
const credentials = (simulate?: string | null) => ({
  provider_credentials: {
    ...(simulate !== null && { notification_secret: NOTIFICATION_SECRET }),
    ...(typeof simulate === 'string' && { simulate }),
  },
});

/** Creates a separate flow, because a stopped request keeps its locks. */
async function aFlow(
  merchant: Merchant,
  simulated: readonly string[] = [],
  last: null | undefined = undefined,
): Promise<string> {
  const name = `flow ${randomUUID()}`;
  const shops = [];
  for (const [index, simulate] of [...simulated, last].entries()) {
    const { id } = await merchant.createShop(`${name} ${index}`, credentials(simulate));
    shops.push({ shop_id: id, priority: index + 1 });
  }
  dataOf(await merchant.api.post('/flows', { name, strategy: 'priority', shops, max_attempts: shops.length }));
  return name;
}

const aCharge =
  (token: string, simulated?: readonly string[]): Prepare =>
  async (merchant) => ({
    path: '/payments',
    body: {
      flow_name: await aFlow(merchant, simulated),
      amount: 49.9,
      currency: 'EUR',
      expires_in: 60,
      payment_method: { token },
    },
    headers: { 'idempotency-key': randomUUID() },
  });

/** A charge of a payer with a token in each of two accounts, of which the first declines. */
const aChargeWithOptions: Prepare = async (merchant) => {
  const name = `flow ${randomUUID()}`;
  const shops = [];
  for (const [index, account] of ['eu', 'us'].entries()) {
    const fields = { provider_credentials: { notification_secret: NOTIFICATION_SECRET, account } };
    const { id } = await merchant.createShop(`${name} ${account}`, fields);
    shops.push({ shop_id: id, priority: index + 1 });
  }
  dataOf(await merchant.api.post('/flows', { name, strategy: 'priority', shops, max_attempts: shops.length }));
  const options = [
    { provider: 'sandbox', account: 'eu', token: 'tok_soft_decline@eu' },
    { provider: 'sandbox', account: 'us', token: 'tok_success@us' },
  ];
  return {
    path: '/payments',
    body: { flow_name: name, amount: 49.9, currency: 'EUR', expires_in: 60, payment_method: { options } },
    headers: { 'idempotency-key': randomUUID() },
  };
};

const aPayment = async (merchant: Merchant, token: string, fields: object = {}): Promise<PaymentAnswer> =>
  merchant.pay(await aFlow(merchant), { payment_method: { token }, expires_in: 60, ...fields });

const anAction =
  (action: 'cancel' | 'refund', token: string): Prepare =>
  async (merchant) => {
    const { id } = await aPayment(merchant, token);
    return { path: `/payments/${id}/${action}`, body: {}, headers: {} };
  };

/** A notification of the sandbox about a payment. */
function notificationOf(
  { shop, provider_transaction_id }: PaymentAnswer,
  event: { status: string } & Record<string, unknown>,
): MoneyRequest {
  const body = JSON.stringify({ id: randomUUID(), provider_transaction_id, ...event });
  const signature = createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex');
  return { path: `/providers/sandbox/notifications/${shop.id}`, body, headers: { signature }, isRepeated: true };
}

const aNotification =
  (status: string): Prepare =>
  async (merchant) => {
    const { isRepeated: _, ...once } = notificationOf(await aPayment(merchant, 'tok_pending'), { status });
    return once;
  };

const aCapture =
  (token: string, amount?: number): Prepare =>
  async (merchant) => {
    const { id } = await aPayment(merchant, token, { capture: 'manual' });
    return { path: `/payments/${id}/capture`, body: { amount }, headers: {} };
  };

/** Requests a refund under a key of its own. */
const refundOf = ({ id }: PaymentAnswer, amount?: number): MoneyRequest => ({
  path: `/payments/${id}/refunds`,
  body: { amount },
  headers: { 'idempotency-key': randomUUID() },
});

const send = (merchant: Merchant, { path, body, headers }: MoneyRequest) =>
  merchant.api.request('POST', path, body, headers);

/** A refund of `amount`, or of the rest, after the refunds of these amounts. */
const aPartialRefund =
  (token: string, before: readonly number[], amount?: number): Prepare =>
  async (merchant) => {
    const payment = await aPayment(merchant, token);
    for (const each of before) dataOf(await send(merchant, refundOf(payment, each)));
    return refundOf(payment, amount);
  };

/** The notification of a refund that was made at the provider, after these refunds of ours. */
const aRefundAtProvider =
  (before: readonly number[], amount: string): Prepare =>
  async (merchant, query) => {
    const payment = await aPayment(merchant, 'tok_success');
    for (const each of before) dataOf(await send(merchant, refundOf(payment, each)));
    const id = await refundInSandbox(query, payment.provider_transaction_id, amount);
    return notificationOf(payment, { status: 'refunded', operation_id: id, amount, currency: 'EUR' });
  };

/** The notification that a refund has failed which had succeeded. */
const aLateFailure =
  (amount?: number): Prepare =>
  async (merchant, query) => {
    const payment = await aPayment(merchant, 'tok_success');
    const refund = dataOf<{ amount: number; provider_refund_id: string }>(
      await send(merchant, refundOf(payment, amount)),
    );
    const { provider_refund_id: id } = refund;
    await failRefundInSandbox(query, id);
    return notificationOf(payment, {
      status: 'refund_failed',
      operation_id: id,
      amount: refund.amount,
      currency: 'EUR',
    });
  };

/** The notification of a dispute's last state, after those of the earlier ones. */
const aDispute =
  (...statuses: readonly string[]): Prepare =>
  async (merchant) => {
    const payment = await aPayment(merchant, 'tok_success');
    const dispute = { id: randomUUID(), kind: 'chargeback', amount: 49.9, currency: 'EUR' };
    const events = statuses.map((status, minute) => ({
      status: 'disputed',
      occurred_at: new Date(Date.UTC(2026, 10, 21, 1, minute)).toISOString(),
      dispute: { ...dispute, status },
    }));
    for (const event of events.slice(0, -1)) dataOf(await send(merchant, notificationOf(payment, event)));
    return notificationOf(payment, events.at(-1)!);
  };

/** The settlement of an operation that no worker tries any longer. `request`: it leaves the operation open. */
const aSettlement =
  (token: string, fields: object, outcome: string, request?: (payment: PaymentAnswer) => MoneyRequest): Prepare =>
  async (merchant, query) => {
    const flow = await aFlow(merchant, [], null);
    const payment = await merchant.pay(flow, { payment_method: { token }, expires_in: 60, ...fields });
    if (request) dataOf(await send(merchant, request(payment)));
    const [operation] = await query<{ id: number }>(
      stopOperations(`payment_id = $1 AND state NOT IN ('confirmed', 'refused')`),
      [payment.id],
    );
    const path = `/payments/${payment.id}/operations/${operation!.id}/settle`;
    // the sandbox may not have done yet what it has accepted
    return { path, body: { outcome, reason: 'the dashboard', confirm: true }, headers: {}, isRepeated: true };
  };

const aChoice =
  (outcome: 'approve' | 'decline'): Prepare =>
  async (merchant) => {
    const { next_action: action } = await aPayment(merchant, 'tok_requires_action');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { path: new URL(action!.url).pathname, body: `outcome=${outcome}`, headers };
  };

/** By name, what is stopped at each of its steps. */
export const MONEY_REQUESTS: Readonly<Record<string, Prepare>> = {
  'charge, approved': aCharge('tok_success'),
  'charge, declined': aCharge('tok_decline'),
  'charge, not answered': aCharge('tok_charged_no_answer'),
  'charge that succeeds later': aCharge('tok_async_success'),
  'charge that fails later': aCharge('tok_async_decline'),
  'charge after its notification': aCharge('tok_early_notification'),
  'charge that waits for the payer': aCharge('tok_requires_action'),
  'failover from a decline and an outage': aCharge('tok_success', ['tok_soft_decline', 'tok_unavailable']),
  'failover to another account, with its own token': aChargeWithOptions,
  'failover to a shop that does not answer': aCharge('tok_charged_no_answer', ['tok_soft_decline']),
  'void of a charge that was never taken': anAction('cancel', 'tok_timeout'),
  'void of a charge whose answer got lost': anAction('cancel', 'tok_charged_no_answer'),
  'void of a charge in processing': anAction('cancel', 'tok_pending'),
  refund: anAction('refund', 'tok_success'),
  'refund that takes a while': anAction('refund', 'tok_refund_pending'),
  'refund under a key': aPartialRefund('tok_success', []),
  'capture of all': aCapture('tok_authorize_only'),
  'capture of a part': aCapture('tok_authorize_only', 30),
  'capture of a part that takes a while': aCapture('tok_capture_pending', 30),
  'void of an authorisation': async (merchant) => {
    const { id } = await aPayment(merchant, 'tok_authorize_only', { capture: 'manual' });
    return { path: `/payments/${id}/cancel`, body: {}, headers: {} };
  },
  'refund of a part': aPartialRefund('tok_success', [], 10),
  'refund of the rest after two parts': aPartialRefund('tok_success', [10, 5]),
  'refund of a part that takes a while': aPartialRefund('tok_refund_pending', [10], 20),
  'refund of a part made at the provider': aRefundAtProvider([10], '20.00'),
  'refund of the rest made at the provider': aRefundAtProvider([10], '39.90'),
  'failure of a part that was refunded': aLateFailure(10),
  'failure of all that was refunded': aLateFailure(),
  'dispute that is opened': aDispute('open'),
  'dispute that is lost': aDispute('open', 'under_review', 'lost'),
  'settlement of a charge': aSettlement('tok_charged_no_answer', {}, 'captured'),
  'settlement of a capture': aSettlement('tok_capture_pending', { capture: 'manual' }, 'captured', ({ id }) => ({
    ...{ path: `/payments/${id}/capture`, headers: {} },
    body: { amount: 30 },
  })),
  'settlement of a refund': aSettlement('tok_refund_pending', {}, 'refunded', (payment) => refundOf(payment, 10)),
  'notification of a success': aNotification('completed'),
  'notification of a failure': aNotification('failed'),
  'approval by the payer': aChoice('approve'),
  'refusal by the payer': aChoice('decline'),
};

/** Requests whose remains are left to a worker: charges to look up, to void and to refund. */
export const LEFT_TO_RECOVERY: readonly string[] = [
  'charge, not answered',
  'charge that succeeds later',
  'void of a charge that was never taken',
  'void of a charge whose answer got lost',
  'refund that takes a while',
  'capture of a part that takes a while',
  'refund of a part that takes a while',
];
