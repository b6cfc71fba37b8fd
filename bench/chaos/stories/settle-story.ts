import type { HeldCharge, ProviderBooks } from '../provider-books.js';
import type { Merchant, Payment } from './merchant.js';

/** An operation as the API answers it. */
interface Operation {
  id: number;
  kind: 'charge' | 'capture' | 'void' | 'refund';
  cause: string;
  state: string;
  reference: string;
  provider_operation_id: string | null;
}

/** The state that a person found in the provider's dashboard. */
interface Finding {
  outcome: 'captured' | 'not_captured' | 'refunded' | 'voided';
  amount?: number;
  provider_transaction_id?: string;
}

/** A person settles the open operations of a payment by what the provider's dashboard shows. */
export async function runSettleStory(merchant: Merchant, { id }: Payment): Promise<void> {
  await merchant.pause(200, 3_000);
  const listed = await merchant.client.call('operations', 'GET', `/payments/${id}/operations`);
  if (listed.status !== 200) return;
  const { data: operations } = listed.body as { data: Operation[] };
  for (const operation of operations.filter(({ state }) => state !== 'confirmed' && state !== 'refused')) {
    const finding = await lookFor(merchant.books, operation).catch(() => undefined);
    if (finding) await settle(merchant, id, operation, finding);
  }
}

async function settle(merchant: Merchant, paymentId: number, { id }: Operation, finding: Finding): Promise<void> {
  const path = `/payments/${paymentId}/operations/${id}/settle`;
  const send = (confirm: boolean) => {
    const json = { ...finding, reason: 'the dashboard shows it', ...(confirm && { confirm }) };
    // 409: it has its outcome, is being tried, or the provider reports another outcome now
    return merchant.client.call('settle', 'POST', path, { json, expected: [409] });
  };
  const answer = await merchant.retryUntil(() => send(false), [200, 409]);
  const { code } = (answer?.body ?? {}) as { code?: string };
  if (code === 'settle_contradicts_provider') await send(true);
}

/** Nothing is found as long as the provider may still get or change it. */
async function lookFor(books: ProviderBooks, operation: Operation): Promise<Finding | undefined> {
  const { kind, cause, reference, provider_operation_id: operationId } = operation;
  if (kind === 'refund') {
    const isMade = cause !== 'charged_after_end' && operationId !== null && (await books.hasRefunded(operationId));
    return isMade ? { outcome: 'refunded' } : undefined;
  }
  const charge = await books.find(reference);
  if (charge?.status === 'open' && kind === 'charge' && (await books.void(reference))) return { outcome: 'voided' };
  return charge && findingOf(charge, kind);
}

function findingOf({ status, captured, transaction_id: id }: HeldCharge, kind: Operation['kind']): Finding | undefined {
  const transaction = kind === 'charge' ? { provider_transaction_id: id } : {};
  switch (status) {
    case 'captured':
      return { outcome: 'captured', amount: Number(captured), ...transaction };
    case 'refunded':
      return { outcome: 'refunded', amount: Number(captured), ...transaction };
    case 'voided':
      return { outcome: 'voided' };
    case 'declined':
      return { outcome: kind === 'void' ? 'voided' : 'not_captured' };
    default:
      return undefined;
  }
}
