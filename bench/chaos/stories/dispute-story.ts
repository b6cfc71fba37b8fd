import type { Merchant, Payment } from './merchant.js';

/** The payer disputes a captured payment, and the bank decides. */
export async function runDisputeStory(merchant: Merchant, { id: paymentId }: Payment): Promise<void> {
  const { random, books } = merchant;
  const status = random.pick(['won', 'lost', 'accepted'] as const);
  const disputeId = `dispute_${paymentId}`;
  await merchant.pause(0, 2_000);
  const isOpened = await merchant.atProvider(() => books.dispute(paymentId, disputeId, status, () => random.next()));
  if (isOpened) merchant.promised.push({ kind: 'disputed', paymentId, disputeId, status });
}
