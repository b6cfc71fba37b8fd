import { cents } from '../provider-books.js';
import type { Merchant, Payment } from './merchant.js';

/** A payment with `capture: "manual"`: captured in whole or in part, here or at the provider, cancelled, or left to lapse. */
export async function runCaptureStory(merchant: Merchant, payment: Payment): Promise<void> {
  const { random, simulator } = merchant;
  if (payment.next_action) {
    await merchant.pause(50, 2_000);
    await merchant.retryUntil(() => simulator.choose(payment.next_action!.url, 'approve'), [200]);
  }
  const share = random.next();
  if (share < 0.55) return captureHere(merchant, payment);
  if (share < 0.7) return captureAtProvider(merchant, payment);
  if (share < 0.85) return merchant.cancel(payment);
}

async function captureHere(merchant: Merchant, payment: Payment): Promise<void> {
  const { random } = merchant;
  const amount = random.chance(0.5) ? undefined : cents(payment.amount * (0.1 + 0.8 * random.next()));
  const calls = [capture(merchant, payment, amount)];
  if (random.chance(0.2)) calls.push(capture(merchant, payment, amount));
  if (random.chance(0.15)) calls.push(merchant.cancel(payment));
  await Promise.all(calls);
}

async function capture(merchant: Merchant, payment: Payment, amount: number | undefined): Promise<void> {
  const after = await merchant.act(payment, 'capture', { json: amount === undefined ? {} : { amount } });
  if (after?.status !== 'completed') return;
  merchant.promised.push({ kind: 'captured', paymentId: payment.id, amount: after.amount_captured });
}

/** Sometimes the merchant captures another amount at the same time; one of the two wins. */
async function captureAtProvider(merchant: Merchant, payment: Payment): Promise<void> {
  const { random, books } = merchant;
  const share = random.chance(0.5) ? 1 : 0.1 + 0.8 * random.next();
  await merchant.pause(0, 2_000);
  const calls: Promise<unknown>[] = [merchant.atProvider(() => books.capture(payment.id, share))];
  if (random.chance(0.3)) calls.push(capture(merchant, payment, undefined));
  await Promise.all(calls);
}
