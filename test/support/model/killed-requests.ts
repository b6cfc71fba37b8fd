import { createHmac, randomUUID } from 'node:crypto';
import { dataOf, type Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../app/merchant.js';

/** A request that moves money or notifies about it, ready to be sent. */
export interface MoneyRequest {
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

type Prepare = (merchant: Merchant) => Promise<MoneyRequest>;

const credentials = (simulate?: string) => ({
  provider_credentials: { notification_secret: NOTIFICATION_SECRET, ...(simulate !== undefined && { simulate }) },
});

/** Creates a separate flow, because a stopped request keeps its locks. */
async function aFlow(merchant: Merchant, simulated: readonly string[] = []): Promise<string> {
  const name = `flow ${randomUUID()}`;
  const shops = [];
  for (const [index, simulate] of [...simulated, undefined].entries()) {
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

const aPayment = async (merchant: Merchant, token: string): Promise<PaymentAnswer> =>
  merchant.pay(await aFlow(merchant), { payment_method: { token }, expires_in: 60 });

const anAction =
  (action: 'cancel' | 'refund', token: string): Prepare =>
  async (merchant) => {
    const { id } = await aPayment(merchant, token);
    return { path: `/payments/${id}/${action}`, body: {}, headers: {} };
  };

const aNotification =
  (status: string): Prepare =>
  async (merchant) => {
    const { shop, provider_transaction_id } = await aPayment(merchant, 'tok_pending');
    const body = JSON.stringify({ id: randomUUID(), provider_transaction_id, status });
    const signature = createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex');
    return { path: `/providers/sandbox/notifications/${shop.id}`, body, headers: { signature } };
  };

const aChoice =
  (outcome: 'approve' | 'decline'): Prepare =>
  async (merchant) => {
    const { next_action: action } = await aPayment(merchant, 'tok_requires_action');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { path: new URL(action!.url).pathname, body: `outcome=${outcome}`, headers };
  };

const aRefund =
  (token: string): Prepare =>
  async (merchant) => {
    const { id } = await aPayment(merchant, token);
    return { path: `/payments/${id}/refunds`, body: {}, headers: { 'idempotency-key': randomUUID() } };
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
  'failover to a shop that does not answer': aCharge('tok_charged_no_answer', ['tok_soft_decline']),
  'void of a charge that was never taken': anAction('cancel', 'tok_timeout'),
  'void of a charge whose answer got lost': anAction('cancel', 'tok_charged_no_answer'),
  'void of a charge in processing': anAction('cancel', 'tok_pending'),
  refund: anAction('refund', 'tok_success'),
  'refund that takes a while': anAction('refund', 'tok_refund_pending'),
  'refund under a key': aRefund('tok_success'),
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
];
