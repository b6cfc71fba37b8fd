import { cents } from '../provider-books.js';
import type { Merchant, Payment } from './merchant.js';

const MOST_PARTS = 4;

/** A captured payment that is refunded: in parts, at the provider, or with failures that the bank reports later. */
export async function runRefundStory(merchant: Merchant, payment: Payment): Promise<void> {
  const { random } = merchant;
  const calls: Promise<void>[] = [];
  const parts = random.chance(0.7) ? random.integer(1, MOST_PARTS) : 0;
  for (let part = 1; part <= parts; part++) calls.push(refundPart(merchant, payment, part));
  if (random.chance(0.25)) calls.push(refundAtProvider(merchant, payment));
  if (random.chance(0.15)) calls.push(merchant.refundRest(payment));
  if (random.chance(0.25)) calls.push(failRefund(merchant, payment));
  await Promise.all(calls);
  if (random.chance(0.2)) await failRefund(merchant, payment);
  if (random.chance(0.3)) await merchant.refundRest(payment);
}

/** The parts of one payment are requested at once, and may be more than was captured. */
async function refundPart(merchant: Merchant, payment: Payment, part: number): Promise<void> {
  const { random, client } = merchant;
  const key = `refund-${payment.id}-${part}`;
  // the last one refunds the remaining amount
  const amount = part === MOST_PARTS ? undefined : Math.max(0.01, cents(payment.amount * random.next() * 0.6));
  await merchant.pause(0, 1_000);
  const options = {
    json: { reason: 'goods returned', ...(amount !== undefined && { amount }) },
    headers: { 'idempotency-key': key },
    expected: [409],
  };
  const send = () => client.call('refund part', 'POST', `/payments/${payment.id}/refunds`, options);
  const times = random.chance(0.2) ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: times }, () => merchant.retryUntil(send, [201, 409])));
  for (const answer of answers) {
    if (answer?.status !== 201) continue;
    const refund = (answer.body as { data: { id: number; amount: number } }).data;
    merchant.promised.push({
      kind: 'refund',
      paymentId: payment.id,
      refundId: refund.id,
      key,
      amount: amount ?? refund.amount,
    });
  }
}

async function refundAtProvider(merchant: Merchant, payment: Payment): Promise<void> {
  const { random, books } = merchant;
  const share = random.chance(0.3) ? 1 : random.next();
  await merchant.pause(0, 2_000);
  await merchant.atProvider(() => books.refund(payment.id, `dashboard_${payment.id}`, share));
}

async function failRefund(merchant: Merchant, payment: Payment): Promise<void> {
  await merchant.pause(200, 3_000);
  await merchant.atProvider(() => merchant.books.failRefund(payment.id));
}
